"""By default a guard sees functions of `jax.jit`, too. There only a wrong number is refused, not a broken contract."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtyped_static import Static, guard, jit
from tests.runtime.guarded_values import Config, Registry, refusal, set_anyway, unseen


class Trainer:
    """As research code has them: hashed by identity, with attributes that change all the time."""

    def __init__(self) -> None:
        self.rate = 0.5
        self.epoch = 0
        self.losses: list[float] = []
        self.statistics = {"calls": 0}

    @functools.partial(jax.jit, static_argnums=0)
    def step(self, w: Any) -> Any:  # type: ignore[static-mutable]
        return w - self.rate * self.slope(w)

    def slope(self, w: Any) -> Any:
        return 2 * w

    def fit(self, w: Any) -> Any:
        for self.epoch in range(5):
            w = self.step(w)
            self.losses.append(float(w))
            self.statistics["calls"] += 1
        return w


def test_attributes_that_no_program_reads_may_change() -> None:
    trainer = Trainer()
    with guard():
        assert trainer.fit(1.0) == 0
        trainer.rate = 0.25
        assert refusal(lambda: trainer.step(1.0)).path == "Trainer.rate"


@functools.partial(jax.jit, static_argnames="config")
def apply(x: Any, config: Any) -> Any:
    return config(x) if callable(config) else x


def test_a_broken_contract_without_a_wrong_number_is_not_refused() -> None:
    values: list[Callable[[], Any]] = [
        lambda: lambda x: x * 2,
        lambda: functools.partial(jnp.add, 1),
        Registry,
        object,
        lambda: Config(lambda x: x),
    ]
    with guard():
        for make in values:
            for _ in range(2):
                apply(1.0, config=make())
        jnp.sum(jnp.ones(3), axis=(0,))
        jnp.einsum("i,i->", jnp.ones(3), jnp.ones(3))
        jax.random.normal(jax.random.key(0), (3,))


@functools.partial(jax.jit, static_argnames="config")
def scaled(x: Any, config: Any) -> Any:
    return x * config.power


@dataclass(frozen=True, eq=False)
class ByIdentity:
    power: Any


@dataclass(frozen=True)
class Named(Config):
    name: str = ""


def test_a_wrong_number_is_refused_and_a_difference_that_is_not_read_is_not() -> None:
    stale = unseen(ByIdentity(2.0))
    with guard():
        assert scaled(1, config=stale) == 2
        set_anyway(stale, "power", 5.0)
        assert refusal(lambda: scaled(1, config=stale)).code == "static-mutable"
        assert scaled(1, config=Named(2, (1,))) == 2
        assert refusal(lambda: scaled(1, config=Named(2.0, (1,)))).code == "static-eq"
        assert scaled(1, config=Named(2, (1.0,))) == 2


def test_who_marks_a_parameter_is_held_to_the_contract() -> None:
    @functools.partial(jax.jit, static_argnames="config")
    def marked(x: Any, config: Static[Any]) -> Any:
        return x

    with guard():
        assert refusal(lambda: marked(1.0, config=unseen(Registry()))).code == "static-mutable"


@pytest.mark.parametrize(("compiled", "is_guarded"), [(jit, True), (jax.jit, False)])
def test_a_guard_may_be_limited_to_our_functions(compiled: Any, is_guarded: bool) -> None:
    value = ByIdentity(2.0)
    step = compiled(lambda x, config: x * config.power, static_argnames="config")
    with guard(jax_jit=False):
        if is_guarded:
            assert refusal(lambda: step(1.0, config=value)).code == "static-hash"
        else:
            step(1.0, config=value)
            set_anyway(value, "power", 5.0)
            assert step(1.0, config=value) == 2
