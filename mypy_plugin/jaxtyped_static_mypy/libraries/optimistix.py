"""Optimistix: a solver is compiled with its function, outside of jit again for each new one (Optimistix 0.1.0).

Functions are static below `eqx.filter_jit`, which finds a method of the same object again.
"""

from ..knowledge.function_rows import EagerFunction, KnownFunction
from ._library import Library

_SOLVERS = ("fixed_point", "least_squares", "minimise", "root_find")

LIBRARY = Library(
    functions=dict.fromkeys(
        (f"optimistix.{module}{name}" for name in _SOLVERS for module in ("", f"_{name}.")),
        KnownFunction(eager=EagerFunction(((0, "fn"),), is_compared=True)),
    ),
)
