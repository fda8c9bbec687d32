"""A dynamic class is a frozen dataclass to every checker."""

import dataclasses
from collections.abc import Callable
from dataclasses import InitVar, replace
from typing import ClassVar, Generic, TypeVar

from jax import Array
from typing_extensions import assert_type

from jaxtyped_static import Dynamic, Static, dynamic_dataclass, field, jit, static_dataclass

T = TypeVar("T")


def minmod(x: Array) -> Array:
    return x


@static_dataclass
class Grid:
    cells: int


@dynamic_dataclass
class State:
    u: Array
    grid: Static[Grid]
    v: Dynamic[Array | None] = None
    limiter: Static[Callable[[Array], Array]] = field(default=minmod, repr=False)
    names: Static[tuple[str, ...]] = field(default_factory=tuple)
    kind: ClassVar[str] = "state"

    @jit
    def energy(self, *, n: Static[int] = 1) -> Array:
        return self.limiter(self.u) * self.grid.cells * n


@dynamic_dataclass(kw_only=True, eq=False, repr=False, match_args=False)
class Pair(Generic[T]):
    first: T
    second: T
    total: Array = field(init=False)
    scale: InitVar[float] = 1.0

    def __post_init__(self, scale: float) -> None:
        object.__setattr__(self, "total", scale)


@dynamic_dataclass()
class Wide(State):
    width: Static[int] = field(default=1, kw_only=True)
    plain: Array | None = dataclasses.field(default=None)


@jit
def step(state: State, n: Static[int] = 1) -> State:
    return replace(state, u=state.u * n)


def use(x: Array) -> None:
    state = State(x, Grid(1), names=("a",))
    pair = Pair(first=state, second=state)
    wide = Wide(x, Grid(2), x, width=3, plain=x)

    assert_type(state, State)
    assert_type(pair, Pair[State])
    assert_type(state.grid, Grid)
    assert_type(state.v, Array | None)
    assert_type(pair.first, State)
    assert_type(replace(state, u=x), State)
    assert_type(state.energy(n=2), Array)
    assert_type(step(wide, 2), State)
    assert_type(wide.energy(), Array)

    match state:
        case State(u, grid):
            assert_type(u, Array)
            assert_type(grid, Grid)

    State()  # error
    State(x)  # error
    State(x, "grid")  # error
    State(x, Grid(1), unknown=1)  # error
    Pair(state, state)  # error
    Pair(first=x, second=x, total=x)  # error
    Wide(x, Grid(1), None, minmod, (), x, 3)  # error
    state.u = x  # error
    pair.first = x  # error
    wide.width = 2  # error
    step(1)  # error
    dynamic_dataclass(frozen=False)  # error
