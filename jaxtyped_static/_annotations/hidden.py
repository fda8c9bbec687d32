"""Finding marked functions behind wrappers that hide their signature.

A wrapper of the shape `def wrapper(*args, **kwargs)` made without `functools.wraps` has no annotations to read. The
function it calls is among the values it closes over, or in the attributes of a callable object.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType, FunctionType, MethodType
from typing import Any

from jaxtyped_static._annotations.declared import declared_markers
from jaxtyped_static._annotations.functions import place, signature_of, stands_for, wrapped_by
from jaxtyped_static._annotations.names import closure_of
from jaxtyped_static._errors import MarkerError

_PASSES_ALL_ON = frozenset({inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD})


def check_nothing_hidden(fun: Callable[..., Any], caller: FrameType | None) -> None:
    """Refuses a decorated function whose decorator hides a marked signature.

    Raises:
        MarkerError: a function that `fun` seems to pass its arguments on to has marked parameters.
    """
    for inner in _hidden_behind(fun, set()):
        try:
            hidden = declared_markers(inner, caller)
        except MarkerError:
            continue  # Not even known to be what the wrapper calls.
        if hidden:
            raise MarkerError(
                f"found a marker in {place(inner)}, whose signature this decorator hides behind `*args, **kwargs`; "
                "write `@functools.wraps(...)` on the wrapper, or put @jit below the decorator",
                code="static-marker",
                function=place(fun),
                parameter=next(iter(hidden)),
            )


def _hidden_behind(fun: Callable[..., Any], seen: set[int]) -> Iterator[Callable[..., Any]]:
    """The functions that `fun` may pass all its arguments on to, without a signature that says so."""
    if id(fun) in seen:
        return
    seen.add(id(fun))
    inner = wrapped_by(fun)
    described = inner or stands_for(fun)
    if described is not None:
        yield from _hidden_behind(described, seen)
    if inner is not None or not _passes_all_on(fun):
        return
    for captured in _captured(fun):
        yield captured
        yield from _hidden_behind(captured, seen)


def _passes_all_on(fun: Callable[..., Any]) -> bool:
    signature = signature_of(fun, follow_wrapped=False)
    kinds = set() if signature is None else {parameter.kind for parameter in signature.parameters.values()}
    return kinds >= _PASSES_ALL_ON


def _captured(fun: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    values = closure_of(fun) if isinstance(fun, FunctionType) else getattr(fun, "__dict__", {})
    return (value for value in values.values() if isinstance(value, FunctionType | MethodType | partial))
