"""Tells which values a program has compiled in when traced code reads them, and identifies these."""

from __future__ import annotations

import enum
import weakref
from collections.abc import Hashable
from types import BuiltinFunctionType, CodeType, FunctionType
from typing import Any, Final

import jax
import numpy as np

from jaxtyped_static._calls.opaque import ATOMS, MAX_BYTES, bytes_of
from jaxtyped_static._singletons.lasting import LOCAL

_CONSTANT: Final = (enum.Enum, np.generic, np.dtype, type, BuiltinFunctionType, np.ufunc)


def is_compiled_in(value: Any) -> bool:
    """Returns whether a value that traced code reads is in the program as it was then, and can be compared."""
    if type(value) in ATOMS or isinstance(value, _CONSTANT):
        return True
    if isinstance(value, jax.core.Tracer):
        return False
    if isinstance(value, np.ndarray):
        return not value.dtype.hasobject and value.nbytes <= MAX_BYTES
    if isinstance(value, jax.Array):
        return not value.is_deleted() and value.is_fully_addressable and value.nbytes <= MAX_BYTES
    if isinstance(value, tuple):
        return all(map(is_compiled_in, value))
    return code_of(value) is not None


def code_of(value: Any) -> CodeType | None:
    """Returns the code of a function of a module, or of what JAX made of one, which exists once; else None."""
    function = getattr(value, "__wrapped__", value) if type(value).__module__.startswith("jax") else value
    is_lasting = isinstance(function, FunctionType) and LOCAL not in function.__qualname__ and not function.__closure__
    return function.__code__ if is_lasting else None


# By id: JAX's arrays cannot change, and reading one from a device takes long.
_contents: Final[dict[int, tuple[weakref.ref[Any], Hashable]]] = {}


def content_of(value: Any) -> Hashable:
    """Identifies an array by what it contains; one of JAX that is replaced with an equal one of NumPy is the same."""
    if isinstance(value, np.ndarray):
        return bytes_of(value)
    known = _contents.get(id(value))
    if known is not None and known[0]() is value:
        return known[1]
    number, content = id(value), bytes_of(np.asarray(value))
    _contents[number] = weakref.ref(value, lambda _: _contents.pop(number, None)), content
    return content
