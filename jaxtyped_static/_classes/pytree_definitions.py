"""Refuses definitions in a dynamic class that JAX would lose, or that are generated."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterable, Sequence
from typing import Any, Final

from jaxtyped_static._attributes.added_attributes import added_attributes, field_declaration, is_cached_property
from jaxtyped_static._classes.dataclass_habits import check_bases
from jaxtyped_static._classes.trees import Tree
from jaxtyped_static._fields import hashed_by_id
from jaxtyped_static._kinds import TREE, is_static
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._refusals.words import DECLARE_FIELD, WAS_SET, Reason

_GENERATED: Final = ("tree_flatten", "tree_flatten_with_keys", "tree_unflatten", "__new__")


def check_definition(cls: Any) -> None:
    """Refuses a class that defines what `dynamic_dataclass` generates, or holds more than fields.

    Raises:
        StaticContractError: it has a cached property.
        TypeError: naming the method, the base or the attribute.
    """
    if not isinstance(cls, type):
        raise TypeError(f"@dynamic_dataclass needs a class, got {cls!r}")
    name = class_name(cls)
    if TREE in cls.__dict__:
        raise TypeError(f"{name} is already a dynamic class; decorate it once")
    if "__dataclass_fields__" in cls.__dict__:
        raise TypeError(f"{name} is already a dataclass, by another decorator or a base; use @dynamic_dataclass alone")
    if is_static(cls):
        raise TypeError(f"{name} is static: it cannot be a pytree with data, too; hold the static object in a field")
    check_bases(cls, "@dynamic_dataclass")
    for method in _GENERATED:
        if method in cls.__dict__:
            raise TypeError(f"{name} defines {method}, which @dynamic_dataclass generates; drop it")
    for base in cls.__mro__[1:-1]:
        if any(method in base.__dict__ for method in _GENERATED):
            raise TypeError(
                f"{name} inherits from {class_name(base)}, which makes objects its own way; "
                f"hold a {class_name(base)} in a field instead"
            )
    for base in cls.__mro__[:-1]:
        slots = base.__dict__.get("__slots__", ())
        if set([slots] if isinstance(slots, str) else slots) - {"__dict__", "__weakref__"} or not cls.__dictoffset__:
            raise TypeError(f"{name} has __slots__, so JAX could not restore its fields; remove them")
    check_no_caches(cls)


def check_no_caches(cls: type) -> None:
    """Refuses a cached property, of `functools` or another library: JAX would lose its value."""
    for name in dir(cls):
        if is_cached_property(cls, name):
            raise Refused(Reason.CACHED_PROPERTY, f"{class_name(cls)}.{name}").as_error("")


def check_fields(cls: Any, fields: Iterable[dataclasses.Field[Any]], static: Sequence[str]) -> None:
    """Refuses a field that something else in the class hides, and `hash_by_id` for data.

    Raises:
        TypeError: naming the field.
    """
    by_id = hashed_by_id(cls)
    for field in fields:
        if hasattr(type(inspect.getattr_static(cls, field.name, None)), "__set__"):
            raise TypeError(f"{class_name(cls)}.{field.name} is a field and a property; give one of them another name")
        if field.name in by_id and field.name not in static:
            raise TypeError(
                f"{class_name(cls)}.{field.name} is declared hash_by_id, but data is never hashed; "
                f"mark the field Static[...], or drop it"
            )


def check_decorated(cls: type, decorated: type) -> None:
    """Refuses to make an object of a subclass that is not a pytree.

    Raises:
        TypeError: naming both classes.
    """
    if TREE not in cls.__dict__:
        raise TypeError(
            f"{class_name(cls)} is not registered as a pytree, though {class_name(decorated)} is; "
            f"decorate it with @dynamic_dataclass"
        )


def check_complete(instance: Any, tree: Tree) -> None:
    """Refuses an object that lacks a field, or has an attribute that is not a field.

    Raises:
        TypeError: naming the attribute.
    """
    names = {*tree.data, *tree.static}
    if instance.__dict__.keys() == names:
        return
    cls = class_name(type(instance))
    for name in (*tree.data, *tree.static):
        if not hasattr(instance, name):
            raise TypeError(f"{cls}.{name} was not set; set it with object.__setattr__(self, {name!r}, ...)")
    for name in added_attributes(instance, names):
        was_set, declare = (
            WAS_SET.format(subject=f"{cls}.{name}"),
            DECLARE_FIELD.format(detail=field_declaration(type(instance), name)),
        )
        raise TypeError(f"{was_set}the first jit, vmap or tree.map would lose it; {declare}")
