"""`explain` says why a compiled function was traced, argument by argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxtyped_static._traces.explanation import Explanation

__all__ = ["explain"]


def explain(fun: Callable[..., Any], /) -> Explanation:
    """Records why a compiled function is traced: `with explain(step) as why: ...`, then `print(why)`.

    Each trace is compared with the most similar program compiled before it, in the block or, if JAX can be asked,
    earlier. Calls are seen in all threads, and inside other traces. A function that the block creates and compiles
    again counts as `fun` if it comes from the same place in the program.

    Args:
        fun: a function or method compiled by `jit` or `jax.jit`; a method may be bound or not.

    Raises:
        TypeError: `fun` is not a compiled function.
        RuntimeError: on entering, if calls cannot be watched in this version of JAX.
    """
    # Imported on use: this is a quarter of the package, and few programs need it.
    from jaxtyped_static._traces.explanation import Explanation, compiled_function

    return Explanation(compiled_function(fun, "explain"))
