"""Arrays, scalars, and the form of a call."""

from __future__ import annotations

from typing import Final

from tests.runtime.kinds_of_compilations.kind import Kind

_F: Final = """
@jax.jit
def f(x):
    return x + 1
"""

KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "another shape",
        _F
        + """
x, y = jnp.ones(3), jnp.ones(4)
# recorded:
f(x)  #: first f
f(y)  #: again f <- x: float32[3] → float32[4]
f(x)
f(y)
""",
    ),
    Kind(
        "another dtype",
        _F
        + """
x, y = jnp.ones(3), jnp.arange(3)
# recorded:
f(x)  #: first f
f(y)  #: again f <- x: float32[3] → int32[3]
""",
    ),
    Kind(
        "a weak type",
        _F
        + """
x, y = jnp.float32(1), jnp.asarray(1.0)
assert y.weak_type and not x.weak_type
# recorded:
f(x)  #: first f
f(y)  #: again f <- x: float32[] → weakly typed float32[]
""",
    ),
    Kind(
        "a Python scalar instead of an array",
        _F
        + """
x = jnp.float32(1)
# recorded:
f(x)  #: first f
f(1.0)  #: again f <- x: float32[] → a Python float
f(2.0)
f(2)  #: again f <- → a Python int
f(True)  #: again f <- → a Python bool
""",
    ),
    Kind(
        "a numpy array instead of JAX's is no other program",
        _F
        + """
x = jnp.ones(3)
# recorded:
f(x)  #: first f
f(np.ones(3, np.float32))
f(np.ones(3))
""",
    ),
    Kind(
        "a numpy scalar instead of an array is no other program",
        _F
        + """
x = jnp.float32(1)
# recorded:
f(x)  #: first f
f(np.float32(2))
""",
    ),
    Kind(
        "several dtypes, empty and scalar arrays",
        _F
        + """
xs = [np.ones(2, dtype) for dtype in ("bool", "complex64", "int8", jnp.bfloat16)] + [np.ones((0, 2), "float32")]
# recorded:
for x in xs:
    f(x)  #: first f #: again f <- complex64[2] #: again f <- int8[2] #: again f <- bfloat16[2] #: again f <- [0,2]
""",
    ),
    Kind(
        "a typed key instead of a raw one",
        """
@jax.jit
def draw(key):
    return jax.random.split(key)
raw, typed = jax.random.PRNGKey(0), jax.random.key(0)
# recorded:
draw(raw)  #: first draw
draw(typed)  #: again draw <- key: uint32[2] → key<fry>[]
""",
    ),
    Kind(
        "only one of several arguments",
        """
@jax.jit
def g(a, b, c):
    return a.sum() + b.sum() + c.sum()
x, y = jnp.ones(3), jnp.ones(4)
# recorded:
g(x, x, x)  #: first g
g(x, y, x)  #: again g <- b: float32[3] → float32[4]
g(y, y, y)  #: again g <- a: float32[3] → float32[4]
""",
    ),
    Kind(
        "the most similar of three earlier calls",
        """
@jax.jit
def g(a, b):
    return a.sum() + b.sum()
ones = {n: jnp.ones(n) for n in range(1, 8)}
# recorded:
g(ones[1], ones[2])  #: first g
g(ones[3], ones[4])  #: again g
g(ones[5], ones[6])  #: again g
g(ones[3], ones[7])  #: again g <- b: float32[4] → float32[7]
""",
    ),
    Kind(
        "a batch whose last part is smaller",
        """
@jax.jit
def step(batch):
    return batch.sum()
data = np.ones((10, 2), np.float32)
def batches(data, size):
    for start in range(0, len(data), size):
        yield data[start:start + size]
# recorded:
for epoch in range(2):
    for batch in batches(data, 4):
        step(batch)  #: first step #: again step <- batch: float32[4,2] → float32[2,2]
""",
    ),
    Kind(
        "by position, and by name",
        _F
        + """
x = jnp.ones(3)
# recorded:
f(x)  #: first f
f(x=x)  #: again f <- "x" by position before, by name now
""",
    ),
    Kind(
        "a default that is left out, and passed",
        """
@jax.jit
def scaled(x, by=2.0):
    return x * by
x = jnp.ones(3)
# recorded:
scaled(x)  #: first scaled
scaled(x, 2.0)  #: again scaled <- by:
scaled(x, by=2.0)  #: again scaled <- "by" by position before, by name now
""",
    ),
    Kind(
        "the order of arguments by name is no other program",
        """
@jax.jit
def g(a, b):
    return a - b
x, y = jnp.ones(3), jnp.ones(4)
# recorded:
g(a=x, b=x)  #: first g
g(b=x, a=x)
""",
    ),
    Kind(
        "one more of *args",
        """
@jax.jit
def total(*xs):
    return sum(xs)
x = jnp.ones(3)
# recorded:
total(x, x)  #: first total
total(x, x, x)  #: again total <- xs[2]: is passed now
total(x)  #: again total <- xs[1]: was passed, but is not now
""",
    ),
    Kind(
        "one more of **kwargs",
        """
@jax.jit
def total(**xs):
    return sum(xs.values())
x = jnp.ones(3)
# recorded:
total(a=x)  #: first total
total(a=x, b=x)  #: again total <- b: is passed now
""",
    ),
    Kind(
        "donated arguments",
        """
@functools.partial(jax.jit, donate_argnums=0)
def step(state, n):
    return state + n
x, y, n = jnp.ones(3), jnp.ones(4), jnp.float32(1)
# recorded:
state = step(x, n)  #: first step
state = step(state, n)
state = step(y, n)  #: again step <- state: float32[3] → float32[4]
""",
    ),
    Kind(
        "an argument that is kept, and not used",
        """
@functools.partial(jax.jit, keep_unused=True)
def g(x, unused):
    return x + 1
x, y = jnp.ones(3), jnp.ones(4)
# recorded:
g(x, x)  #: first g
g(x, y)  #: again g <- unused: float32[3] → float32[4]
""",
    ),
)
