"""The functions with which JAX takes an object apart and makes another: written for each class, as dataclasses do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from jax.tree_util import GetAttrKey

from jaxtyped_static.metadata import METADATA, Metadata

# The attribute of a class that holds its `Tree`.
TREE: Final = "__dynamic_tree__"


class Tree(NamedTuple):
    """A pytree class, as JAX sees it.

    Attributes:
        data: the names of its data fields.
        static: the names of its static fields.
        late: whether some of the fields are not arguments of `__init__`.
        flatten: an object → the values of its data fields, and its metadata.
        flatten_with_keys: the same, each value with its key.
        unflatten: metadata and values of any kind → an object, without running code of the class.
    """

    data: tuple[str, ...]
    static: tuple[str, ...]
    late: bool
    flatten: Callable[[Any], tuple[tuple[Any, ...], Metadata]]
    flatten_with_keys: Callable[[Any], tuple[tuple[tuple[Any, Any], ...], Metadata]]
    unflatten: Callable[[Metadata, Iterable[Any]], Any]


def make_tree(cls: type, data: tuple[str, ...], static: tuple[str, ...], *, late: bool) -> Tree:
    """Writes the functions for a class with these fields."""
    names = {
        "cls": cls,
        "new": object.__new__,
        "no_metadata": Metadata(cls, (), ()),
        **{f"key_{name}": GetAttrKey(name) for name in data},
    }
    exec(compile(_source(data, static), f"<pytree {cls.__qualname__}>", "exec"), names)
    functions: list[Any] = [names[name] for name in ("flatten", "flatten_with_keys", "unflatten")]
    return Tree(data, static, late, *functions)


def _source(data: Sequence[str], static: Sequence[str]) -> str:
    """The static fields are copied together, before the others: in a table so made, Python finds the fields faster."""
    values = "".join(f"instance.{name}, " for name in data)
    keyed = "".join(f"(key_{name}, instance.{name}), " for name in data)
    metadata = f"instance.{METADATA}" if static else "no_metadata"
    lines = [
        "def flatten(instance):",
        f"    return ({values}), {metadata}",
        "def flatten_with_keys(instance):",
        f"    return ({keyed}), {metadata}",
        "def unflatten(metadata, children):",
        "    instance = new(cls)",
        "    attributes = instance.__dict__",
        *(["    attributes.update(metadata.attributes)", f"    attributes[{METADATA!r}] = metadata"] if static else []),
        f"    ({''.join(f'attributes[{name!r}], ' for name in data)}) = children",
        "    return instance",
    ]
    return "\n".join(lines)
