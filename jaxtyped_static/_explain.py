"""`explain`: why a compiled function was traced, argument by argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxtyped_static._traces.explanation import Explanation

__all__ = ["explain"]


def explain(fun: Callable[..., Any], /) -> Explanation:
    """Records why a compiled function is traced: `with explain(step) as why: ...`, then `print(why)`.

    Each trace is compared with the most similar program that was compiled before it, be it in the block or, where JAX
    can be asked, earlier. Calls are seen in all threads, and inside of other traces. A function that is made and
    compiled anew in the block counts as `fun` if it comes from the same place in the program.

    Args:
        fun: a function compiled by `jit` or `jax.jit`, or a method of that kind, bound or not.

    Raises:
        TypeError: `fun` is not a compiled function.
        RuntimeError: on entering, calls cannot be watched in this version of JAX.
    """
    # A quarter of the package, which few programs have a use for.
    from jaxtyped_static._traces.explanation import Explanation, compiled_function

    return Explanation(compiled_function(fun, "explain"))
