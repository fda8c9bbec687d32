"""Dynamic classes that tests share, some of which are sent to other processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import jax
import jax.numpy as jnp

from jaxtyped_static import Dynamic, Static, dynamic_dataclass, field, jit, static_dataclass

T = TypeVar("T")


def minmod(x: jax.Array) -> jax.Array:
    """A singleton."""
    return jnp.tanh(x)


@static_dataclass
class Grid:
    cells: int
    length: float = 1.0


@dynamic_dataclass
class State:
    u: jax.Array
    grid: Static[Grid]
    v: Dynamic[Any] = None
    limiter: Static[Callable[[jax.Array], jax.Array]] = minmod

    @jit
    def energy(self) -> jax.Array:
        return jnp.sum(self.u**2) * self.grid.length / self.grid.cells

    @property
    @jit
    def doubled(self) -> jax.Array:
        return 2 * self.u

    @jit
    def step(self, dt: jax.Array, *, n: Static[int] = 1) -> State:
        return State(self.u + n * dt, self.grid, self.v, self.limiter)


@dynamic_dataclass(kw_only=True)
class Pair(Generic[T]):
    first: T
    second: T
    weights: Static[tuple[float, ...]] = (0.5, 0.5)
    handle: Static[Any] = field(default=None, hash_by_id=True)


@dynamic_dataclass
class Leaves:
    """Has no static field."""

    x: Any
    y: Any = 0


@dynamic_dataclass
class Tagged:
    """Has one data field and one static one, of any kind."""

    x: Any
    tag: Static[Any]


def structure(tree: object) -> Any:
    """Returns the treedef as `Any`, because type checkers do not know that it can be compared."""
    return jax.tree.structure(tree)
