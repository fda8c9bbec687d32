"""Compiled functions that are transformed outside of jit, and inside of it."""

from __future__ import annotations

from typing import Final

from tests.runtime.kinds_of_compilations.kind import Kind

_F: Final = """
@jax.jit
def f(x):
    return jnp.sum(jnp.sin(x) * x)
x, y = jnp.ones(3), jnp.ones((2, 3))
"""

KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "vmap of a jitted function, outside of jit",
        _F
        + """
# recorded:
f(x)  #: first f
jax.vmap(f)(y)  #: again f <- called inside vmap, outside of jit
jax.vmap(f)(y)
""",
    ),
    Kind(
        "vmap of a function that calls a jitted one",
        _F
        + """
def g(x):
    return f(x)  #: first f
# recorded:
jax.vmap(g)(y)
""",
    ),
    Kind(
        "grad of a jitted function, outside of jit",
        _F
        + """
grad = jax.grad(f)
# recorded:
f(x)  #: first f
grad(x)  #: several f <- outside of jit
grad(x)
""",
    ),
    Kind(
        "grad of a jitted function alone",
        _F
        + """
grad = jax.grad(f)
# recorded:
grad(x)  #: several f <- backward
grad(x)
""",
    ),
    Kind(
        "value_and_grad of a jitted function with a static argument",
        """
@functools.partial(jax.jit, static_argnums=1)
def loss(x, n):
    return jnp.sum(jnp.sin(x) * n)
x = jnp.ones(3)
# recorded:
jax.value_and_grad(loss)(x, 2)  #: several loss <- backward
jax.value_and_grad(loss)(x, 3)  #: several loss <- n: 2 → 3
""",
    ),
    Kind(
        "jvp of a jitted function, outside of jit",
        _F
        + """
# recorded:
f(x)  #: first f
jax.jvp(f, (x,), (x,))  #: again f <- outside of jit
""",
    ),
    Kind(
        "vjp of a jitted function, whose result is called later",
        _F
        + """
one = jnp.float32(1)
# recorded:
f(x)  #: first f
value, back = jax.vjp(f, x)  #: again f <- outside of jit
back(one)  #: again f <- backward
""",
    ),
    Kind(
        "jacfwd of a jitted function, outside of jit",
        _F
        + """
basis = jax.jacfwd(lambda x: x * 2)(x)
# recorded:
jax.jacfwd(f)(x)  #: several f #: maybe operations
""",
    ),
    Kind(
        "hessian of a jitted function, outside of jit",
        _F
        + """
basis = jax.hessian(lambda x: jnp.sum(x ** 2))(x)
# recorded:
jax.hessian(f)(x)  #: several f #: maybe operations
""",
    ),
    Kind(
        "linearize of a jitted function",
        _F
        + """
# recorded:
value, forward = jax.linearize(f, x)  #: several f
forward(x)  #: several f
""",
    ),
    Kind(
        "transformations inside of jit",
        _F
        + """
@jax.jit
def all_of_them(x, y):
    return jax.vmap(f)(y).sum() + jax.grad(f)(x).sum() + jax.jvp(f, (x,), (x,))[1] + jax.hessian(f)(x).sum()
# recorded:
all_of_them(x, y)  #: first all_of_them
all_of_them(x, y)
""",
    ),
    Kind(
        "a jitted gradient",
        """
def loss(w, x):
    return jnp.sum((w * x) ** 2)
grad = jax.jit(jax.grad(loss))
x, y = jnp.ones(3), jnp.ones(4)
# recorded:
grad(x, x)  #: first grad(loss)
grad(y, y)  #: again grad(loss) <- w: float32[3] → float32[4]
""",
    ),
    Kind(
        "a jitted function, its jitted gradient and its jitted vmap",
        """
def loss(w):
    return jnp.sum(jnp.tanh(w) ** 2)
value, gradient, batched = jax.jit(loss), jax.jit(jax.grad(loss)), jax.jit(jax.vmap(loss))
x, y = jnp.ones(3), jnp.ones((2, 3))
# recorded:
value(x)  #: first loss
gradient(x)  #: first grad(loss)
batched(y)  #: first vmap(loss)
gradient(x)
""",
    ),
    Kind(
        "a jitted vmap, made again each time",
        """
def one(x):
    return x.sum()
y = jnp.ones((2, 3))
# recorded:
for _ in range(2):
    jax.jit(jax.vmap(one))(y)  #: first vmap(one) #: again vmap(one) <- jit was applied again
""",
    ),
    Kind(
        "a jitted function with a custom jvp",
        """
@jax.custom_jvp
def f(x):
    return jnp.sin(x)
@f.defjvp
def f_jvp(primals, tangents):
    return f(primals[0]), jnp.cos(primals[0]) * tangents[0]
@jax.jit
def g(x):
    return f(x).sum()
@jax.jit
def dg(x):
    return jax.grad(g)(x)
x = jnp.ones(3)
# recorded:
g(x)  #: first g
dg(x)  #: first dg
""",
    ),
    Kind(
        "a jitted function with a custom vjp, and its gradient outside of jit",
        """
@jax.custom_vjp
def f(x):
    return jnp.sin(x).sum()
def forward(x):
    return f(x), x
def backward(x, g):
    return (g * jnp.cos(x),)
f.defvjp(forward, backward)
g = jax.jit(f)
x = jnp.ones(3)
# recorded:
g(x)  #: first f
jax.grad(g)(x)  #: several f
""",
    ),
    Kind(
        "a custom vjp outside of jit",
        """
@jax.custom_vjp
def f(x):
    return jnp.sin(x)  #: operation sin
def forward(x):
    return f(x), x
def backward(x, g):
    return (g * jnp.cos(x),)  #: operations
f.defvjp(forward, backward)
x = jnp.ones(3)
# recorded:
value, back = jax.vjp(f, x)
back(x)
""",
    ),
    Kind(
        "a checkpoint in jit, and outside of it",
        """
@jax.checkpoint
def block(x):
    return jnp.sin(jnp.sin(x)).sum()
@jax.jit
def grad(x):
    return jax.grad(block)(x)
x = jnp.ones(3)
# recorded:
grad(x)  #: first grad
jax.grad(block)(x)  #: operations
""",
    ),
    Kind(
        "jnp.vectorize in jit, and of a jitted function",
        """
@jax.jit
def f(x):
    return x.sum()
g = jnp.vectorize(f, signature="(n)->()")
@jax.jit
def h(y):
    return g(y)
x, y = jnp.ones(3), jnp.ones((2, 3))
# recorded:
h(y)  #: first h
g(x)  #: first f #: maybe operations
g(y)  #: again f <- called inside vmap, outside of jit #: maybe operations
""",
    ),
)
