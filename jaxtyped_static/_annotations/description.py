"""Describes a callable as `jit` needs to know it: read once, and passed on to all that asks."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple

from jaxtyped_static._annotations.functions import annotations_of, signature_of, stands_for, wrapped_by


class DeclaredParameter(NamedTuple):
    """A parameter as its function declares it; ten times as fast to make as an `inspect.Parameter`."""

    name: str
    kind: Any
    annotation: Any


def _parameters_of(fun: FunctionType, annotations: dict[str, Any]) -> tuple[DeclaredParameter, ...]:
    """Returns the parameters of the function itself, not of one that it wraps."""
    if hasattr(fun, "__signature__"):
        return _parameters_in(signature_of(fun, follow_wrapped=False))
    code = fun.__code__
    positional, named = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    rest = int(bool(code.co_flags & inspect.CO_VARARGS))
    names = code.co_varnames
    parts = (
        (names[: code.co_posonlyargcount], inspect.Parameter.POSITIONAL_ONLY),
        (names[code.co_posonlyargcount : positional], inspect.Parameter.POSITIONAL_OR_KEYWORD),
        (names[named : named + rest], inspect.Parameter.VAR_POSITIONAL),
        (names[positional:named], inspect.Parameter.KEYWORD_ONLY),
        (
            names[named + rest : named + rest + int(bool(code.co_flags & inspect.CO_VARKEYWORDS))],
            inspect.Parameter.VAR_KEYWORD,
        ),
    )
    return tuple(
        DeclaredParameter(name, kind, annotations.get(name, inspect.Parameter.empty))
        for part, kind in parts
        for name in part
    )


def _parameters_in(signature: inspect.Signature | None) -> tuple[DeclaredParameter, ...]:
    known = () if signature is None else signature.parameters.values()
    return tuple(DeclaredParameter(parameter.name, parameter.kind, parameter.annotation) for parameter in known)


class Description(NamedTuple):
    """A callable, with what it wraps and what it stands for.

    Attributes:
        fun: the callable.
        own: the parameters it takes itself.
        claimed: the parameters that `inspect.signature`, and with it JAX, says it takes: for a wrapper, those of the
            function it wraps; None if Python knows no signature.
        result: the annotation of what a Python function returns that wraps nothing; None if there is none.
        wraps: the function that `functools.wraps` recorded.
        stands_for: the callable whose annotations describe it: of a partial its function, of a class its `__init__`.
    """

    fun: Callable[..., Any]
    own: tuple[DeclaredParameter, ...]
    claimed: tuple[DeclaredParameter, ...] | None
    result: object = None
    wraps: Description | None = None
    stands_for: Description | None = None


def describe(fun: Callable[..., Any]) -> Description:
    """Describes a callable and, one step after the other, all that it wraps."""
    inner = wrapped_by(fun)
    if isinstance(fun, FunctionType) and inner is None:
        annotations = annotations_of(fun)
        own = _parameters_of(fun, annotations)
        return Description(fun, own, own, annotations.get("return"))
    claimed = signature_of(fun)
    if claimed is None:  # Also where wrappers wrap each other in a circle.
        return Description(fun, (), None)
    own = _parameters_in(signature_of(fun, follow_wrapped=False) or claimed)
    described = stands_for(fun)
    return Description(
        fun,
        own,
        _parameters_in(claimed),
        wraps=None if inner is None else describe(inner),
        stands_for=None if described is None else describe(described),
    )
