"""A guard accepts differences in a static value that do not count as changes."""

from __future__ import annotations

import dataclasses
import functools
from collections import OrderedDict
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyped_static import Static, field, guard, jit, static_dataclass
from tests.runtime.guarded_values import Config, Model, Registry, Solver, refusal, set_anyway, unseen


class Lazy:
    """Fills all kinds of caches, and counts."""

    def __init__(self) -> None:
        self._none: Any = None
        self._table: dict[str, Any] = {}
        self._entries: Any = {"first": 1}
        self._value_cache = 1
        self._hash_value = -1
        self._dt = 2.0
        self._parts = (1.0, ("a", Solver(2.0)))

    def __eq__(self, other: object) -> bool:
        return type(other) is Lazy and self._dt == other._dt

    def __hash__(self) -> int:
        self._hash_value = hash(self._dt)
        return self._hash_value

    @functools.cached_property
    def cached(self) -> float:
        return self._dt * 2

    def fill(self, number: int) -> None:
        assert self.cached == 4
        set_anyway(self, "_later", 1)
        self._none = self._none or object()
        self._table[f"key {number}"] = number
        self._entries = {**self._entries, number: number}
        self._value_cache = number
        self._dt = float("2")
        self._parts = (float("1"), ("".join(["a"]), Solver(float("2"))))


def memoised() -> Any:
    """Returns a function with a table, a counter and a cache."""
    calls, table = 0, {}

    @functools.cache
    def double(x: float) -> float:
        return 2 * x

    def function(x: Any) -> Any:
        nonlocal calls
        calls += 1
        table[calls] = calls
        return x * double(1.0)

    return function


scale = memoised()


def test_filling_a_cache_or_setting_an_equal_value_is_not_a_change() -> None:
    @jit
    def step(x: Any, lazy: Static[Any], scale: Static[Any]) -> Any:
        return scale(x) * lazy._dt

    lazy = unseen(Lazy())
    with guard():
        for number in range(4):
            assert step(1.0, lazy, scale) == 4
            assert step(jnp.ones(1 + number), lazy, scale).sum() == 4 * (1 + number)
            lazy.fill(number)
            scale(1.0)


def counted(function: Any) -> Any:
    """Decorators keep their counters in objects and tables."""
    stats, table, weights = Registry(), {"calls": 0}, jnp.ones(3)

    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        stats.weight += 1
        table["calls"] += 1
        return function(*args) + weights.sum()

    wrapper.weights = weights  # type: ignore[attr-defined]
    return wrapper


@counted
def double(x: Any) -> Any:
    return x * 2


@functools.singledispatch
def dispatched(x: Any) -> Any:
    return x * 2


class Cached(Lazy):
    def __init__(self) -> None:
        super().__init__()
        self._cache = OrderedDict[str, int]()


def test_counters_of_decorators_and_caches_of_any_class_are_not_changes() -> None:
    @jit
    def step(x: Any, f: Static[Any], other: Static[Any] = None) -> Any:
        return f(x)

    cached = unseen(Cached())
    with guard():
        for size in (1, 2, 1, 3, 2):
            step(jnp.ones(size), double, cached)
            step(jnp.ones(size), dispatched, (cached,))
            step(jnp.ones(size), dispatched, cached)
            double(1.0)
            dispatched(np.ones(size))
            dispatched(size)
            cached._cache[f"key {size}"] = cached._cache["last"] = size
        double.weights.delete()
        step(jnp.ones(1), double, cached)


def test_an_omitted_default_only_must_not_change() -> None:
    """JAX never hashes it."""

    @jit
    def step(x: Any, act: Static[Any] = lambda v: v, sizes: Static[Any] = [1, 2]) -> Any:  # noqa: B006
        return act(x) * sizes[0]

    with guard():
        for size in (1, 2, 1):
            step(jnp.ones(size))


def test_a_long_tuple_of_numbers_is_one_atom() -> None:
    @jit
    def step(x: Any, config: Static[Config]) -> Any:
        return x * config.power[0]

    config = Config(tuple(map(float, range(100_000))))
    with guard():
        step(1.0, config)
        set_anyway(config, "power", (7.0, *config.power[1:]))
        error = refusal(lambda: step(1.0, config))
    assert error.path == "Config.power" and error.reason.startswith("(0.0, 1.0, ") and len(error.reason) < 300


Made: Any = dataclasses.make_dataclass("Made", [("power", Any)], namespace={"__hash__": lambda _: 1}, frozen=True)


def test_a_class_made_by_a_call_is_looked_into() -> None:
    @jit
    def step(x: Any, config: Static[Any]) -> Any:
        return x * config.power

    config = Made(2)
    with guard():
        step(1.0, config)
        set_anyway(config, "power", 3)
        assert refusal(lambda: step(1.0, config)).path == "Made.power"


def test_changes_by_the_function_during_its_trace_do_not_count() -> None:
    """It happens before a program exists."""

    class Counter:
        def __init__(self) -> None:
            self.traces = 0
            self.shapes: list[Any] = []

    @static_dataclass
    class Counted:
        counter: Counter = field(hash_by_id=True)

    @jit
    def step(x: Any, counted: Static[Counted]) -> Any:
        counted.counter.traces += 1
        counted.counter.shapes.append(jnp.shape(x))
        return x

    counted = Counted(Counter())
    with guard():
        for size in (1, 2, 1, 3, 2):
            step(jnp.ones(size), counted)
    assert counted.counter.traces == 3


def test_a_failed_call_leaves_nothing_behind() -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x * (1 / model.registry.weight)

    model = Model(Registry())
    model.registry.weight = 0.0
    with guard():
        with pytest.raises(ZeroDivisionError):
            step(1.0, model)
        model.registry.weight = 0.5
        assert step(1.0, model) == 2
