"""Which function is compiled: new ones of one definition, methods, decorated ones, and where they are called."""

from __future__ import annotations

from typing import Final

from tests.runtime.kinds_of_compilations.kind import Kind

_X: Final = "x, y = jnp.ones(3), jnp.ones(4)\n"

KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "a builtin",
        _X
        + """
import operator
add = jax.jit(operator.add)
# recorded:
add(x, x)  #: first *add
add(y, y)  #: again *add <- float32[3] → float32[4]
""",
    ),
    Kind(
        "a function of JAX that the program jits",
        _X
        + """
norm = jax.jit(jnp.linalg.norm)
# recorded:
norm(x)  #: first *norm
norm(y)  #: again *norm <- x: float32[3] → float32[4]
""",
    ),
    Kind(
        "an inlined function is no other program",
        _X
        + """
def step(x):
    return x + 1
one, two = jax.jit(step), jax.jit(step, inline=True)
# recorded:
one(x)  #: first step
two(x)
""",
    ),
    Kind(
        "a lambda in a loop",
        _X
        + """
# recorded:
for _ in range(3):
    jax.jit(lambda x: x + 1)(x)  #: is one #: first one #: again one x2 <- new function
""",
    ),
    Kind(
        "a nested def in a loop",
        _X
        + """
def train(x):
    for _ in range(3):
        @jax.jit
        def step(x):
            return x + 1
        x = step(x)  #: first step #: again step x2 <- is a new function
# recorded:
train(x)
""",
    ),
    Kind(
        "a function of a factory, which captures another number",
        _X
        + """
def make(scale):
    @jax.jit
    def scaled(x):
        return x * scale
    return scaled
# recorded:
make(2)(x)  #: first scaled
make(3)(x)  #: again scaled <- it captures scale: 2 → 3
""",
    ),
    Kind(
        "a function of a factory, which captures another array",
        _X
        + """
def make(scale):
    @jax.jit
    def scaled(x):
        return x * scale.sum()
    return scaled
# recorded:
make(x)(x)  #: first scaled
make(y)(x)  #: again scaled <- it captures scale: float32[3] → float32[4]
""",
    ),
    Kind(
        "a factory with a cache makes one function",
        _X
        + """
@functools.lru_cache
def make(scale):
    return jax.jit(lambda x: x * scale)  #: is scaled
# recorded:
make(2)(x)  #: first scaled
make(2)(x)
make(3)(x)  #: again scaled <- it captures scale: 2 → 3
""",
    ),
    Kind(
        "a bound method that is jitted each time",
        _X
        + """
class Model:
    def __init__(self):
        self.w = 2.0
    def step(self, x):
        return x * self.w
model = Model()
# recorded:
for _ in range(3):
    jax.jit(model.step)(x)  #: first Model.step #: again Model.step x2 <- jit was applied again
""",
    ),
    Kind(
        "a partial that is jitted each time",
        _X
        + """
def scaled(x, by):
    return x * by
# recorded:
for by in (2, 3):
    jax.jit(functools.partial(scaled, by=by))(x)  #: first scaled #: again scaled <- by: 2 → 3
""",
    ),
    Kind(
        "the same function jitted each time is compiled once",
        _X
        + """
def step(x):
    return x + 1
# recorded:
for _ in range(3):
    jax.jit(step)(x)  #: first step
""",
    ),
    Kind(
        "one def that is compiled by two jits with other options",
        _X
        + """
def power(x, n):
    return x ** n
dynamic, static = jax.jit(power), jax.jit(power, static_argnums=1)
# recorded:
dynamic(x, 2)  #: first power
static(x, 2)  #: again power <- static
""",
    ),
    Kind(
        "one def that is compiled by two jits, of which one donates",
        _X
        + """
def step(x):
    return x + 1
keeping, donating = jax.jit(step), jax.jit(step, donate_argnums=0)
# recorded:
keeping(x)  #: first step
donating(x)  #: again step <- donate
""",
    ),
    Kind(
        "a wrapper with functools.wraps",
        _X
        + """
def logged(fun):
    @functools.wraps(fun)
    def wrapper(*args):
        return fun(*args)
    return wrapper
@jax.jit
@logged
def step(x):
    return x + 1
@jax.jit
@logged
def loss(x):
    return x - 1
# recorded:
step(x)  #: first step
step(y)  #: again step <- x: float32[3] → float32[4]
loss(x)  #: first loss
""",
    ),
    Kind(
        "a wrapper without functools.wraps",
        _X
        + """
def logged(fun):
    def wrapper(*args):
        return fun(*args)
    return wrapper
step, loss = jax.jit(logged(lambda x: x + 1)), jax.jit(logged(lambda x: x - 1))
# recorded:
step(x)  #: first wrapper
step(y)  #: again wrapper <- args[0]: float32[3] → float32[4]
loss(x)  #: again wrapper <- it captures fun
""",
    ),
    Kind(
        "an instance with __call__",
        _X
        + """
class Model:
    def __init__(self, n):
        self.n = n
    def __call__(self, x):
        return x * self.n
model = jax.jit(Model(2))
other = jax.jit(Model(3))
# recorded:
model(x)  #: first Model.__call__
model(y)  #: again Model.__call__ <- x: float32[3] → float32[4]
other(x)  #: again Model.__call__ <- jit was applied again
""",
    ),
    Kind(
        "class methods and static methods",
        _X
        + """
class Model:
    @classmethod
    @functools.partial(jax.jit, static_argnums=0)
    def made(cls, x):
        return x + 1
    @staticmethod
    @jax.jit
    def step(x):
        return x + 2
class Other(Model):
    pass
# recorded:
Model.made(x)  #: first Model.made
Other.made(x)  #: again Model.made <- cls: Model → Other
Model.step(x)  #: first Model.step
Other().step(y)  #: again Model.step <- x: float32[3] → float32[4]
""",
    ),
    Kind(
        "a class that jits its own method in __init__",
        _X
        + """
class Trainer:
    def __init__(self, rate):
        self.rate = rate
        self.step = jax.jit(self._step)
    def _step(self, x):
        return x * self.rate
# recorded:
for rate in (1.0, 2.0):
    trainer = Trainer(rate)
    for _ in range(2):
        trainer.step(x)  #: first Trainer._step #: again Trainer._step <- jit was applied again
""",
    ),
    Kind(
        "two functions of the same name",
        _X
        + """
@jax.jit
def step(x):  #: is one
    return x + 1
one = step
def other():
    @jax.jit
    def step(x):  #: is two
        return x + 2
    return step
two = other()
# recorded:
one(x)  #: first one
two(x)  #: first two
""",
    ),
    Kind(
        "two lambdas on one line",
        _X
        + """
add, double = jax.jit(lambda x: x + 1), jax.jit(lambda x: x * 2)  #: is pair
# recorded:
add(x)  #: first pair
double(x)  #: first pair
""",
    ),
    Kind(
        "code made by exec",
        _X
        + """
made = {"jax": jax}
exec("def step(x):\\n    return x + 1\\nstep = jax.jit(step)", made)
# recorded:
made["step"](x)  #: first *step
made["step"](y)  #: again *step <- x: float32[3] → float32[4]
""",
    ),
    Kind(
        "code made by compile, with a file name of its own",
        _X
        + """
made = {"jax": jax}
exec(compile("def step(x):\\n    return x + 1\\nstep = jax.jit(step)", "<made>", "exec"), made)
# recorded:
made["step"](x)  #: first *step
made["step"](y)  #: again *step <- x: float32[3] → float32[4]
""",
    ),
    Kind(
        "a function that is deleted",
        _X
        + """
import gc, weakref
def make():
    @jax.jit
    def step(x):
        return x + 1
    return step
# recorded:
step = make()
step(x)  #: first step
gone = weakref.ref(step.__wrapped__)
del step
gc.collect()
assert gone() is None
make()(x)  #: again step <- new function
""",
    ),
)
