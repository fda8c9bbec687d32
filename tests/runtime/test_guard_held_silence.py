"""A guard takes what is right: objects that a compiled function holds may change where no program depends on it."""

from __future__ import annotations

import functools
import itertools
import logging
import threading
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyped_static import guard
from tests.runtime.held_objects import OtherSolver, Plain, Solver, scaled_by

Function = Callable[[Any], Any]
LOGGER = logging.getLogger(__name__)


def set_all(it: Any, **values: Any) -> None:
    for name, value in values.items():
        setattr(it, name, value)


class Counter:
    def __init__(self) -> None:
        self.count = 0
        self.times: list[float] = []

    def up(self) -> int:
        self.count += 1
        self.times.append(time.time())
        return self.count

    def next(self) -> int:
        self.count = self.count + 1
        return self.count


def counts_traces(it: Any) -> Function:
    def step(x: Any) -> Any:
        it.calls += 1
        it.results.append(it.calls)
        return x * 2

    return step


def fills_a_cache(it: Any) -> Function:
    def step(x: Any) -> Any:
        if x.shape not in it.memory:
            it.memory[x.shape] = np.ones(x.shape)
        return x * it.memory[x.shape].sum()

    return step


def fills_a_captured_cache(it: Any) -> Function:
    table: dict[Any, Any] = {}

    def step(x: Any) -> Any:
        if x.shape not in table:
            table[x.shape] = float(sum(x.shape))
        for value in table.values():
            x = x + value
        return x

    return step


def computes_lazily(it: Any) -> Function:
    def step(x: Any) -> Any:
        if it.lazy is None:
            it.lazy = it.scale * 2
        return x * it.lazy

    return step


def logs(it: Any) -> Function:
    def step(x: Any) -> Any:
        LOGGER.info("step %s of %s", it.calls, it.other)
        print(f"tracing {it.calls}", end="")
        jax.debug.print("{}", it.calls)
        if it.calls > 1_000:
            LOGGER.warning("traced often")
        return x * it.scale

    return step


def calls_back(it: Any) -> Function:
    def host(x: Any) -> Any:
        return np.asarray(x) * it.calls

    def step(x: Any) -> Any:
        return jax.pure_callback(host, jax.eval_shape(lambda: x), x) + it.scale

    return step


def calls_a_method_back(it: Any) -> Function:
    def step(x: Any) -> Any:
        return jax.pure_callback(it.on_host, jax.eval_shape(lambda: x), x)

    return step


class OnHost(Plain):
    def on_host(self, x: Any) -> Any:
        return np.asarray(x) * self.calls


def default_argument(it: Any) -> Function:
    def step(x: Any, dt: Any = None) -> Any:
        dt = it.other if dt is None else dt
        return x * dt

    return lambda x: step(x, 2.0)


def another_arm(it: Any) -> Function:
    def step(x: Any) -> Any:
        if it.mode == "scale":
            return x * it.scale
        return x * it.other

    return step


def another_shape(it: Any) -> Function:
    def step(x: Any) -> Any:
        if x.ndim == 2:
            return x * it.other
        return x * 2

    return step


def a_threshold(it: Any) -> Function:
    def step(x: Any) -> Any:
        if it.calls < 1_000 and it.mode != "other":
            return x * it.scale
        return x * it.other

    return step


def an_assertion(it: Any) -> Function:
    def step(x: Any) -> Any:
        assert it.calls >= 0, it.other
        if it.calls < 0:
            raise ValueError(it.other)
        return x * it.scale

    return step


def one_key_of_many(it: Any) -> Function:
    def step(x: Any) -> Any:
        for name in ("scale",):
            x = x * it.settings[name]
        return x

    return step


def by_helper_of_library(it: Any) -> Function:
    return lambda x: x * len(it.results) * 0 + functools.reduce(lambda a, b: a + b, (1.0, 2.0))


def other_object_of_one_name(it: Any) -> Function:
    solver = Solver()
    return lambda x: x * solver.steps + it.solver.dt


def change_and_restore(it: Any) -> None:
    it.scale = 3.0
    it.scale = float("2")


# A program, and what happens between its calls.
RIGHT: dict[str, tuple[Callable[[Any], Function], Callable[[Any], object]]] = {
    "an attribute that nobody reads": (
        lambda it: lambda x: x * it.scale,
        lambda it: set_all(it, other=it.other + 1),
    ),
    "a counter": (lambda it: lambda x: x * it.scale, lambda it: set_all(it, calls=it.calls + 1)),
    "a counter of traces": (counts_traces, lambda it: set_all(it, calls=it.calls + 1)),
    "a cache that tracing fills": (fills_a_cache, lambda it: it.memory.update(other=1)),
    "a captured cache that tracing fills": (fills_a_captured_cache, lambda it: None),
    "a lazy value": (computes_lazily, lambda it: None),
    "log messages": (logs, lambda it: set_all(it, calls=it.calls + 1, other=7.0)),
    "a host callback": (calls_back, lambda it: set_all(it, calls=it.calls + 1)),
    "a method as host callback": (calls_a_method_back, lambda it: set_all(it, calls=it.calls + 1)),
    "a default that is not used": (default_argument, lambda it: set_all(it, other=it.other + 1)),
    "another arm": (another_arm, lambda it: set_all(it, other=it.other + 1)),
    "an arm that cannot be told": (another_shape, lambda it: set_all(it, other=it.other + 1)),
    "a condition that still holds": (
        a_threshold,
        lambda it: set_all(it, calls=it.calls + 1, mode="third"),
    ),
    "an assertion": (an_assertion, lambda it: set_all(it, other=it.other + 1)),
    "another item": (lambda it: lambda x: x * it.settings["scale"], lambda it: it.settings.update(new=1, other=2)),
    "an item by a computed key": (one_key_of_many, lambda it: it.settings.update(new=1, other=2)),
    "results outside": (lambda it: lambda x: x * it.scale, lambda it: it.results.append(it.scale)),
    "a length": (by_helper_of_library, lambda it: it.results.append(1)),
    "an attribute of the same name": (other_object_of_one_name, lambda it: set_all(it.solver, steps=5)),
    "changed and changed back": (
        lambda it: lambda x: x * it.scale,
        change_and_restore,
    ),
    "equal arrays": (
        lambda it: lambda x: x.sum() * it.table + it.weights + it.large[:2],
        lambda it: set_all(it, table=it.table.copy(), weights=jnp.array([2.0, 1.0]), large=jnp.zeros(10_000)),
    ),
    "an equal object": (lambda it: lambda x: it.solver.apply(x), lambda it: set_all(it, solver=Solver())),
    "an object of another class, of which the same is read": (
        lambda it: lambda x: x * it.solver.dt,
        lambda it: set_all(it, solver=OtherSolver()),
    ),
    "an equal list": (lambda it: lambda x: x * sum(it.factors), lambda it: set_all(it, factors=[1.0, 2.0])),
    "further attributes": (lambda it: lambda x: x * it.scale, lambda it: set_all(it, **{f"new_{time.time_ns()}": 1})),
    "a method that keeps statistics": (
        lambda it: (lambda counter: lambda x: (counter.up(), x * it.scale)[1])(Counter()),
        lambda it: None,
    ),
    "a lock, a module, a class and a generator": (
        lambda it: (lambda *held: lambda x: x * it.scale + 0 * len(held))(threading.Lock(), np, Plain, iter("ab")),
        lambda it: None,
    ),
    "an attribute that is hidden": (
        lambda it: lambda x: x * it._scale_cache,
        lambda it: set_all(it, _scale_cache=it._scale_cache + 1),
    ),
}


@pytest.mark.parametrize(("make", "between"), RIGHT.values(), ids=RIGHT)
def test_what_no_program_depends_on_may_change(make: Any, between: Any) -> None:
    it: Any = OnHost()
    it._scale_cache = 1.0
    step = jax.jit(make(it))
    with guard():
        for size in (2, 2, 2, 1, 2, 1):
            step(jnp.ones(size))
            between(it)


def test_a_function_that_is_compiled_again_after_a_change() -> None:
    plain = Plain()
    with guard():
        for number in range(3):
            plain.scale = float(number)
            step = jax.jit(lambda x: x * plain.scale)
            assert step(1.0) == step(1.0) == number


def test_caches_that_are_cleared() -> None:
    plain = Plain()
    step: Any = jax.jit(lambda x: x * plain.scale)
    with guard():
        for number in range(3):
            plain.scale = float(number)
            assert step(1.0) == number
            step.clear_cache()


def test_what_was_compiled_outside_of_the_block() -> None:
    plain = Plain()
    step = jax.jit(lambda x: x * plain.scale)
    with guard():
        assert step(1.0) == 2
    plain.scale = 3.0
    assert step(jnp.ones(1))[0] == 3
    with guard():
        for _ in range(3):
            assert step(jnp.ones(1))[0] == 3


def test_a_captured_object_that_another_block_changes_and_restores() -> None:
    plain = Plain()
    step = jax.jit(functools.partial(scaled_by, plain))
    with guard():
        assert step(1.0) == 2
        plain.scale = 3.0
        assert step(jnp.ones(1))[0] == 3
        plain.scale = 2.0
        assert step(1.0) == 2


def test_a_training_loop_with_all_that_goes_with_it() -> None:
    class Trainer:
        def __init__(self) -> None:
            self.rate, self.epoch, self.step_count = 0.1, 0, 0
            self.best, self.started = float("inf"), time.time()
            self.history: list[Any] = []
            self.parameters = jnp.ones(2)
            self.lock, self.ticks, self.logger = threading.Lock(), itertools.count(), LOGGER
            self.update = jax.jit(self._update)

        def loss(self, parameters: Any, x: Any) -> Any:
            self.logger.debug("loss in epoch %d", self.epoch)
            return ((parameters - x) ** 2).mean()

        def _update(self, parameters: Any, x: Any) -> Any:
            value, gradient = jax.value_and_grad(self.loss)(parameters, x)
            return parameters - self.rate * gradient, value

        def train(self, x: Any) -> None:
            for self.epoch in range(3):
                with self.lock:
                    self.parameters, loss = self.update(self.parameters, x)
                self.step_count += 1
                self.best = min(self.best, float(loss))
                self.history.append((next(self.ticks), float(loss)))

    with guard():
        Trainer().train(jnp.zeros(2))
