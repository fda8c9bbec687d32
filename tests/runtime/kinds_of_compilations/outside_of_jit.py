"""Operations outside of jit: each is compiled by itself."""

from __future__ import annotations

from typing import Final

from tests.runtime.kinds_of_compilations.kind import Kind

_X: Final = "x, y = jnp.ones(3), jnp.ones((2, 2))\n"

KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "arithmetic",
        _X
        + """
# recorded:
z = x + x  #: operation add
z = x + x
z = y + y  #: operation add
z = x * x  #: operation multiply|mul
z = x - x  #: operation subtract|sub
assert z.tolist() == [0, 0, 0]
""",
    ),
    Kind(
        "functions of jnp",
        _X
        + """
# recorded:
jnp.where(x > 0, x, 0.0)  #: operation greater|gt #: operation _where
jnp.sum(x)  #: operation _?reduce_sum|sum|_sum
jnp.sin(x)  #: operation sin
jnp.linalg.norm(x)  #: operations
jnp.concatenate([x, x])  #: operation concatenate
jax.nn.relu(x)  #: operation relu
jax.nn.softmax(x)  #: operations
""",
    ),
    Kind(
        "making arrays",
        """
# recorded:
jnp.zeros(5)  #: operation broadcast_in_dim #: maybe operations
jnp.arange(5)  #: operation iota
jnp.eye(3)  #: operations
jnp.asarray(np.ones(3))  #: maybe operations
jnp.array([1.0, 2.0])  #: maybe operations
""",
    ),
    Kind(
        "indexing and updates",
        _X
        + """
# recorded:
x[0]  #: operations
x[1:]  #: operations
x[jnp.asarray(np.array([0, 1]))]  #: operations
x.at[0].set(1.0)  #: operations
""",
    ),
    Kind(
        "random numbers",
        """
key = jax.random.key(0)
# recorded:
jax.random.normal(key, (3,))  #: operations _normal.*|.*
jax.random.split(key)  #: operations
""",
    ),
    Kind(
        "an operation in a function that is called in a loop",
        _X
        + """
def train(x):
    for n in range(1, 4):
        x = jnp.tile(x, n)  #: operations
    return x
# recorded:
train(x)
""",
    ),
    Kind(
        "vmap of operations",
        _X
        + """
# recorded:
jax.vmap(lambda x: x.sum() * 2)(y)  #: operations
""",
    ),
    Kind(
        "the gradient of operations",
        _X
        + """
def loss(x):
    return jnp.sum(jnp.tanh(x))  #: operations
# recorded:
jax.grad(loss)(x)  #: operations
""",
    ),
    Kind(
        "jnp.vectorize of operations",
        _X
        + """
@jnp.vectorize
def f(x):
    return x * 2 + 1  #: operations
# recorded:
f(y)  #: maybe operations
""",
    ),
    Kind(
        "a checkpoint outside of jit",
        _X
        + """
@jax.checkpoint
def block(x):
    return jnp.sin(x) * 2
# recorded:
block(x)  #: operations
""",
    ),
    Kind(
        "a callback outside of jit",
        _X
        + """
shape = jax.ShapeDtypeStruct((3,), "float32")
def host(x):
    return np.sin(x)
@jax.jit
def after(x):
    return x + 1
# recorded:
z = jax.pure_callback(host, shape, x)  #: operations
after(z)  #: first after
""",
    ),
    Kind(
        "a solver of jax.scipy with a new lambda each time",
        _X
        + """
# recorded:
for _ in range(2):
    jax.scipy.sparse.linalg.cg(lambda v: v * 2, x)  #: operations
""",
    ),
    Kind(
        "a print outside of jit",
        _X
        + """
# recorded:
jax.debug.print("{}", x)  #: maybe operations
x + x  #: operation add
""",
    ),
    Kind(
        "a comprehension, and a lambda that runs an operation",
        _X
        + """
double = lambda x: x * 2  #: operation multiply|mul
# recorded:
halves = [
    x / n  #: operations
    for n in (2, 4)
]
double(x)
""",
    ),
    Kind(
        "an operation and a jitted function on one line",
        _X
        + """
@jax.jit
def f(x):
    return x + 1
# recorded:
f(jnp.cumsum(x))  #: operation cumsum #: first f
f(jnp.cumsum(x))
""",
    ),
)
