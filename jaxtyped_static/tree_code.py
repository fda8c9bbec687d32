"""The functions with which JAX takes an object apart and makes another: written for each class, as dataclasses do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from jax.tree_util import GetAttrKey

from jaxtyped_static.metadata import METADATA, Metadata


class Tree(NamedTuple):
    """A pytree class, as JAX sees it.

    Attributes:
        data: the names of its data fields.
        static: the names of its static fields.
        flatten: an object → the values of its data fields, and its metadata.
        flatten_with_keys: the same, each value with its key.
        unflatten: metadata and values of any kind → an object, without running code of the class.
    """

    data: tuple[str, ...]
    static: tuple[str, ...]
    flatten: Callable[[Any], tuple[tuple[Any, ...], Metadata]]
    flatten_with_keys: Callable[[Any], tuple[tuple[tuple[Any, Any], ...], Metadata]]
    unflatten: Callable[[Metadata, Iterable[Any]], Any]


def make_tree(cls: type, data: Sequence[str], static: Sequence[str]) -> Tree:
    """Writes the functions for a class with these fields."""
    values = "".join(f"instance.{name}, " for name in data)
    keyed = "".join(f"(key_{name}, instance.{name}), " for name in data)
    lines = [
        "def flatten(instance):",
        f"    return ({values}), instance.{METADATA}",
        "def flatten_with_keys(instance):",
        f"    return ({keyed}), instance.{METADATA}",
        "def unflatten(metadata, children):",
        "    instance = new(cls)",
        "    attributes = instance.__dict__",
        f"    attributes[{METADATA!r}] = metadata",
        f"    ({_targets(data)}) = children",
        f"    ({_targets(static)}) = metadata.values",
        "    return instance",
    ]
    names: dict[str, Any] = {"cls": cls, "new": object.__new__, **{f"key_{name}": GetAttrKey(name) for name in data}}
    exec(compile("\n".join(lines), f"<pytree {cls.__qualname__}>", "exec"), names)
    return Tree(tuple(data), tuple(static), names["flatten"], names["flatten_with_keys"], names["unflatten"])


def _targets(names: Sequence[str]) -> str:
    return "".join(f"attributes[{name!r}], " for name in names)
