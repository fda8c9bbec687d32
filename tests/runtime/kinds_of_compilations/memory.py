"""What a program lets go of is freed while it is recorded, as it is without a recording."""

from __future__ import annotations

from typing import Final

from tests.runtime.kinds_of_compilations.kind import Kind

_GONE: Final = """
import gc, weakref
@jax.jit
def f(x):
    return x + 1
def is_gone(*made):
    gc.collect()
    return all(one() is None for one in made)
"""

KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "an argument and a result are freed",
        _GONE
        + """
# recorded:
x = jax.device_put(np.ones(1000, np.float32))
y = f(x)  #: first f
gone = weakref.ref(x), weakref.ref(y)
del x, y
assert is_gone(*gone)
""",
    ),
    Kind(
        "arguments of programs that are compiled again are freed",
        _GONE
        + """
# recorded:
gone = []
for n in range(3):
    x = jax.device_put(np.ones(n, np.float32))
    gone.append(weakref.ref(x))
    f({"w": x}["w"])  #: first f #: again f x2 <- x
    del x
assert is_gone(*gone)
""",
    ),
    Kind(
        "an argument of an operation and of a loop outside of jit is freed",
        _GONE
        + """
# recorded:
x = jax.device_put(np.ones(1000, np.float32))
y = x + x  #: operation add
z = lax.scan(lambda carry, x: (carry + x, x), 0.0, x)  #: operation scan of <lambda>
gone = weakref.ref(x), weakref.ref(y)
del x, y, z
assert is_gone(*gone)
""",
    ),
    Kind(
        "an argument of what is only traced is freed",
        _GONE
        + """
# recorded:
x = jax.device_put(np.ones(1000, np.float32))
jax.eval_shape(f, x)  #: traced f
lowered = f.lower(x)  #: maybe traced f
gone = weakref.ref(x)
del x, lowered
assert is_gone(gone)
""",
        releases=">=0.6",  # in 0.5, what is lowered without a new trace has no name
    ),
    Kind(
        "an argument of a function that raises is freed",
        _GONE
        + """
@jax.jit
def fails(x):
    raise ValueError("mine")
def attempt(x):
    try:
        fails(x)  #: maybe traced fails
    except ValueError:
        pass
# recorded:
x = jax.device_put(np.ones(1000, np.float32))
attempt(x)
gone = weakref.ref(x)
del x
assert is_gone(gone)
""",
    ),
    Kind(
        "a function and the array that it captures are freed",
        _GONE
        + """
def make(x):
    @jax.jit
    def g(y):
        return y + x
    return g
one = jnp.float32(1)
# recorded:
x = jax.device_put(np.ones(1000, np.float32))
g = make(x)
g(one)  #: first g
gone = weakref.ref(x), weakref.ref(g.__wrapped__)
del x, g
jax.clear_caches()
assert is_gone(*gone)
""",
    ),
    Kind(
        "a static object is freed with the function that had it",
        _GONE
        + """
class Model:
    def __init__(self, x):
        self.x = x
def make():
    @functools.partial(jax.jit, static_argnums=0)
    def run(model, y):
        return y + 1
    return run
one = jnp.float32(1)
# recorded:
model = Model(jax.device_put(np.ones(1000, np.float32)))
run = make()
run(model, one)  #: first run
gone = weakref.ref(model), weakref.ref(model.x)
del model, run
jax.clear_caches()
assert is_gone(*gone)
""",
    ),
    Kind(
        "a model whose bound method is jitted is freed",
        _GONE
        + """
class Model:
    def __init__(self, x):
        self.x = x
    def run(self, y):
        return y + self.x
one = jnp.float32(1)
# recorded:
model = Model(jax.device_put(np.ones(1000, np.float32)))
jax.jit(model.run)(one)  #: first Model.run
gone = weakref.ref(model), weakref.ref(model.x)
del model
jax.clear_caches()
assert is_gone(*gone)
""",
    ),
    Kind(
        "an instance with __call__ and arrays is freed",
        _GONE
        + """
class Model:
    def __init__(self, x):
        self.x = x
    def __call__(self, y):
        return y + self.x
one = jnp.float32(1)
# recorded:
model = Model(jax.device_put(np.ones(1000, np.float32)))
jax.jit(model)(one)  #: first Model.__call__
gone = weakref.ref(model), weakref.ref(model.x)
del model
jax.clear_caches()
assert is_gone(*gone)
""",
    ),
    Kind(
        "an Equinox model is freed",
        _GONE
        + """
import equinox as eqx
class Model(eqx.Module):
    w: jax.Array
    act: object
    def __call__(self, x):
        return self.act(x) * self.w.sum()
one = jnp.float32(1)
@eqx.filter_jit
def run(model, x):
    return model(x)
# recorded:
model = Model(jax.device_put(np.ones(1000, np.float32)), jnp.sin)
run(model, one)  #: first run
gone = (weakref.ref(model.w),)
del model
assert is_gone(*gone)
""",
        libraries=("equinox",),
    ),
    Kind(
        "an NNX model is freed",
        _GONE
        + """
from flax import nnx
class Model(nnx.Module):
    def __init__(self, w):
        self.w = nnx.Param(w)
one = jnp.float32(1)
@nnx.jit
def run(model, x):
    return model.w[...].sum() * x
# recorded:
w = jax.device_put(np.ones(1000, np.float32))
model = Model(w)
run(model, one)  #: first run
gone = weakref.ref(w), weakref.ref(model)
del model, w
assert is_gone(*gone)
""",
        libraries=("flax",),
    ),
)
