"""Static values that raise, change, or are equal to nothing."""

from __future__ import annotations

from typing import Final

from tests.runtime.kinds_of_compilations.kind import Kind

_POWER: Final = """
@functools.partial(jax.jit, static_argnums=1)
def power(x, n):
    return x ** n if isinstance(n, (int, float)) else x + 1
x = jnp.ones(3)
"""

KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "nan",
        _POWER
        + """
nans = [float("nan"), float("nan")]
# recorded:
for nan in nans:
    power(x, nan)  #: first power #: again power <- nan
""",
    ),
    Kind(
        "an object that was changed after it was hashed",
        _POWER
        + """
@dataclasses.dataclass(unsafe_hash=True)
class Grid:
    n: int
grid = Grid(1)
# recorded:
power(x, grid)  #: first power
grid.n = 2
power(x, Grid(1))  #: again power <- changed after it was hashed
""",
    ),
    Kind(
        "a static value that JAX refuses",
        _POWER
        + """
# recorded:
try:
    power(x, [1])  #: maybe traced power
    raise AssertionError
except (ValueError, TypeError) as error:
    assert "unhashable" in str(error) or "Non-hashable" in str(error)
power(x, 2)  #: first power
""",
    ),
    Kind(
        "a static value whose repr, attributes and comparison with others raise",
        _POWER
        + """
class Hostile:
    def __init__(self, n):
        self.n = n
    def __eq__(self, other):
        if type(other) is not Hostile:
            raise RuntimeError("compared")
        return self.n == other.n
    def __hash__(self):
        return hash(("Hostile", self.n))
    def __repr__(self):
        raise RuntimeError("no repr")
    def __getattr__(self, name):
        raise RuntimeError("no attribute " + name)
# recorded:
power(x, Hostile(1))  #: first power
power(x, Hostile(1))
power(x, Hostile(2))  #: again power <- n
""",
    ),
    Kind(
        "a static value that counts how often it is hashed is hashed by JAX alone",
        _POWER
        + """
class Counting:
    hashed = 0
    def __hash__(self):
        Counting.hashed += 1
        return 1
    def __eq__(self, other):
        return self is other
value = Counting()
# recorded:
power(x, value)  #: first power
first = Counting.hashed
for _ in range(10):
    power(x, value)
assert Counting.hashed - first <= 10, Counting.hashed - first
""",
    ),
    Kind(
        "a static value that is a pytree whose flattening raises",
        _POWER
        + """
class Odd:
    pass
def flatten(odd):
    raise RuntimeError("flattened")
jax.tree_util.register_pytree_node(Odd, flatten, lambda data, children: Odd())
# recorded:
power(x, Odd())  #: first power
power(x, Odd())  #: again power <- n
""",
        ">=0.7",  # JAX 0.6 flattens static arguments itself.
    ),
    Kind(
        "a static value that is a frozen mapping with keys of several types",
        _POWER
        + """
class Frozen(dict):
    def __hash__(self):
        return hash(frozenset(self.items()))
# recorded:
power(x, Frozen({1: 2, "a": 3}))  #: first power
power(x, Frozen({1: 2, "a": 3}))
power(x, Frozen({1: 2, "a": 4}))  #: again power <- n
""",
    ),
)
