"""A quick check that a value has not changed: its attributes are the very same objects.

A check is made once for a value that was examined, and called on each later call. It compares immutable parts by
identity, and takes a fingerprint only of the rest: an array, a table, what a function captures. If it fails, the value
may still be unchanged, and is examined again.

A check keeps numbers, strings and the like alive, but nothing that could refer back to the value.
"""

from __future__ import annotations

import enum
import pathlib
import weakref
from collections.abc import Callable, Hashable, Iterable
from itertools import repeat
from operator import is_
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple, TypeAlias

import jax
import numpy as np

from jaxtyped_static._attributes.attributes import attributes_of
from jaxtyped_static._attributes.own_state import declared_by, is_cache
from jaxtyped_static._calls.changes import first_change
from jaxtyped_static._calls.compiled_in import code_of
from jaxtyped_static._calls.fingerprints import ATOMS, fingerprint_of
from jaxtyped_static._calls.held_checks import check_of_holding
from jaxtyped_static._calls.opaque import IMMUTABLE, exact_of
from jaxtyped_static._parts.contents import captured_by, is_constant, parts_of
from jaxtyped_static._parts.held import Holding
from jaxtyped_static._singletons.lasting import LOCAL

Check: TypeAlias = Callable[[Any], bool]
Nested: TypeAlias = tuple[tuple[Any, Check], ...]

# A check of more objects (counted once per occurrence) takes longer than a fingerprint.
_MAX_OBJECTS: Final = 1000
_SIZE_OF_FINGERPRINT: Final = 10
_SEQUENCES: Final = frozenset({tuple, list})
_CONSTANT: Final = (*IMMUTABLE, pathlib.PurePath, np.generic, np.ufunc, ModuleType)
# Stands for what is not compared by identity: nothing is this object.
_ELSEWHERE: Final = object()


class _Part(NamedTuple):
    """How one object in a value is compared.

    Attributes:
        held: the object, if it must be the very same one.
        check: a further check, or the only one.
        size: how many objects that check looks at.
    """

    held: Any = _ELSEWHERE
    check: Check | None = None
    size: int = 1


# Parts found so far, by id; None while a part is being examined.
_Known: TypeAlias = dict[int, _Part | None]


def check_of(value: Any) -> Check:
    """Returns a function that tells whether this value, at a later time, surely has not changed."""
    check = _part(value, {}).check or (lambda _: True)

    def is_unchanged(value: Any) -> bool:
        try:
            return check(value)
        except Exception:  # For example, an attribute is gone.
            return False

    return is_unchanged


def _part(value: Any, known: _Known) -> _Part:
    if type(value) in ATOMS:
        return _Part(value)
    number = id(value)
    if number not in known:
        known[number] = None
        part = _part_of_object(value, known)
        known[number] = part if part.size <= _MAX_OBJECTS else _fingerprinted(value)
    return known[number] or _fingerprinted(value)  # It contains itself.


def _part_of_object(value: Any, known: _Known) -> _Part:
    cls = type(value)
    if cls is Holding:
        return _Part(check=check_of_holding(value, _check_of_part_read))
    if is_permanent(value):
        return _Part(value)
    if cls in _SEQUENCES or (isinstance(value, tuple) and not hasattr(value, "__dict__")):
        return _of_sequence(value, known)
    if isinstance(value, FunctionType):
        return _of_function(value, known)
    if isinstance(value, enum.Enum) and LOCAL not in cls.__qualname__:
        return _of_attributes(value, known)._replace(held=value)
    if _consists_of_attributes(value):
        return _of_attributes(value, known)
    return _fingerprinted(value)


def is_permanent(value: Any) -> bool:
    """Returns whether it cannot change, and holds no reference that could lead back here."""
    if isinstance(value, _CONSTANT):
        return parts_of(value) is None and not isinstance(value, np.void)
    if isinstance(value, BuiltinFunctionType):
        return isinstance(value.__self__, ModuleType | None)
    function = value if isinstance(value, type) else getattr(value, "__wrapped__", None)
    if not isinstance(function, type | FunctionType) or LOCAL in function.__qualname__:
        return False
    return isinstance(value, type) or (parts_of(value) is None and callable(value))


def _fingerprinted(value: Any) -> _Part:
    was = fingerprint_of(value)
    return _Part(check=lambda value: first_change(was, fingerprint_of(value)) is None, size=_SIZE_OF_FINGERPRINT)


def _of_sequence(value: Any, known: _Known) -> _Part:
    parts = [_part(item, known) for item in value]
    held, count, nested, size = _summary(enumerate(parts))
    if not nested and not isinstance(value, list):
        return _Part(value)
    cls, length = type(value), len(value)

    def is_unchanged(value: Any) -> bool:
        if type(value) is not cls or len(value) != length or sum(map(is_, value, held)) != count:
            return False
        return all(check(value[index]) for index, check in nested)

    return _Part(check=is_unchanged, size=size)


def _of_function(value: FunctionType, known: _Known) -> _Part:
    code, defaults = value.__code__, value.__defaults__
    if value.__kwdefaults__ or _part(defaults, known).check is not None:
        return _fingerprinted(value)
    captured = dict(captured_by(value))
    names = tuple(captured)
    parts = [_part(item, known) if is_constant(item) else _same(item) for item in captured.values()]
    held, count, nested, size = _summary(enumerate(parts))

    def is_unchanged(value: Any) -> bool:
        if value.__code__ is not code or value.__defaults__ is not defaults:
            return False
        now = dict(captured_by(value)) if names else {}
        values = tuple(now.values())
        if tuple(now) != names or sum(map(is_, values, held)) != count:
            return False
        return all(check(values[index]) for index, check in nested)

    return _Part(check=is_unchanged, size=size)


def _check_of_part_read(value: Any) -> Check:
    if type(value) in ATOMS:
        return lambda now: now is value
    if isinstance(value, jax.Array):  # It cannot change, but may be large.
        reference = weakref.ref(value)
        return lambda now: now is reference()
    if (code := code_of(value)) is not None:
        return lambda now: code_of(now) is code
    part = _part(value, {})
    return part.check or (lambda now: now is part.held)


def _same(value: Any) -> _Part:
    """Compares by identity, without keeping the object alive."""
    number = id(value)
    return _Part(check=lambda value: id(value) == number)


def _consists_of_attributes(value: Any) -> bool:
    """Returns whether an object's `__dict__` has all that is examined of it."""
    attributes = getattr(value, "__dict__", None)
    parts = parts_of(value)
    if type(attributes) is not dict or parts is None or exact_of(value, is_looked_into=True) is not None:
        return False
    return {step for step, _ in parts} <= {f".{name}" for name in attributes}


def _of_attributes(value: Any, known: _Known) -> _Part:
    cls: Any = type(value)
    declared = declared_by(cls)
    counted = {name for name, _ in attributes_of(value) if not is_cache(f".{name}", declared)}
    parts = [(name, _part(item, known) if name in counted else _Part()) for name, item in vars(value).items()]
    held, count, nested, size = _summary(parts)

    def is_unchanged(value: Any) -> bool:
        attributes = value.__dict__
        if type(value) is not cls or sum(map(is_, attributes.values(), held)) != count:
            return False
        return not nested or all(check(attributes[name]) for name, check in nested)

    return _Part(check=is_unchanged, size=size)


def _summary(parts: Iterable[tuple[Hashable, _Part]]) -> tuple[tuple[Any, ...], int, Nested, int]:
    """Returns the objects that must be identical, in order; their size; further checks; and the total size."""
    listed = list(parts)
    held = tuple(part.held for _, part in listed)
    nested = tuple((step, part.check) for step, part in listed if part.check is not None)
    count = len(held) - sum(map(is_, held, repeat(_ELSEWHERE)))
    return held, count, nested, 1 + sum(part.size for _, part in listed if part.check is not None)
