"""Values whose state can be changed behind JAX's back, and what a guard reports about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from jaxtyped_static import Static, StaticContractError, field, jit, static_dataclass


class Solver:
    """Frozen by convention, until somebody assigns the private attribute."""

    def __init__(self, dt: Any) -> None:
        self._dt = dt

    def __eq__(self, other: object) -> bool:
        return type(other) is Solver and self._dt == other._dt

    def __hash__(self) -> int:
        return hash(self._dt)


class Registry:
    """Has state, and is compared by identity."""

    def __init__(self) -> None:
        self.weight = 2.0
        self.table = np.array([1.0, 2.0])
        self.nested: Any = {"a": [1.0, Solver(2.0)]}
        self.scale: Callable[[Any], Any] = lambda x: x * 2.0
        self._lazy: Any = None
        self._cache: dict[str, Any] = {}


@static_dataclass
class Model:
    registry: Registry = field(hash_by_id=True)
    solver: Solver = Solver(2.0)
    order: int = 1


@dataclass(frozen=True)
class Config:
    """Its hash stays what it was when the value changes: some versions of JAX trace again for another hash."""

    power: Any
    options: tuple[Any, ...] = ()

    def __hash__(self) -> int:
        return 1


def unseen(value: Any) -> Any:
    """Returns the value itself, but hides its class from mypy, which would find most of these faults."""
    return value


def refusal(call: Callable[[], object]) -> StaticContractError:
    with pytest.raises(StaticContractError) as caught:
        call()
    return caught.value


def set_anyway(value: object, name: str, item: object) -> None:
    object.__setattr__(value, name, item)


def captured(dt: Any) -> Any:
    """Returns a function, and how to change what it captures."""

    def limiter(x: Any) -> Any:
        return x * dt

    def change(other: Any) -> None:
        nonlocal dt
        dt = other

    return limiter, change


limiter, set_limiter = captured(2.0)


@jit
def weigh(x: Any, model: Static[Model]) -> Any:
    return x * model.registry.weight
