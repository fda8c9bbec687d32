"""Private names of JAX, all optional: what its key has besides the arguments, and the keys in its cache."""

from __future__ import annotations

import importlib
from typing import Any


def keys_of(fun: object, info: object) -> list[tuple[Any, Any, object]] | None:
    """Returns JAX's keys of traced programs: call signatures, array types, and contexts.

    None if JAX cannot be asked, as in 0.9.
    """
    cache: Any = getattr(importlib.import_module("jax._src.pjit"), "_infer_params_cached", None)
    if not hasattr(cache, "cache_keys"):
        return None
    keys = [(arguments, context) for reference, context, arguments, _ in cache.cache_keys() if reference() is fun]
    return [
        (arguments[1], arguments[2], context)
        for arguments, context in keys
        if _lists(arguments[0]) == _lists(info) and not _was_given_up(cache, fun, arguments, context)
    ]


def _lists(info: Any) -> object:
    """Returns the options by which JAX tells traces of one function apart: `jit` may have been applied to it twice."""
    return info.static_argnums, info.static_argnames


def _was_given_up(cache: Any, fun: object, arguments: Any, context: object) -> bool:
    """Returns whether the trace raised. Only the context of the trace can tell; in another one this adds an entry."""
    return context == trace_context() and getattr(cache(fun, *arguments), "pjit_params", fun) is None


def trace_context() -> object:
    """Returns what JAX's key has besides arguments: settings, mesh, axes of enclosing maps; None if unknown."""
    context: Any = getattr(importlib.import_module("jax._src.config"), "trace_context", None)
    return context() if callable(context) else None
