"""A program in which every role is played: for the tests of `census`."""

from __future__ import annotations

from typing import Final

SOLVER: Final = """\
from dataclasses import dataclass
import enum
import functools
import jax


class Order(enum.Enum):
    FIRST = 1


@dataclass
class Limiter:
    table: list[int]


@dataclass(frozen=True)
class Solver:
    dt: float
    order: Order
    limiter: Limiter


class Method:
    order: int

    @functools.partial(jax.jit, static_argnames="self")
    def run(self, y: jax.Array) -> jax.Array:
        return y


class Euler(Method):
    pass


class Heun(Method):
    def run(self, y: jax.Array) -> jax.Array:
        return y


@dataclass(frozen=True)
class Grid:
    cells: int


@dataclass(frozen=True)
class Unused:
    cells: int
"""
STATE: Final = """\
import jax
from app.solver import Grid
from jaxtyped_static import Static, dynamic_dataclass, jit, static_dataclass


@static_dataclass
class Mesh:
    cells: int


@dynamic_dataclass
class State:
    y: jax.Array
    grid: Static[Grid]
    mesh: Mesh

    @jit
    def energy(self, power: Static[int]) -> jax.Array:
        return self.y


class Plain:
    @jit
    def lost(self, y: jax.Array) -> jax.Array:
        return y
"""
STEPS: Final = """\
import functools
import jax
import nowhere
from app.solver import Grid, Limiter, Order, Solver
from app.state import Mesh, State
from jaxtyped_static import Static, dynamic_dataclass, jit


@dynamic_dataclass
class Table:
    values: jax.Array


@jit(donate_argnames="state")
def step(state: State, solver: Static[Solver], *, n: Static[int] = 1) -> State:
    return state


@functools.partial(jax.jit, static_argnames=("table",))
def lookup(y: jax.Array, table: Table) -> jax.Array:
    return y


@jit
def both(y: jax.Array, table: Table, grid: Grid, anything) -> jax.Array:
    return lookup(y, table=table)


def _inner(y: jax.Array, size: int) -> jax.Array:
    return y


inner = jax.jit(_inner, static_argnums=1)
computed = jax.jit(_inner, static_argnames=nowhere.names())


def main(state: State, table: Table) -> None:
    solver = Solver(0.1, Order.FIRST, Limiter([1]))
    step(state, solver, n=2)
    state.energy(power=3)
    both(state.y, table, Grid(3), Mesh(1))
    inner(state.y, 4)
    list(map(step, [state]))
"""
FILES: Final = {"app/__init__.py": "", "app/solver.py": SOLVER, "app/state.py": STATE, "app/steps.py": STEPS}
