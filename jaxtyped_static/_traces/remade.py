"""Tells whether two function objects come from the same code and do the same: then jit was applied again."""

from __future__ import annotations

from functools import partial
from types import FunctionType, MethodType
from typing import Any, Final

from jaxtyped_static._annotations.surroundings import closure_of

_MAX_DEPTH: Final = 4


def is_remade(one: Any, other: Any, depth: int = 0) -> bool:
    """Returns whether the same `def`, `lambda`, `partial(...)` or bound method, run again, made both."""
    if one is other:
        return True
    if type(one) is not type(other) or depth > _MAX_DEPTH:
        return False
    if isinstance(one, FunctionType):
        return one.__code__ is other.__code__ and _captures_the_same(one, other, depth)
    if isinstance(one, MethodType):
        return is_remade(one.__func__, other.__func__, depth + 1) and _alike(one.__self__, other.__self__, depth)
    if isinstance(one, partial):
        parts = zip((one.args, one.keywords), (other.args, other.keywords), strict=True)
        return is_remade(one.func, other.func, depth + 1) and all(_alike(held, its, depth) for held, its in parts)
    return False


def _captures_the_same(one: FunctionType, other: FunctionType, depth: int) -> bool:
    held, its = (
        {**closure_of(fun), "defaults": fun.__defaults__, "keyword defaults": fun.__kwdefaults__}
        for fun in (one, other)
    )
    return held.keys() == its.keys() and all(_alike(held[name], its[name], depth) for name in held)


def _alike(held: Any, its: Any, depth: int) -> bool:
    """Returns whether two functions capture equivalent values."""
    try:
        return held is its or is_remade(held, its, depth + 1) or bool(held == its)
    except Exception:
        return False
