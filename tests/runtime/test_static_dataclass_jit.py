"""Right results where JAX's own comparison of static arguments gives wrong ones, and no unnecessary compilation."""

from __future__ import annotations

import dataclasses
import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from immutabledict import immutabledict

from jaxtyped_static import Static, field, jit, static_dataclass
from tests.runtime.static_values import ALIKE, Box, Level, Point, Size, Solver, Word, label


@static_dataclass
class Power:
    power: Any


@dataclass(frozen=True)
class FrozenPower:
    power: Any


class _ByFields:
    """TORAX's base: hashed and compared by all fields, and by the class's name."""

    def _all(self) -> tuple[Any, ...]:
        return (type(self).__qualname__, *(getattr(self, each.name) for each in dataclasses.fields(self)))  # type: ignore[arg-type]

    def __hash__(self) -> int:
        return hash(self._all())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._all() == other._all()


@dataclass(frozen=True, eq=False)
class ToraxPower(_ByFields):
    power: Any


X = jnp.int32(100_000)


def raised() -> Callable[[Any, Any], Any]:
    return jax.jit(lambda x, config: x**config.power, static_argnums=1)


def test_the_simplest_wrong_number() -> None:
    for cls, second in ((FrozenPower, 1410065408), (ToraxPower, 1410065408), (Power, 1e10)):
        power = raised()
        assert power(X, cls(2)) == 1410065408
        assert power(X, cls(2.0)) == pytest.approx(second)
        assert power(X, cls(2)) == 1410065408


def describe(value: Any) -> tuple[Any, ...]:
    """Returns what a program can see of a value, as numbers."""
    text = f"{type(value).__name__} {value!r}"
    return tuple(map(float, text.encode()))


@pytest.mark.parametrize("group", ALIKE, ids=label)
def test_each_value_runs_its_own_program(group: tuple[Any, ...]) -> None:
    @jit
    def program(x: jax.Array, config: Static[Box]) -> jax.Array:
        return x + jnp.asarray(describe(config.item)).sum() + len(describe(config.item)) * 1000

    expected = {Box(value): sum(describe(value)) + len(describe(value)) * 1000 for value in group}
    assert len(expected) == len(group)
    for box, number in expected.items():
        assert program(jnp.float32(0), box) == number


WRONG_IN_A_FROZEN_DATACLASS: list[tuple[Any, Any]] = [
    (1, 1.0),
    (1, True),
    (0.0, -0.0),
    (1.0, np.float64(1)),
    (np.int32(1), np.int64(1)),
    (1, Level.ONE),
    ("a", Word("a")),
    ((1,), Point(1)),
    (Point(1), Size(1)),
    (frozenset({1}), frozenset({True})),
    (range(0), range(1, 1)),
    (immutabledict({"a": 1}), immutabledict({"a": 1.0})),
    (immutabledict({"a": 1, "b": 2}), immutabledict({"b": 2, "a": 1})),
]


@pytest.mark.parametrize("pair", WRONG_IN_A_FROZEN_DATACLASS, ids=label)
def test_values_that_share_a_program_in_other_classes_do_not_in_a_static_one(pair: tuple[Any, Any]) -> None:
    for cls, traces in ((FrozenPower, 1), (ToraxPower, 1), (Power, 2)):
        assert traces_of(cls, pair * 2) == traces, cls


def test_nan_compiles_once() -> None:
    values = [float("nan") for _ in range(3)]
    assert traces_of(FrozenPower, values) == 3
    assert traces_of(Power, values) == 1


def traces_of(cls: Any, values: Sequence[Any]) -> int:
    """Returns how often JAX traces a function for objects of the class with these values, one after the other."""
    traced: list[object] = []

    def program(x: jax.Array, config: Any) -> jax.Array:
        traced.append(config)
        return x

    # A class for this call only: JAX may compare any two values of one class, and NumPy's `==` with a range raises.
    own_class: Any = type(cls.__name__, (cls,), {})
    compiled = jax.jit(program, static_argnums=1)
    for value in values:
        compiled(X, own_class(value))
    return len(traced)


def test_two_classes_with_the_same_name() -> None:
    def make(factor: float) -> Any:
        @static_dataclass
        class Local:
            n: int

            def __call__(self, x: Any) -> Any:
                return x * factor

        return Local

    program = jax.jit(lambda x, config: config(x), static_argnums=1)
    assert program(2.0, make(3.0)(1)) == 6.0
    assert program(2.0, make(5.0)(1)) == 10.0


def test_equal_values_compile_once_even_if_the_first_is_freed() -> None:
    traced: list[object] = []

    @jit
    def program(x: jax.Array, solver: Static[Solver]) -> jax.Array:
        traced.append(None)
        return x * solver.scale

    for _ in range(3):
        assert program(X, Solver(2, scale=0.5)) == 50_000
        gc.collect()
    assert len(traced) == 1
    assert program(X, Solver(2, scale=2)) == 200_000


def test_as_metadata_of_a_pytree_and_in_methods() -> None:
    captured: list[object] = []

    @jax.tree_util.register_dataclass
    @dataclass(frozen=True)
    class State:
        u: jax.Array
        power: Power = dataclasses.field(metadata={"static": True})

    @jax.jit
    def step(state: State) -> State:
        captured.append(state.power)
        return State(state.u**state.power.power, state.power)

    assert step(State(X, Power(2))).u == 1410065408
    assert step(State(X, Power(2.0))).u == pytest.approx(1e10)
    assert step(State(X, Power(2))).power is Power(2)
    assert captured == [Power(2), Power(2.0)]

    @static_dataclass
    class Model:
        scale: float
        loud: bool = field(default=False, kw_only=True)

        @jit
        def run(self: Static[Model], x: jax.Array) -> jax.Array:
            return x * self.scale

    assert Model(2.0).run(jnp.ones(2)).sum() == 4
    assert jax.vmap(Model(3.0).run)(jnp.ones(2)).sum() == 6
    assert jax.grad(lambda x: Model(3.0).run(x))(1.0) == 3.0
    value, _ = jax.lax.scan(lambda c, _: (Model(2.0).run(c), None), jnp.float32(1), length=3)
    assert value == 8
