"""What JAX's key of a call has besides the arguments, and the keys it holds. Private names of JAX, all dispensable."""

from __future__ import annotations

import importlib
from typing import Any


def keys_of(fun: object, info: object) -> list[tuple[Any, Any, object]] | None:
    """What JAX keeps traced programs for: signatures of calls, the types of the arrays in them, and contexts.

    None where JAX cannot be asked, as 0.9.
    """
    cache: Any = getattr(importlib.import_module("jax._src.pjit"), "_infer_params_cached", None)
    if not hasattr(cache, "cache_keys"):
        return None
    keys = [(arguments, context) for reference, context, arguments, _ in cache.cache_keys() if reference() is fun]
    return [
        (arguments[1], arguments[2], context)
        for arguments, context in keys
        if arguments[0] == info and not _was_given_up(cache, fun, arguments, context)
    ]


def _was_given_up(cache: Any, fun: object, arguments: Any, context: object) -> bool:
    """Whether the trace raised. That is told in the context of the trace alone: in another one, this makes an entry."""
    return context == trace_context() and getattr(cache(fun, *arguments), "pjit_params", fun) is None


def trace_context() -> object:
    """The part of JAX's key that is no argument: settings, mesh, axes of enclosing maps; None if not told."""
    context: Any = getattr(importlib.import_module("jax._src.config"), "trace_context", None)
    return context() if callable(context) else None
