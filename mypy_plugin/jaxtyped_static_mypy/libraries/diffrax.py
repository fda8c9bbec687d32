"""Diffrax: a solver is compiled with the functions of its terms, outside of jit again for each new one (Diffrax 0.7.2).

Functions are static below `eqx.filter_jit`, which finds a method of the same object again.
"""

from ..knowledge.function_rows import EagerFunction, Effect, KnownFunction
from ._library import Library

_HOLDS_FUNCTION = KnownFunction(effects=Effect.PASSES_ON)

LIBRARY = Library(
    functions={
        **dict.fromkeys(
            ("diffrax.diffeqsolve", "diffrax._integrate.diffeqsolve"),
            KnownFunction(eager=EagerFunction(((0, "terms"),), is_compared=True)),
        ),
        **{
            f"diffrax.{module}{name}": _HOLDS_FUNCTION
            for module in ("", "_term.")
            for name in ("ControlTerm", "MultiTerm", "ODETerm")
        },
    },
)
