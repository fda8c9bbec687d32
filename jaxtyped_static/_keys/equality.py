"""Checks that equality distinguishes what behaves differently; static classes are exact, other classes may not be."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from types import FunctionType
from typing import Any, Final

from jaxtyped_static._attributes.added_attributes import added_attributes, not_a_field
from jaxtyped_static._attributes.constructor_flow import varying_attributes
from jaxtyped_static._attributes.fields import field_names
from jaxtyped_static._keys.value_keys import parts_in
from jaxtyped_static._kinds import is_static
from jaxtyped_static._parts.walking import places
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._refusals.words import Reason

# The names of the files of generated methods.
_GENERATED: Final = ("<string>", "<attrs generated")


def check_equality(value: Any) -> None:
    """Refuses a value with a field or attribute, at any depth outside of static classes, that `==` ignores.

    Raises:
        Refused: for the outermost such one.
    """
    for place in places(value, parts_in):
        for refused in (*_coarse_fields(type(place.value)), *_coarse_attributes(place.value)):
            raise place.refuses(refused)


def owner_of_eq(cls: type) -> type:
    """Returns the class whose `__eq__` compares the values of this one."""
    return next(base for base in cls.__mro__ if "__eq__" in base.__dict__)


def _coarse_fields(cls: Any) -> Iterator[Refused]:
    if is_static(cls):
        return
    if hasattr(cls, "__attrs_attrs__"):
        for attribute in cls.__attrs_attrs__:
            if not attribute.eq and (attribute.init or attribute.name in _varying(cls)):
                yield Refused(Reason.FIELD_NOT_COMPARED, attribute.name).under(f".{attribute.name}")
    owner: Any = owner_of_eq(cls)
    if not hasattr(owner, "__dataclass_fields__") or not _is_generated(owner.__dict__["__eq__"]):
        return
    compared = {field.name: field.compare for field in dataclasses.fields(owner)}
    for field in dataclasses.fields(cls):
        if field.name not in compared:
            yield Refused(Reason.FIELD_AFTER_EQ, field.name, class_name(owner)).under(f".{field.name}")
        elif not compared[field.name] and (field.init or field.name in _varying(cls)):
            yield Refused(Reason.FIELD_NOT_COMPARED, field.name).under(f".{field.name}")


def _varying(cls: Any) -> frozenset[str]:
    """Returns what the constructor computes from more than the fields that are compared."""
    if hasattr(cls, "__attrs_attrs__"):
        return varying_attributes(cls, [attribute.name for attribute in cls.__attrs_attrs__ if attribute.eq])
    return varying_attributes(cls, [field.name for field in dataclasses.fields(cls) if field.compare])


def _coarse_attributes(value: Any) -> Iterator[Refused]:
    """Yields a refusal for an attribute beside the fields that may differ in values with equal fields."""
    added = attributes_not_compared(value)
    varying = varying_attributes(type(value), field_names(type(value)) or ()) if added else ()
    for name in added:
        if name in varying:
            yield not_a_field(type(value), name)


def attributes_not_compared(value: Any) -> list[str]:
    """Returns the attributes beside the fields, if a generated `__eq__` compares only these."""
    cls = type(value)
    names, owner = field_names(cls), owner_of_eq(cls)
    if names is None or is_static(cls) or field_names(owner) is None or not _is_generated(owner.__dict__["__eq__"]):
        return []
    return added_attributes(value, names)


def _is_generated(method: object) -> bool:
    """Returns whether `dataclasses` or attrs generated it; what a hand-written one compares is not checked."""
    return isinstance(method, FunctionType) and method.__code__.co_filename.startswith(_GENERATED)
