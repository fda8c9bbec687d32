"""What happens while a function is traced: constants, callbacks, loops."""

from __future__ import annotations

from typing import Final

from tests.runtime.kinds_of_compilations.kind import Kind

KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "scan in jit, with a jitted body",
        """
@jax.jit
def body(carry, x):
    return carry + x, x
@jax.jit
def run(xs):
    return lax.scan(body, 0.0, xs)
xs = jnp.ones(3)
# recorded:
run(xs)  #: first run
""",
    ),
    Kind(
        "a constant that is computed while a function is traced",
        """
@jax.jit
def f(x):
    with jax.ensure_compile_time_eval():
        table = jnp.cumsum(np.ones(3, np.float32))  #: operation cumsum
    return x * table
x = jnp.ones(3)
# recorded:
f(x)  #: first f
f(x)
""",
    ),
    Kind(
        "a jitted function that is called while another one is traced, for a constant",
        """
@jax.jit
def table(n):
    return jnp.sin(n)
@jax.jit
def f(x):
    with jax.ensure_compile_time_eval():
        t = table(np.ones(3, np.float32))  #: first table
    return x * t
x = jnp.ones(3)
# recorded:
f(x)  #: first f
""",
    ),
    Kind(
        "callbacks and prints",
        """
def host(x):
    return np.sin(x)
@jax.jit
def f(x):
    jax.debug.print("{}", x.sum())
    jax.debug.callback(lambda x: seen.append(float(x)), x[0])
    return jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
seen, x, y = [], jnp.ones(3), jnp.ones(4)
# recorded:
f(x)  #: first f
f(y)  #: again f <- x: float32[3] → float32[4]
jax.effects_barrier()
assert seen == [1.0, 1.0]
""",
    ),
)
