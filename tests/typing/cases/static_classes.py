"""A static class is a frozen dataclass to every checker."""

import dataclasses
from collections.abc import Callable
from dataclasses import InitVar, replace
from typing import ClassVar, Generic, TypeVar

from jax import Array
from typing_extensions import assert_type

from jaxtyped_static import Static, check_static, field, jit, static_dataclass
from jaxtyped_static.testing import check_static_type

T = TypeVar("T")


def minmod(x: Array) -> Array:
    return x


@static_dataclass
class Solver:
    order: int
    scale: float = 1.0
    names: tuple[str, ...] = field(default_factory=tuple)
    limiter: Callable[[Array], Array] = field(default=minmod, repr=False, metadata={"unit": "m"})
    hook: Callable[[], None] | None = field(default=None, hash_by_id=True)
    kind: ClassVar[str] = "solver"

    def doubled(self) -> int:
        return 2 * self.order


@static_dataclass(kw_only=True, slots=True)
class Grid(Generic[T]):
    shape: tuple[T, ...]
    solver: Solver = Solver(1)
    cells: int = field(init=False, default=0)
    scale: InitVar[float] = 1.0

    def __post_init__(self, scale: float) -> None:
        object.__setattr__(self, "cells", int(scale))


@static_dataclass()
class Wide(Solver):
    width: int = field(default=1, kw_only=True)
    plain: str = dataclasses.field(default="")


@jit
def step(x: Array, solver: Static[Solver], grid: Static[Grid[int]]) -> Array:
    return solver.limiter(x) * grid.shape[0]


def use(x: Array) -> None:
    solver = Solver(2, names=("a",))
    grid = Grid(shape=(1, 2), solver=solver)
    wide = Wide(1, 2.0, plain="b", width=3)

    assert_type(solver, Solver)
    assert_type(grid, Grid[int])
    assert_type(solver.order, int)
    assert_type(grid.shape, tuple[int, ...])
    assert_type(wide.doubled(), int)
    assert_type(replace(solver, order=3), Solver)
    assert_type(step(x, wide, grid), Array)
    check_static(solver)
    check_static_type(Solver, [solver])

    match solver:
        case Solver(order, scale):
            assert_type(order, int)
            assert_type(scale, float)

    Solver()  # error
    Solver("2")  # error
    Solver(2, unknown=1)  # error
    Grid((1,))  # error
    Grid(shape=(1,), cells=2)  # error
    Wide(1, 2.0, (), minmod, None, 3)  # error
    solver.order = 3  # error
    grid.shape = ()  # error
    wide.width = 2  # error
    step(x, grid, solver)  # error
    static_dataclass(eq=True)  # error
    field(default=1, default_factory=int)  # error
