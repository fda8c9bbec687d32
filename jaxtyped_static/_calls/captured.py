"""Finds the constants that a compiled function holds: in its closure, bound by `functools.partial`, or as `self`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import FunctionType, MethodType
from typing import Any

import jax

from jaxtyped_static._parts.contents import captured_by, is_constant


def captured_constants(fun: Callable[..., Any]) -> dict[str, Any]:
    """Returns, by name, the values that JAX compiles into the programs of a function without asking for them again."""
    return {name: value for name, value in _held_by(fun) if is_constant(value) and not isinstance(value, jax.Array)}


def may_capture(fun: Callable[..., Any]) -> bool:
    """Returns whether a function could hold constants."""
    return not isinstance(fun, FunctionType) or bool(fun.__closure__)


def _held_by(fun: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(fun, functools.partial):
        yield from ((f"args[{index}]", value) for index, value in enumerate(fun.args))
        yield from fun.keywords.items()
        yield from _held_by(fun.func)
    elif isinstance(fun, MethodType):
        yield "self", fun.__self__
        yield from _held_by(fun.__func__)
    elif isinstance(fun, FunctionType):
        yield from captured_by(fun)
    else:
        yield "self", fun
