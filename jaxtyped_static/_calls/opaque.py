"""Identifies objects apart from their parts, and shows them in messages."""

from __future__ import annotations

import array
import datetime
import decimal
import enum
import fractions
import hashlib
import pathlib
import re
from collections.abc import Callable, Hashable
from types import FunctionType, ModuleType
from typing import Any, Final

import jax
import numpy as np

from jaxtyped_static._class_contract.hashing import is_hashed_by_identity
from jaxtyped_static._keys.known_values import BY_CLASS
from jaxtyped_static._keys.value_keys import key_of
from jaxtyped_static._refusals.refused import class_name
from jaxtyped_static._singletons.lasting import LOCAL

ATOMS: Final = frozenset({int, bool, float, complex, str, bytes, type(None), type(...)})
# The bytes of larger arrays are not examined on each call.
MAX_BYTES: Final = 1 << 24
_MAX_BYTES_ON_DEVICE: Final = 1 << 14
# Library classes that are not looked into; their hashes are as coarse as their `==`.
IMMUTABLE: Final = (
    *(datetime.date, datetime.time, datetime.timezone, decimal.Decimal, fractions.Fraction),
    *(re.Pattern, range, np.dtype),
)

# Stands for an array that was donated or deleted, which JAX has copied into its programs.
GONE: Final = "gone"


def exact_of(value: Any, *, is_looked_into: bool) -> Hashable:
    """Returns what identifies an object besides its class and, if it is looked into, its parts."""
    try:
        for cls, exact in _BY_CLASS:
            if isinstance(value, cls):
                return exact(value)
        if is_looked_into:
            return None
        return id(value) if is_hashed_by_identity(type(value)) else hash(value)
    except Exception:  # No hash, or a deleted array.
        return id(value)


def bytes_of(value: np.ndarray[Any, Any]) -> Hashable:
    """Identifies an array by its elements, if they are no objects, and not too many."""
    kind = value.dtype.str, value.shape
    if value.dtype.hasobject:  # Its elements are its parts.
        return kind
    if value.nbytes > MAX_BYTES:
        return *kind, id(value)
    return *kind, hashlib.blake2b(value.tobytes(), digest_size=16).digest()


def _of_jax(value: jax.Array) -> Hashable:
    if value.is_deleted():
        return GONE
    if value.nbytes > _MAX_BYTES_ON_DEVICE or not value.is_fully_addressable:
        return id(value)
    return bytes_of(np.asarray(value))


def _of_known(value: Any) -> Hashable:
    """Identifies a value by what its known base holds: what a subclass adds are its parts."""
    base = next((cls for cls in type(value).__mro__ if cls in BY_CLASS), None)
    if base is None or base is type(value):
        return key_of(value)
    handling = BY_CLASS[base]
    held = handling.key(value) if handling.key is not None else None
    parts = handling.parts(value) if handling.parts is not None else ()
    return held, *((step, key_of(part)) for step, part in parts)


def _of_set(value: set[Any] | frozenset[Any]) -> Hashable:
    """Identifies the elements of a set by hash: sets are equal if their elements are, in any order."""
    return frozenset((_classes_in(element), hash(element)) for element in value)


def _classes_in(element: Any) -> Any:
    cls: Any = type(element)
    return tuple(map(_classes_in, element)) if cls is tuple else cls


_BY_CLASS: Final[tuple[tuple[Any, Callable[[Any], Hashable]], ...]] = (
    ((type, ModuleType, enum.Enum, jax.core.Tracer), id),
    (FunctionType, lambda value: id(value.__code__)),
    (np.ndarray, bytes_of),
    (np.generic, lambda value: (value.dtype.str, value.tobytes())),
    (jax.Array, _of_jax),
    ((set, frozenset), _of_set),
    ((bytearray, memoryview), bytes),
    (array.array, lambda value: (value.typecode, value.tobytes())),
    (jax.tree_util.PyTreeDef, hash),
    ((int, float, complex, str, bytes), _of_known),
    (pathlib.PurePath, str),
    ((*IMMUTABLE, slice), _of_known),
)


_SHOWN: Final = (
    *(set, frozenset, bytearray, np.generic, datetime.tzinfo, pathlib.PurePath, jax.tree_util.PyTreeDef),
    *IMMUTABLE,
)


def shown(value: Any) -> str:
    """Returns an object's text in a message, without running code of its class."""
    if isinstance(value, np.ndarray | jax.Array):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, enum.Enum):
        return f"{class_name(type(value))}.{value.name}"
    name = getattr(value, "__qualname__", None) if isinstance(value, FunctionType | type) else None
    if name is not None:
        return str(name).rpartition(f"{LOCAL}.")[2]
    if isinstance(value, _SHOWN):
        return repr(value)
    return class_name(type(value))
