"""The functions with which JAX takes an object apart and makes another: written for each class, as dataclasses do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from jax.tree_util import GetAttrKey

from jaxtyped_static._classes.metadata import Metadata, StaticSide

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
        seal: verifies the static fields of an object whose fields are set.
    """

    data: tuple[str, ...]
    static: tuple[str, ...]
    flatten: Callable[[Any], tuple[tuple[Any, ...], Metadata]]
    flatten_with_keys: Callable[[Any], tuple[tuple[tuple[Any, Any], ...], Metadata]]
    unflatten: Callable[[Metadata, Iterable[Any]], Any]
    seal: Callable[[Any], None]


def make_tree(cls: type, data: tuple[str, ...], side: StaticSide) -> Tree:
    """Writes the functions for a class with these fields."""
    names = {
        "cls": cls,
        "new": object.__new__,
        "set_attribute": object.__setattr__,
        "side": side,
        "remembered": side.remembered.get,
        "nothing": lambda: None,
        "constant": None if side.names else side.metadata(()),
        **{f"key_{name}": GetAttrKey(name) for name in data},
    }
    exec(compile(_source(data, side.names), f"<pytree {cls.__qualname__}>", "exec"), names)
    functions: list[Any] = [names[name] for name in ("flatten", "flatten_with_keys", "unflatten", "seal")]
    return Tree(data, side.names, *functions)


def _source(data: Sequence[str], static: Sequence[str]) -> str:
    parts = {
        "read": "; ".join(f"now_{name} = instance.{name}" for name in static),
        "ids": "".join(f"id(now_{name}), " for name in static),
        "now": "".join(f"now_{name}, " for name in static),
        "known": "".join(f"known_{name}, " for name in static),
        "changed": " or ".join(f"now_{name} is not known_{name}" for name in static),
        "settle": "; ".join(f"set_attribute(instance, {name!r}, known_{name})" for name in static),
    }
    return _FUNCTIONS.format(
        find=_FIND.format(**parts) if static else "    metadata = constant",
        values="".join(f"instance.{name}, " for name in data),
        keyed="".join(f"(key_{name}, instance.{name}), " for name in data),
        targets="".join(f"attributes[{name!r}], " for name in data),
        settle=_SETTLE.format(**parts) if static else "",
    )


# What is copied at once comes first: in a table that began as a copy, Python 3.11 and 3.12 find the fields faster.
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
    attributes.update(metadata.attributes)
    ({targets}) = children
    return instance

def seal(instance):
{find}
{settle}
"""
# An object keeps nothing but its fields, so that what is set by force is seen. Most often it has the static values that
# the one before it had. The ids of values that are gone may be those of others now.
_FIND: Final = """\
    {read}
    metadata = side.latest
    {known} = metadata.values
    if {changed}:
        metadata = remembered(({ids}), nothing)()
        if metadata is not None:
            {known} = metadata.values
        if {changed}:
            metadata = side.metadata(({now}))
        else:
            side.latest = metadata"""
# Of values that are equal and not the same, an object has those that JAX will give to what it makes of its parts.
_SETTLE: Final = """\
    {known} = metadata.values
    if {changed}:
        {settle}"""
