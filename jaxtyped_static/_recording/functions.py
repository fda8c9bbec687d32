"""What a function is called, and where it is defined."""

from __future__ import annotations

import contextlib
import functools
from types import CodeType, FunctionType, MethodType
from typing import Any, Final

from jaxtyped_static._recording.jax_names import body_of, is_of_jax, operation_of
from jaxtyped_static._recording.stacks import Places
from jaxtyped_static_runs.model import Function

_MAX_DEPTH: Final = 16


def described(fun: Any, made_by: str, places: Places) -> Function:
    """Returns a function as the program knows it: the same for all that one `def` made."""
    operation = operation_of(fun)
    if operation:
        return _operation(operation, fun, places)
    function = function_of(fun)
    if function is None:
        return Function(type(fun).__qualname__, made_by=made_by)
    code = function.__code__
    if is_of_jax(code.co_filename):
        return Function(_name(code))
    shown = places.file(code.co_filename)
    file, is_library = shown if shown is not None else (code.co_filename, True)
    return Function(_name(code), file, code.co_firstlineno, made_by, is_library)


def is_operation(function: Function) -> bool:
    """Returns whether it runs outside of jit: a primitive, or a function that JAX itself compiled."""
    return not function.made_by


def function_of(fun: Any) -> FunctionType | None:
    """Returns the function that a user wrote, below wrappers and partials; None if there is none, as in C."""
    for _ in range(_MAX_DEPTH):
        if isinstance(fun, functools.partial):
            fun = fun.func
        elif isinstance(fun, MethodType):
            fun = fun.__func__
        elif callable(inner := _attribute(fun, "__wrapped__")):
            fun = inner
        elif isinstance(fun, FunctionType):
            return fun
        else:
            fun = _attribute(type(fun), "__call__")
    return None


def _attribute(value: Any, name: str) -> Any:
    with contextlib.suppress(Exception):  # A class of the program may do anything here.
        return getattr(value, name, None)
    return None


def _operation(name: str, fun: Any, places: Places) -> Function:
    """A primitive; a `scan` and its like with the function that they repeat."""
    body, _, where = body_of(fun).rpartition(" at ")
    file, _, line = where.rpartition(":")
    if not body or not line.isdecimal():
        return Function(name)
    shown = places.file(file)
    if shown is None:
        return Function(name)
    return Function(f"{name} of {body.rpartition('.')[2]}", shown[0], int(line), is_library=shown[1])


def _name(code: CodeType) -> str:
    return code.co_qualname.rpartition("<locals>.")[2]
