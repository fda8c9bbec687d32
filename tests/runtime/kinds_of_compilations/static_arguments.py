"""Static arguments, by number and by name, and the values they take."""

from __future__ import annotations

from typing import Final

from tests.runtime.kinds_of_compilations.kind import Kind

_POWER: Final = """
@functools.partial(jax.jit, static_argnums=1)
def power(x, n):
    return x ** n if isinstance(n, (int, float)) else x + 1
x = jnp.ones(3)
"""
_APPLY: Final = """
@functools.partial(jax.jit, static_argnames="act")
def apply(x, act):
    return act(x)
x = jnp.ones(3)
def relu(x):
    return jnp.maximum(x, 0)
def double(x):
    return x * 2
"""

KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "a static argument by number",
        _POWER
        + """
# recorded:
for n in (1, 2, 1, 3):
    power(x, n)  #: first power #: again power <- n: 1 → 2 #: again power <- → 3
""",
    ),
    Kind(
        "a static argument by name",
        """
@functools.partial(jax.jit, static_argnames=("n",))
def power(x, *, n):
    return x ** n
x = jnp.ones(3)
# recorded:
power(x, n=2)  #: first power
power(x, n=3)  #: again power <- n: 2 → 3
""",
    ),
    Kind(
        "a static argument of another class",
        _POWER
        + """
# recorded:
power(x, 1)  #: first power
power(x, 1.0)  #: again power <- n: 1 → 1.0
power(x, True)  #: again power <- → True
""",
    ),
    Kind(
        "a field of a nested static dataclass",
        """
@dataclasses.dataclass(frozen=True)
class Solver:
    order: int = 1
    limiter: str = "minmod"
@dataclasses.dataclass(frozen=True)
class Config:
    solver: Solver = Solver()
    n: int = 2
@functools.partial(jax.jit, static_argnames="config")
def step(x, config):
    return x * config.solver.order
x = jnp.ones(3)
# recorded:
step(x, config=Config())  #: first step
step(x, config=Config())
step(x, config=Config(Solver(3)))  #: again step <- config.solver.order: 1 → 3
step(x, config=Config(Solver(3, "none")))  #: again step <- config.solver.limiter: 'minmod' → 'none'
""",
    ),
    Kind(
        "an enum",
        _POWER
        + """
class Mode(enum.Enum):
    TRAIN = 1
    TEST = 2
# recorded:
power(x, Mode.TRAIN)  #: first power
power(x, Mode.TEST)  #: again power <- Mode.TEST
""",
    ),
    Kind(
        "a string, None and a tuple",
        _POWER
        + """
# recorded:
power(x, "a")  #: first power
power(x, "b")  #: again power <- n: 'a' → 'b'
power(x, None)  #: again power <- → None
power(x, (1, 2))  #: again power <- → (1, 2)
power(x, (1, 3))  #: again power <- n[1]: 2 → 3
""",
    ),
    Kind(
        "another function",
        _APPLY
        + """
# recorded:
apply(x, act=relu)  #: first apply
apply(x, act=double)  #: again apply <- double
apply(x, act=relu)
""",
    ),
    Kind(
        "a new lambda each time",
        _APPLY
        + """
# recorded:
for _ in range(3):
    apply(x, act=lambda x: x * 2)  #: first apply #: again apply x2 <- [static-callable]
""",
    ),
    Kind(
        "a new partial each time",
        _APPLY
        + """
# recorded:
for _ in range(2):
    apply(x, act=functools.partial(jnp.clip, min=0))  #: first apply #: again apply <- [static-callable]
""",
    ),
    Kind(
        "a bound method is equal to itself",
        _APPLY
        + """
class Layer:
    def act(self, x):
        return x * 2
layer = Layer()
# recorded:
apply(x, act=layer.act)  #: first apply
apply(x, act=layer.act)
apply(x, act=Layer().act)  #: again apply <- act
""",
    ),
    Kind(
        "an object that is hashed by identity",
        _POWER
        + """
class Grid:
    def __init__(self, n):
        self.n = n
# recorded:
for _ in range(2):
    power(x, Grid(3))  #: first power #: again power <- [static-hash]
""",
    ),
    Kind(
        "a static argument by position, and by name",
        """
@functools.partial(jax.jit, static_argnames="n")
def power(x, n):
    return x ** n
x = jnp.ones(3)
# recorded:
power(x, 2)  #: first power
power(x, n=2)  #: again power <- "n" by position before, by name now
""",
    ),
    Kind(
        "a static argument that is left out, and passed",
        """
@functools.partial(jax.jit, static_argnames="n")
def power(x, n=2):
    return x ** n
x = jnp.ones(3)
# recorded:
power(x)  #: first power
power(x, n=2)  #: again power <- n
""",
    ),
    Kind(
        "a static argument by a negative number",
        """
@functools.partial(jax.jit, static_argnums=-1)
def power(x, n):
    return x ** n
x = jnp.ones(3)
# recorded:
power(x, 2)  #: first power
power(x, 3)  #: again power <- n: 2 → 3
""",
    ),
    Kind(
        "a static self",
        """
class Model:
    def __init__(self, n):
        self.n = n
    @functools.partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x * self.n
model, other, x = Model(1), Model(2), jnp.ones(3)
# recorded:
model.step(x)  #: first Model.step
model.step(x)
other.step(x)  #: again Model.step <- self
""",
    ),
    Kind(
        "a static self that is a frozen dataclass",
        """
@dataclasses.dataclass(frozen=True)
class Model:
    n: int
    @functools.partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x * self.n
x = jnp.ones(3)
# recorded:
Model(1).step(x)  #: first Model.step
Model(1).step(x)
Model(2).step(x)  #: again Model.step <- self.n: 1 → 2
""",
    ),
)
