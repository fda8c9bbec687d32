"""Generates the functions with which JAX flattens and unflattens objects, for each class, as dataclasses do."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from jax.tree_util import GetAttrKey

from jaxtyped_static._classes.metadata import Metadata, StaticSide
from jaxtyped_static._classes.pickled_fields import restore_sentinels
from jaxtyped_static._classes.registration import register_pytree
from jaxtyped_static._classes.state_dicts import register_state_dict
from jaxtyped_static._fields import hashed_by_id
from jaxtyped_static._kinds import STATIC_SIDE, TREE


class Tree:
    """A pytree class, as JAX sees it.

    cloudpickle and dill send a class of `__main__` or of a function as its attributes, without what is generated again
    in the receiving process.

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

    def __init__(self, data: tuple[str, ...], static: tuple[str, ...]) -> None:
        self.data = data
        self.static = static
        self.seal = lambda instance: tree_of(type(instance)).seal(instance)

    def __reduce__(self) -> tuple[object, ...]:
        return Tree, (self.data, self.static)

    def complete(self, cls: Any) -> None:
        """Generates what is missing if the class, whose tree this is, was sent to this process."""
        if hasattr(self, "flatten"):
            return
        restore_sentinels(cls)
        make_pytree(cls, self)
        # cloudpickle 3.1 sets the attributes of a class again each time that it loads the class.
        with contextlib.suppress(TypeError):
            register(cls, self)


def tree_of(cls: Any) -> Tree:
    """Returns the tree of a class, and completes it if the class was sent to this process."""
    tree: Tree = cls.__dict__[TREE]
    tree.complete(cls)
    return tree


def make_pytree(cls: Any, tree: Tree) -> None:
    """Generates the functions for a class."""
    names = [field.name for field in dataclasses.fields(cls)]
    side = StaticSide(cls, names, tree.static, hashed_by_id(cls))
    tree.flatten, tree.flatten_with_keys, tree.unflatten, tree.seal = _functions(cls, tree.data, side)
    setattr(cls, STATIC_SIDE, side)
    setattr(cls, TREE, tree)


def register(cls: Any, tree: Tree) -> None:
    """Registers the class with JAX, and with Flax if that is imported.

    Raises:
        TypeError: it is registered already.
    """
    register_pytree(
        cls,
        "@dynamic_dataclass",
        flatten_with_keys=tree.flatten_with_keys,
        flatten=tree.flatten,
        unflatten=tree.unflatten,
    )
    register_state_dict(cls, tree)


def _functions(cls: type, data: tuple[str, ...], side: StaticSide) -> list[Any]:
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
    return [names[name] for name in ("flatten", "flatten_with_keys", "unflatten", "seal")]


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


# The copied attributes come first: in a dict that began as a copy, Python 3.11 and 3.12 find the fields faster.
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
# An object stores nothing but its fields, so that changes made by force are noticed. Usually its static values are
# those of the object before it. The ids of dead values may have been reused.
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
# If values are equal but not identical, the object takes the ones that JAX will give to the objects it unflattens.
_SETTLE: Final = """\
    {known} = metadata.values
    if {changed}:
        {settle}"""
