"""haliax: functions that trace as those of JAX and Equinox do, known where mypy reads its source: it has no types."""

from ..knowledge.function_rows import (
    NEW_FUNCTION,
    SAME_FUNCTION,
    Calls,
    Effect,
    JitFunction,
    KnownFunction,
    New,
    Receives,
)
from ._library import Library

_LOOPS = ("haliax", "haliax._src.scan", "haliax.hof")
# A named array without the axis is passed on as it is.
_VMAP = KnownFunction(new=New.FUNCTION, effects=Effect.WRAPS)


def _loop(function: str) -> KnownFunction:
    """`scan(f, axis)(init, xs)` traces all of `init`, and only the arrays of the rest."""
    return KnownFunction(calls=Calls(((0, function),), Receives.FIRST), new=New.FUNCTION)


LIBRARY = Library(
    functions={
        **dict.fromkeys(
            ("haliax.named_jit", "haliax.partitioning.named_jit"), KnownFunction(compiles=JitFunction(filters=True))
        ),
        **dict.fromkeys((f"{module}.scan" for module in _LOOPS), _loop("f")),
        **dict.fromkeys((f"{module}.fold" for module in _LOOPS), _loop("fn")),
        **dict.fromkeys((f"{module}.map" for module in _LOOPS), NEW_FUNCTION),
        **dict.fromkeys(("haliax.hof.vmap", "haliax.vmap"), _VMAP),
        "haliax.jax_utils.named_call": SAME_FUNCTION,
    }
)
