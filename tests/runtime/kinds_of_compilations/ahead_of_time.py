"""What is traced, lowered or compiled ahead of time."""

from __future__ import annotations

from typing import Final

from tests.runtime.kinds_of_compilations.kind import Kind

_F: Final = """
@jax.jit
def f(x):
    return jnp.sin(x) + 1
x, y = jnp.ones(3), jnp.ones(4)
"""

KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "lower",
        _F
        + """
# recorded:
f.lower(x)  #: traced f
""",
    ),
    Kind(
        "lower and compile",
        _F
        + """
# recorded:
compiled = f.lower(x).compile()  #: first f #: maybe traced f
compiled(x)
compiled = f.lower(y).compile()  #: again f <- x: float32[3] → float32[4] #: maybe traced f
""",
    ),
    Kind(
        "lower, and later compile",
        _F
        + """
# recorded:
lowered = f.lower(x)
compiled = lowered.compile()  #: first f
compiled(x)
""",
    ),
    Kind(
        "lower two shapes, and later compile the first",
        _F
        + """
# recorded:
one = f.lower(x)
two = f.lower(y)
one.compile()  #: first f
two.compile()  #: again f <- x: float32[3] → float32[4]
""",
    ),
    Kind(
        "lower two functions of the same name, and later compile the first",
        """
@jax.jit
def step(x):  #: is one
    return x + 1
one = step
@jax.jit
def step(x):  #: is two
    return x + 2
two = step
x = jnp.ones(3)
# recorded:
a = one.lower(x)
b = two.lower(x)
a.compile()  #: first one
b.compile()  #: first two
""",
    ),
    Kind(
        "compile ahead of time, and then call",
        _F
        + """
# recorded:
f.lower(x).compile()  #: first f #: maybe traced f
f(x)
f(y)  #: again f <- x: float32[3] → float32[4]
""",
    ),
    Kind(
        "trace",
        _F
        + """
# recorded:
traced = f.trace(x)
lowered = traced.lower()
lowered.compile()  #: first f
""",
    ),
    Kind(
        "eval_shape",
        _F
        + """
def g(x):
    return f(x) * 2
# recorded:
jax.eval_shape(f, x)  #: traced f
jax.eval_shape(g, y)  #: maybe traced g #: maybe traced f
f(x)  #: first f
""",
    ),
    Kind(
        "the eval_shape of a jitted function",
        _F
        + """
# recorded:
f.eval_shape(x)  #: traced f
""",
    ),
    Kind(
        "make_jaxpr",
        _F
        + """
# recorded:
jax.make_jaxpr(f)(x)  #: traced f
jax.make_jaxpr(f)(y)  #: traced f
""",
    ),
    Kind(
        "compiler options",
        _F
        + """
# recorded:
lowered = f.lower(x)
lowered.compile()  #: first f
lowered.compile({"xla_embed_ir_in_executable": True})  #: again f <- option
""",
    ),
    Kind(
        "an exported function",
        _F
        + """
import jax.export
# recorded:
exported = jax.export.export(f)(x)  #: traced f
exported.call(x)  #: operations
""",
        libraries=("absl",),
    ),
    Kind(
        "an exported function with an unknown size",
        """
import jax.export
@jax.jit
def f(x):
    return x + 1
x, y = jnp.ones(3), jnp.ones(4)
shape = jax.ShapeDtypeStruct(jax.export.symbolic_shape("n"), "float32")
# recorded:
exported = jax.export.export(f)(shape)  #: traced f
jax.jit(exported.call)(x)  #: first *call
jax.jit(exported.call)(y)  #: again *call <- float32[4]
""",
        libraries=("absl",),
    ),
    Kind(
        "lower with a Python number",
        """
@functools.partial(jax.jit, static_argnums=2)
def scaled(x, rate, n):
    return x * rate ** n
x, y = jnp.ones(3), jnp.ones(4)
# recorded:
scaled.lower(x, 0.5, 2).compile()  #: first scaled
scaled.lower(y, 0.5, 2).compile()  #: again scaled <- x: float32[3] → float32[4]
scaled.lower(y, 0.5, 3).compile()  #: again scaled <- n: 2 → 3
""",
    ),
    Kind(
        "lower with static arguments and shapes only",
        """
@functools.partial(jax.jit, static_argnames="n")
def power(x, n):
    return x ** n
shape = jax.ShapeDtypeStruct((3,), "float32")
# recorded:
power.lower(shape, n=2).compile()  #: first power #: maybe traced power
power.lower(shape, n=3).compile()  #: again power <- n: 2 → 3 #: maybe traced power
""",
    ),
)
