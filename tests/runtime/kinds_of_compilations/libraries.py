"""Equinox, Flax, Optax and Diffrax."""

from __future__ import annotations

from typing import Final

from tests.runtime.kinds_of_compilations.kind import Kind

_EQUINOX: Final = """
import equinox as eqx
class Model(eqx.Module):
    w: jax.Array
    n: int = 1
    act: object = jnp.sin
    def __call__(self, x):
        return self.act(x * self.w.sum()) * self.n
x, y = jnp.ones(3), jnp.ones(4)
@eqx.filter_jit
def step(model, x):
    return model(x)
"""
_NNX: Final = """
from flax import nnx
class Model(nnx.Module):
    def __init__(self, n, scale):
        self.w = nnx.Param(jnp.ones(n))
        self.scale = scale
    def __call__(self, x):
        return x * self.w[...].sum() * self.scale
@nnx.jit
def step(model, x):
    return model(x)
x = jnp.ones(3)
"""
_LINEN: Final = """
from flax import linen as nn
class Net(nn.Module):
    n: int = 2
    @nn.compact
    def __call__(self, x):
        return nn.Dense(self.n)(x)
net, x = Net(), jnp.ones(3)
params = net.init(jax.random.key(0), x)
"""

KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "a field of an Equinox model",
        _EQUINOX
        + """
# recorded:
step(Model(x), x)  #: first step
step(Model(x), x)
step(Model(y), x)  #: again step <- model.w: float32[3] → float32[4]
step(Model(x), y)  #: again step <- x: float32[3] → float32[4]
""",
        libraries=("equinox",),
    ),
    Kind(
        "a leaf of an Equinox model that is no array",
        _EQUINOX
        + """
# recorded:
step(Model(x), x)  #: first step
step(Model(x, 2), x)  #: again step <- model.n: 1 → 2
step(Model(x, 2, jnp.cos), x)  #: again step <- model.act
""",
        libraries=("equinox",),
    ),
    Kind(
        "a new lambda in an Equinox model",
        _EQUINOX
        + """
# recorded:
for _ in range(2):
    step(Model(x, 1, lambda x: x), x)  #: first step #: again step <- model.act
""",
        libraries=("equinox",),
    ),
    Kind(
        "a static field of an Equinox model",
        _EQUINOX
        + """
class Static(eqx.Module):
    w: jax.Array
    n: int = eqx.field(static=True)
    @eqx.filter_jit
    def run(self, x):
        return x * self.n + self.w.sum()
# recorded:
Static(x, 1).run(x)  #: first Static.run
Static(x, 2).run(x)  #: again Static.run <- self.n: 1 → 2
Static(y, 2).run(x)  #: again Static.run <- self.w: float32[3] → float32[4]
""",
        libraries=("equinox",),
    ),
    Kind(
        "filter_jit each time",
        _EQUINOX
        + """
# recorded:
model = Model(x)
for _ in range(2):
    eqx.filter_jit(lambda model, x: model(x))(model, x)  #: is one #: first one #: again one <- new function
""",
        libraries=("equinox",),
    ),
    Kind(
        "filter_jit by position and by name is no other program",
        _EQUINOX
        + """
model = Model(x)
# recorded:
step(model, x)  #: first step
step(model, x=x)
""",
        libraries=("equinox",),
    ),
    Kind(
        "a filtered gradient in filter_jit, with Optax",
        _EQUINOX
        + """
import optax
def loss(model, x):
    return jnp.sum(model(x) ** 2)
optimizer = optax.adam(1e-3)
@eqx.filter_jit
def train(model, state, x):
    value, grads = eqx.filter_value_and_grad(loss)(model, x)
    updates, state = optimizer.update(grads, state)
    return eqx.apply_updates(model, updates), state, value
model = Model(x)
state = optimizer.init(eqx.filter(model, eqx.is_array))
# recorded:
for _ in range(3):
    model, state, value = train(model, state, x)  #: first train
model, state, value = train(model, state, y)  #: again train <- x: float32[3] → float32[4]
""",
        libraries=("equinox", "optax"),
    ),
    Kind(
        "filter_vmap and filter_grad outside of jit",
        _EQUINOX
        + """
xs, model = jnp.ones((2, 3)), Model(x)
@eqx.filter_jit
def loss(model, x):
    return jnp.sum(model(x))
# recorded:
eqx.filter_grad(loss)(model, x)  #: several loss
""",
        libraries=("equinox",),
    ),
    Kind(
        "a Diffrax solution outside of jit",
        """
import diffrax
def field(t, y, args):
    return -y
one = jnp.float32(1)
def solve(y0):
    term = diffrax.ODETerm(field)
    return diffrax.diffeqsolve(term, diffrax.Tsit5(), 0.0, 1.0, 0.1, y0)  #: first *diffeqsolve #: maybe operations
# recorded:
solve(one)
""",
        libraries=("diffrax",),
    ),
    Kind(
        "a Diffrax solution in jit",
        """
import diffrax
def field(t, y, args):
    return -y
@jax.jit
def solve(y0):
    return diffrax.diffeqsolve(diffrax.ODETerm(field), diffrax.Tsit5(), 0.0, 1.0, 0.1, y0).ys  #: maybe operations
x, y = jnp.ones(3), jnp.ones(4)
# recorded:
solve(x)  #: first solve
solve(y)  #: again solve <- y0: float32[3] → float32[4]
""",
        libraries=("diffrax",),
    ),
    Kind(
        "the state of an NNX module",
        _NNX
        + """
one, other = Model(3, 2.0), Model(4, 2.0)
# recorded:
step(one, x)  #: first step
step(one, x)
step(other, x)  #: again step <- model.w
""",
        libraries=("flax",),
    ),
    Kind(
        "a static attribute of an NNX module",
        _NNX
        + """
model = Model(3, 2.0)
# recorded:
step(model, x)  #: first step
model.scale = 3.0
step(model, x)  #: again step <- model.scale: 2.0 → 3.0
""",
        libraries=("flax",),
    ),
    Kind(
        "an NNX module with one more layer",
        _NNX
        + """
model = Model(3, 2.0)
# recorded:
step(model, x)  #: first step
model.extra = nnx.Param(x)
step(model, x)  #: again step <- model.extra
""",
        libraries=("flax",),
    ),
    Kind(
        "a method compiled by nnx.jit",
        """
from flax import nnx
class Model(nnx.Module):
    def __init__(self):
        self.w = nnx.Param(jnp.ones(3))
    @nnx.jit
    def run(self, x):
        return x * self.w[...].sum()
model, x, y = Model(), jnp.ones(3), jnp.ones(4)
# recorded:
model.run(x)  #: first Model.run
model.run(y)  #: again Model.run <- x: float32[3] → float32[4]
""",
        libraries=("flax",),
    ),
    Kind(
        "a static argument of nnx.jit",
        """
from flax import nnx
@functools.partial(nnx.jit, static_argnames="n")
def power(x, n):
    return x ** n
x = jnp.ones(3)
# recorded:
power(x, n=2)  #: first power
power(x, n=3)  #: again power <- n: 2 → 3
""",
        libraries=("flax",),
    ),
    Kind(
        "jax.jit(net.apply) each time",
        _LINEN
        + """
# recorded:
for _ in range(2):
    jax.jit(net.apply)(params, x)  #: first *apply #: again *apply <- jit was applied again
""",
        libraries=("flax",),
    ),
    Kind(
        "a Linen network with another field",
        _LINEN
        + """
@functools.partial(jax.jit, static_argnums=0)
def run(net, params, x):
    return net.apply(params, x)
wide = Net(3)
wide_params = wide.init(jax.random.key(0), x)
# recorded:
run(net, params, x)  #: first run
run(wide, wide_params, x)  #: again run <- net.n: 2 → 3
""",
        libraries=("flax",),
    ),
    Kind(
        "a jitted Optax step",
        """
import optax
optimizer = optax.sgd(0.1, momentum=0.9)
params = {"w": jnp.ones(3)}
state = optimizer.init(params)
update = jax.jit(optimizer.update)
# recorded:
updates, state = update(params, state, params)  #: first *update_fn
updates, state = update(params, state, params)
updates, state = update(params, state)  #: again *update_fn <- params
""",
        libraries=("optax",),
    ),
)
