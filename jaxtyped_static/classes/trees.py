"""The functions with which JAX takes an object apart and makes another: written for each class, as dataclasses do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from jax.tree_util import GetAttrKey

from jaxtyped_static.classes.metadata import METADATA, Metadata, StaticSide

# The attribute of a class that holds its `Tree`.
TREE: Final = "__dynamic_tree__"


class Tree(NamedTuple):
    """A pytree class, as JAX sees it.

    Attributes:
        data: the names of its data fields.
        static: the names of its static fields.
        flatten: an object → the values of its data fields, and its metadata.
        flatten_with_keys: the same, each value with its key.
        unflatten: metadata and values of any kind → an object, without running code of the class.
        seal: verifies the static fields of an object whose fields are set, and keeps the metadata in it.
    """

    data: tuple[str, ...]
    static: tuple[str, ...]
    flatten: Callable[[Any], tuple[tuple[Any, ...], Metadata]]
    flatten_with_keys: Callable[[Any], tuple[tuple[tuple[Any, Any], ...], Metadata]]
    unflatten: Callable[[Metadata, Iterable[Any]], Any]
    seal: Callable[[Any], None]


def make_tree(cls: type, data: tuple[str, ...], side: StaticSide) -> Tree:
    """Writes the functions for a class with these fields."""
    constant = None if side.names else side.metadata(())
    names = {
        "cls": cls,
        "new": object.__new__,
        "set_attribute": object.__setattr__,
        "metadata_of": side.metadata,
        "constant": constant,
        "constants": {METADATA: constant},
        **{f"key_{name}": GetAttrKey(name) for name in data},
    }
    # A `__getattr__` may answer for an object inside.
    metadata = f"instance.__dict__[{METADATA!r}]" if hasattr(cls, "__getattr__") else f"instance.{METADATA}"
    exec(compile(_source(data, side.names, metadata), f"<pytree {cls.__qualname__}>", "exec"), names)
    functions: list[Any] = [names[name] for name in ("flatten", "flatten_with_keys", "unflatten", "seal")]
    return Tree(data, side.names, *functions)


def _source(data: Sequence[str], static: Sequence[str], kept: str) -> str:
    values = "".join(f"instance.{name}, " for name in data)
    keyed = "".join(f"(key_{name}, instance.{name}), " for name in data)
    current = "".join(f"instance.{name}, " for name in static)
    known = "".join(f"known_{name}, " for name in static)
    changed = " or ".join(f"instance.{name} is not known_{name}" for name in static)
    settle = "; ".join(f"set_attribute(instance, {name!r}, known_{name})" for name in static)
    parts = {"kept": kept, "current": current, "known": known, "changed": changed, "settle": settle}
    return _FUNCTIONS.format(
        find=_FIND.format(**parts) if static else "    metadata = constant",
        values=values,
        keyed=keyed,
        fill=_FILL if static else "    attributes.update(constants)",
        targets="".join(f"attributes[{name!r}], " for name in data),
        keep=_KEEP.format(**parts) if static else "    pass",
    )


_FUNCTIONS: Final = """
def flatten(instance):
{find}
    return ({values}), metadata

def flatten_with_keys(instance):
{find}
    return ({keyed}), metadata

def unflatten(metadata, children):
    instance = new(cls)
    attributes = instance.__dict__
{fill}
    ({targets}) = children
    return instance

def seal(instance):
{keep}
"""
# An object that is still being made has no metadata yet, nor has a copy, in which a method may set a field.
_FIND: Final = """\
    try:
        metadata = {kept}
    except (AttributeError, KeyError):
        metadata = metadata_of(({current}))"""
# What is copied at once comes first: in a table that began as a copy, Python 3.11 and 3.12 find the fields faster.
_FILL: Final = f"""\
    attributes.update(metadata.attributes)
    attributes[{METADATA!r}] = metadata"""
# Of values that are equal and not the same, an object has those that JAX will give to what it makes of its parts.
_KEEP: Final = f"""\
    metadata = metadata_of(({{current}}))
    {{known}} = metadata.values
    if {{changed}}:
        {{settle}}
    set_attribute(instance, {METADATA!r}, metadata)"""
