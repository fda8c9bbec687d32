"""JAX's functions that compile when code outside of jit calls them, a row each, keyed by `jax_name`.

JAX looks up what it has compiled by the functions that such a call passes. Measured with JAX 0.10.2 on a CPU: 1
compilation on each call that passes a new one, 0 for the same one. `tests/plugin/test_eager_functions.py` measures all
rows with the JAX that is installed.

Without a row: `vmap`, `grad`, `jvp`, `vjp`, `jacfwd`, `checkpoint`, `associative_scan`, `vectorize`,
`apply_along_axis`, `debug.callback`, `custom_root` and `platform_dependent`, which compile nothing for the function.
What they call runs operation by operation, so that a `scan` below `vmap` or `grad` compiles as if it stood alone (below
`grad` twice on each call, even with the same function); only `checkpoint` traces what it wraps as a whole.
"""

from collections.abc import Mapping
from typing import Final

from .function_rows import EagerFunction as EagerFunction
from .jax_functions import jax_name

_F: Final = ((0, "f"),)
_CALLBACK: Final = EagerFunction(((0, "callback"),), is_compared=True)

EAGER_FUNCTIONS: Final[Mapping[str, EagerFunction]] = {
    "lax.scan": EagerFunction(_F, counts=((3, "length"),), items=((2, "xs"),)),
    "lax.while_loop": EagerFunction(((0, "cond_fun"), (1, "body_fun"))),
    "lax.fori_loop": EagerFunction(((2, "body_fun"),)),
    "lax.cond": EagerFunction(((1, "true_fun"), (2, "false_fun")), chooses=True),
    "lax.switch": EagerFunction(((1, "branches"),), chooses=True),
    "lax.map": EagerFunction(_F, is_always=True, items=((1, "xs"),)),
    "lax.reduce": EagerFunction(((2, "computation"),), is_compared=True),
    "lax.reduce_window": EagerFunction(((2, "computation"),), is_compared=True),
    "numpy.piecewise": EagerFunction(((2, "funclist"),), is_compared=True),
    "callback.pure_callback": _CALLBACK,
    "callback.io_callback": _CALLBACK,
    # solvers, which make the bodies of their loops anew
    "scipy.bicgstab": EagerFunction(((0, "A"),), is_always=True),
    "scipy.cg": EagerFunction(((0, "A"),), is_always=True),
    "scipy.gmres": EagerFunction(((0, "A"),), is_always=True),
    "scipy.minimize": EagerFunction(((0, "fun"),), is_always=True),
    "experimental.odeint": EagerFunction(((0, "func"),), is_compared=True),
}


def eager_function(fullname: str) -> EagerFunction | None:
    """The row of a function by its full name; None if it has none."""
    name = jax_name(fullname)
    return EAGER_FUNCTIONS.get(name) if name is not None else None
