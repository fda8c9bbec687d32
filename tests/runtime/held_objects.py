"""Plain objects that compiled functions hold."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


class Solver:
    def __init__(self) -> None:
        self.dt = 2.0
        self.steps = 0

    def rate(self) -> Any:
        return self.dt

    def apply(self, x: Any) -> Any:
        return x * self.rate()


class OtherSolver(Solver):
    def rate(self) -> Any:
        return 3.0


class Plain:
    """Can be changed, and is compared by identity."""

    shared = 2.0

    def __init__(self) -> None:
        self.scale = 2.0
        self.other = 1.0
        self.calls = 0
        self.mode = "scale"
        self.sizes = (1, 2)
        self.table = np.array([2.0, 1.0])
        self.weights = jnp.array([2.0, 1.0])
        self.large = jnp.zeros(10_000)
        self.solver = Solver()
        self.layers = [Solver(), Solver()]
        self.factors = [1.0, 2.0]
        self.settings: dict[str, Any] = {"scale": 2.0, "other": {"inner": 2.0}}
        self.activation: Callable[[Any], Any] = jnp.abs
        self.results: list[Any] = []
        self.memory: dict[Any, Any] = {}
        self.lazy: Any = None
        self._private = 2.0

    @property
    def doubled(self) -> Any:
        return self.scale * 2

    def scaled(self, x: Any) -> Any:
        return x * self.scale

    def both(self, x: Any) -> Any:
        return self.scaled(x) + self.doubled

    def __call__(self, x: Any) -> Any:
        return self.scaled(x)


def scaled_by(plain: Any, x: Any) -> Any:
    return x * plain.scale


def by_name(x: Any, *, plain: Any = None) -> Any:
    return scaled_by(plain, x)


def bound(plain: Plain) -> Callable[[Any], Any]:
    return functools.partial(scaled_by, plain)


@dataclass
class Trainer:
    """A mutable dataclass with all that changes while it trains."""

    rate: float = 0.1
    epoch: int = 0
    parameters: Any = None
    options: dict[str, Any] = field(default_factory=lambda: {"decay": 0.9, "name": "first"})

    def loss(self, parameters: Any, x: Any) -> Any:
        return (self.options["decay"] * (parameters - x) ** 2).sum()

    def update(self, parameters: Any, x: Any, rate: Any = None) -> Any:
        if rate is None:
            rate = self.rate
        return parameters - rate * jax.grad(self.loss)(parameters, x)

    def by_name(self, x: Any, **options: Any) -> Any:
        return x * options.get("rate", self.rate)


class Cached:
    def __init__(self) -> None:
        self.size, self.hits, self.verbose = 3, 0, False
        self.matrices: dict[int, Any] = {}

    def matrix(self, size: int) -> Any:
        if size not in self.matrices:
            self.matrices[size] = np.eye(size)
        return self.matrices[size]

    @functools.cached_property
    def identity(self) -> Any:
        self.hits += 1
        return np.eye(self.size)

    def apply(self, x: Any) -> Any:
        if self.verbose:
            print("tracing", x)
        return self.matrix(self.size) @ self.identity @ x


class Base:
    def __init__(self) -> None:
        self.scale, self.calls, self.training = 2.0, 0, True

    def apply(self, x: Any) -> Any:
        return x * self.scale


class Derived(Base):
    def apply(self, x: Any) -> Any:
        self.calls += 1
        return super().apply(x) + (1 if self.training else 2)
