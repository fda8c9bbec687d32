"""What a function is called, and where it is defined."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Iterator
from types import CodeType, FunctionType, MethodType
from typing import Any, Final

from jaxtyped_static._calls.jax_internals import info_of
from jaxtyped_static._recording.jax_names import body_of, is_of_jax, operation_of, transformation_by
from jaxtyped_static._recording.stacks import Places
from jaxtyped_static_runs.model import Function

_MAX_DEPTH: Final = 16


def described(fun: Any, made_by: str, places: Places, mapped: Any = None) -> Function:
    """Returns a function as the program knows it: the same for all that one `def` made.

    Args:
        fun: the function, or the one by which JAX runs a primitive.
        made_by: what compiles it.
        places: tells the program's files.
        mapped: the function that `lax.map` scans.
    """
    operation = operation_of(fun)
    if operation:
        body = function_of(mapped)
        where = body_of(fun) if body is None else f"{_name(body.__code__)} at {_place(body.__code__)}"
        return _operation(operation, where, places)
    function = function_of(fun)
    if function is None:
        return Function(str(_attribute(fun, "__name__") or type(fun).__qualname__), made_by=made_by)
    code, around = function.__code__, transformations_of(fun)
    if is_of_jax(code.co_filename) and (isinstance(fun, MethodType) or info_of(fun) is not None):
        return Function(_name(code), made_by=made_by)  # JAX itself compiles neither methods nor what is compiled.
    if is_of_jax(code.co_filename):
        return Function(_name(code))
    shown = places.file(code.co_filename)
    file, is_library = shown if shown is not None else (code.co_filename, True)
    name = functools.reduce(lambda inner, outer: f"{outer}({inner})", reversed(around), _name(code))
    return Function(name, file, code.co_firstlineno, made_by, is_library, column_of(code))


def is_operation(function: Function) -> bool:
    """Returns whether it runs outside of jit: a primitive, or a function that JAX itself compiled."""
    return not function.made_by


def function_of(fun: Any) -> FunctionType | None:
    """Returns the function that a user wrote, below wrappers and partials; None if there is none, as in C."""
    *_, innermost = _layers(fun)
    return innermost if isinstance(innermost, FunctionType) else None


def transformations_of(fun: Any) -> list[str]:
    """Returns what transforms a function that the user wrote, the outermost first: `jax.grad(loss)` is another."""
    found: list[str] = []
    for layer in _layers(fun):
        if isinstance(layer, FunctionType) and hasattr(layer, "__wrapped__"):
            found += filter(None, [transformation_by(layer)])
        elif (name := _EQUINOX.get(type(layer).__name__)) and type(layer).__module__.startswith("equinox."):
            found.append(name)
    return found


# Classes of Equinox 0.11 to 0.13.
_EQUINOX: Final = {
    "_ValueAndGradWrapper": "filter_value_and_grad",
    "_GradWrapper": "filter_grad",
    "_VmapWrapper": "filter_vmap",
}


def _layers(fun: Any) -> Iterator[Any]:
    """A function, then what it wraps, down to the one that a user wrote; at the end None if there is none."""
    for _ in range(_MAX_DEPTH):
        yield fun
        if isinstance(fun, functools.partial):
            fun = fun.func
        elif isinstance(fun, MethodType):
            fun = fun.__func__
        elif callable(inner := _attribute(fun, "__wrapped__")):
            fun = inner
        elif isinstance(fun, FunctionType):
            return
        else:
            fun = _attribute(type(fun), "__call__")
    yield None


def _attribute(value: Any, name: str) -> Any:
    with contextlib.suppress(Exception):  # A class of the program may do anything here.
        return getattr(value, name, None)
    return None


def _place(code: CodeType) -> str:
    return f"{code.co_filename}:{code.co_firstlineno}"


def _operation(name: str, body_at: str, places: Places) -> Function:
    """A primitive; a `scan` and its like with the function that they repeat: `body at train.py:12`."""
    body, _, where = body_at.rpartition(" at ")
    file, _, line = where.rpartition(":")
    if not body or not line.isdecimal():
        return Function(name)
    shown = places.file(file)
    if shown is None:
        return Function(name)
    return Function(f"{name} of {body.rpartition('.')[2]}", shown[0], int(line), is_library=shown[1])


def last_name(function: Function) -> str:
    """Returns a function's name without its class: `step`, `grad(loss)`."""
    return re.sub(r"[^().]+\.", "", function.name)


def _name(code: CodeType) -> str:
    return code.co_qualname.rpartition("<locals>.")[2]


def column_of(code: CodeType) -> int:
    """Returns where the body of a lambda begins, which may share its line with others; 0 for a `def`."""
    if code.co_name != "<lambda>":
        return 0
    return next((column for line, _, column, _ in code.co_positions() if line and column), 0)
