"""Finds out how to treat the values of a class: known, a callable, dataclass-like, or hand-written."""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import functools
from collections.abc import Iterable, Iterator
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    WrapperDescriptorType,
)
from typing import Any, Final

import jax

from jaxtyped_static._attributes.attributes import Part, Parts, attribute_parts, attributes_of
from jaxtyped_static._attributes.constructor_flow import varying_attributes
from jaxtyped_static._attributes.fields import field_names, has_generated_eq, is_frozen_by_convention, package_of
from jaxtyped_static._attributes.own_state import computed_fields, declared_by, is_cache, suggests_cache
from jaxtyped_static._class_contract.frozen import check_frozen
from jaxtyped_static._class_contract.hashing import check_hash, is_hashed_by_identity, keeps_contract
from jaxtyped_static._class_contract.traced_data import check_no_data
from jaxtyped_static._keys.extended_classes import extended
from jaxtyped_static._keys.handling import Handling
from jaxtyped_static._keys.interning import interned
from jaxtyped_static._keys.known_values import BY_CLASS, BY_NAME, EXACTLY
from jaxtyped_static._kinds import is_static
from jaxtyped_static._parts.pickled_state import has_hidden_state, hidden_parts
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._refusals.words import Reason
from jaxtyped_static._singletons.callables import check_singleton, is_singleton

# Classes of these are immutable, and compare by value where that matters.
_TRUSTED_PACKAGES: Final = frozenset({"jax", "jaxlib", "numpy", "ml_dtypes", "typing", "types"})
# Objects of these that are hashed by identity stand for something unique: devices, meshes, axis names.
_INTERNING_PACKAGES: Final = frozenset({"jax", "jaxlib", "typing"})
_CALLABLES: Final = (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    WrapperDescriptorType,
    functools.partial,
    type(functools.cache(len)),
)
_MUTABLE_MEMBERS: Final = (list, dict, set, bytearray)


# The key of a static object is the shared object of its value.
_STATIC: Final = Handling(key=interned)


def classify(cls: type) -> Handling:
    """Returns how to verify and key the values of a class that is not known yet."""
    if is_static(cls):
        return _STATIC
    for bases, handling in _BY_BASE:
        if issubclass(cls, bases):
            return handling
    if (known := _known(cls)) is not None:
        return known
    if package_of(cls) in _TRUSTED_PACKAGES:
        return Handling(verify=_check_trusted)
    if (names := field_names(cls)) is not None:
        return _with_fields(cls, names)
    return Handling(verify=_check_written_here, parts=attribute_parts, state=_hidden_state_of(cls), own_eq=True)


def _known(cls: type) -> Handling | None:
    """Looks up the nearest base in the tables."""
    if cls in EXACTLY:
        return EXACTLY[cls]
    for base in cls.__mro__:
        handling = BY_CLASS.get(base) or BY_NAME.get(f"{base.__module__}.{base.__qualname__}")
        if handling is not None:
            return handling if handling.covers_subclasses else extended(handling, _library_class(cls, base), cls)
    return BY_CLASS[jax.Array] if issubclass(cls, jax.Array) else None  # A virtual base, in earlier versions.


def _library_class(cls: type, base: type) -> type:
    """Returns the class that a row for a base describes completely: `np.float64`, by the row of `np.generic`."""
    return next(ancestor for ancestor in cls.__mro__ if ancestor is base or package_of(ancestor) in _TRUSTED_PACKAGES)


def _with_fields(cls: Any, names: tuple[str, ...]) -> Handling:
    computed = computed_fields(cls)
    varying = varying_attributes(cls, [name for name in names if name not in computed])
    memos = {name for name in computed - varying if name.startswith("_") or suggests_cache(name)}
    read = (*(name for name in names if name not in memos), *sorted(varying.difference(names)))
    fields = Handling(verify=_check_written_here, parts=_parts_by(read), state=_beside_fields(cls, read))
    if not has_generated_eq(cls):
        return fields._replace(own_eq=True)
    if keeps_contract(cls):
        return fields._replace(verify=check_no_data, fields=read, plain_size=None if memos else _plain_size(cls))
    return fields


def _plain_size(cls: Any) -> int | None:
    """Returns the number of fields of a dataclass, if its `__init__` always sets all of them in `__dict__`."""
    fields = dataclasses.fields(cls)
    is_always_set = all(field.init or field.default_factory is not dataclasses.MISSING for field in fields)
    return len(fields) if is_always_set and not _has_slots(cls) and _hidden_state_of(cls) is None else None


def _has_slots(cls: type) -> bool:
    return any(base.__dict__.get("__slots__") for base in cls.__mro__)


def _hidden_state_of(cls: type) -> Parts | None:
    return hidden_parts if has_hidden_state(cls) and not is_hashed_by_identity(cls) else None


def _check_member(value: enum.Enum) -> None:
    """Checks that an enum is hashable. Its members are singletons, however they are compared."""
    cls = type(value)
    if cls.__hash__ is None:
        check_hash(value)
    if isinstance(value.value, _MUTABLE_MEMBERS):
        raise Refused(Reason.MUTABLE_MEMBER, class_name(cls), value.name)


# The base says more about these values than their parts do, so they come before the tables.
_BY_BASE: Final[tuple[tuple[type | tuple[type, ...], Handling], ...]] = (
    (enum.Enum, Handling(verify=_check_member)),
    (type, Handling(verify=check_singleton, key=id)),
    (_CALLABLES, Handling(verify=check_singleton)),
)


def _check_trusted(value: Any) -> None:
    cls = type(value)
    if cls.__hash__ is None:
        check_hash(value)
    if not is_hashed_by_identity(cls):
        return
    if callable(value) and not isinstance(value, contextlib.ContextDecorator):  # A mesh is one.
        check_singleton(value)
    elif package_of(cls) not in _INTERNING_PACKAGES:
        check_hash(value)


def _check_written_here(value: Any) -> None:
    check_no_data(value)
    check_frozen(value)
    if not _is_function_object(value):
        check_hash(value)


def _is_function_object(value: Any) -> bool:
    """Returns whether it is a callable that is hashed by identity, and acceptable if there is only one of it."""
    return callable(value) and is_hashed_by_identity(type(value)) and is_singleton(value)


def _parts_by(names: tuple[str, ...]) -> Parts:
    def parts(value: Any) -> Iterator[Part]:
        for name in names:
            yield f".{name}", getattr(value, name, None)
        for name, item in (getattr(value, "__pydantic_extra__", None) or {}).items():
            yield f".{name}", item

    return parts


def _beside_fields(cls: type, names: tuple[str, ...]) -> Parts:
    """Returns how to read what objects of a class have beside their fields: private attributes, computed ones."""
    hidden = _hidden_state_of(cls)
    has_slots = _has_slots(cls)
    known = frozenset(names)

    def state(value: Any) -> Iterable[Part]:
        others = getattr(value, "__dict__", {}).keys() - known
        if not others and not has_slots and hidden is None:
            return ()
        return (*_others(value, known), *(hidden(value) if hidden is not None else ()))

    return (lambda value: ()) if is_frozen_by_convention(cls) else state


def _others(value: Any, known: frozenset[str]) -> Iterator[Part]:
    cls: Any = type(value)
    declared = declared_by(cls)
    private = getattr(value, "__pydantic_private__", None) or {}
    for name, item in (*attributes_of(value), *private.items()):
        is_python_s = name.startswith("__") and name.endswith("__")
        if name not in known and not is_python_s and not is_cache(f".{name}", declared):
            yield f".{name}", item
