"""A guard takes small programs in which objects change that compiled functions hold; and refuses their wrong twins."""

from __future__ import annotations

import contextlib
import enum
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyped_static import StaticContractError, guard
from tests.runtime.held_objects import Base, Cached, Derived, Trainer

Program = Callable[[], object]
RIGHT: list[Program] = []
WRONG: list[Program] = []


def right(program: Program) -> Program:
    RIGHT.append(program)
    return program


def wrong(program: Program) -> Program:
    WRONG.append(program)
    return program


@right
def an_environment() -> None:
    class Environment:
        def __init__(self) -> None:
            self.dt, self.state, self.steps, self.random = 0.1, jnp.zeros(2), 0, random.Random(0)

        def dynamics(self, state: Any, action: Any) -> Any:
            return state + self.dt * action

        def reset(self) -> None:
            self.state, self.steps = jnp.zeros(2), 0

    environment: Any = Environment()
    step = jax.jit(environment.dynamics)
    for _ in range(2):
        environment.reset()
        for _ in range(2):
            environment.state = step(environment.state, environment.random.random())
            environment.steps += 1


@right
def a_trainer() -> None:
    trainer: Any = Trainer(parameters=jnp.ones(2))
    update = jax.jit(trainer.update)
    for trainer.epoch in range(3):
        trainer.parameters = update(trainer.parameters, jnp.zeros(2))
        trainer.options["name"] = f"run {trainer.epoch}"


@right
def a_rate_that_is_passed() -> None:
    trainer: Any = Trainer()
    update, by_name = jax.jit(trainer.update), jax.jit(trainer.by_name)
    for _ in range(3):
        trainer.rate *= 0.9
        update(jnp.ones(2), jnp.zeros(2), trainer.rate)
        by_name(jnp.ones(2), rate=trainer.rate)


@wrong
def a_rate_that_is_not_passed() -> None:
    trainer: Any = Trainer()
    update = jax.jit(trainer.update)
    for _ in range(2):
        trainer.rate *= 0.9
        update(jnp.ones(2), jnp.zeros(2))


@right
def a_timer() -> None:
    class Timer:
        def __init__(self) -> None:
            self.total, self.count = 0.0, 0

        @contextlib.contextmanager
        def time(self, label: str) -> Iterator[None]:
            start = time.time()
            yield
            self.total += time.time() - start
            self.count += 1

    timer: Any = Timer()

    @jax.jit
    def step(x: Any) -> Any:
        with timer.time(f"part {timer.count}"), jax.named_scope(f"part{timer.count}"):
            return x * 2

    for _ in range(3):
        with timer.time("all"):
            step(1.0)


@right
def a_registry() -> None:
    functions: dict[str, Any] = {"double": lambda x: x * 2}

    @jax.jit
    def step(x: Any) -> Any:
        return functions["double"](x)

    step(1.0)
    functions["triple"] = lambda x: x * 3
    step(1.0)


@right
def tables_of_statistics() -> None:
    counts, log = Counter[str](), defaultdict[str, list[int]](list)

    @jax.jit
    def step(x: Any) -> Any:
        counts["traces"] += 1
        log["traces"].append(counts["traces"])
        return x * 2

    for number in range(3):
        step(1.0)
        counts["calls"] += 1
        log["calls"].append(number)


@right
def caches() -> None:
    cached: Any = Cached()
    apply = jax.jit(cached.apply)
    for number in range(3):
        apply(jnp.ones(3))
        cached.matrix(5 + number)
        cached.hits += 1
        cached.verbose = not cached.verbose


@right
def a_derived_class() -> None:
    derived: Any = Derived()
    apply = jax.jit(derived.apply)
    for _ in range(3):
        apply(1.0)
        derived.calls += 5


@wrong
def an_attribute_that_a_base_reads() -> None:
    derived: Any = Derived()
    apply = jax.jit(derived.apply)
    apply(1.0)
    derived.scale = 3.0
    apply(1.0)


@wrong
def a_mode() -> None:
    derived: Any = Derived()
    apply = jax.jit(derived.apply)
    apply(1.0)
    derived.training = False
    apply(1.0)


@right
def objects_that_are_bound_again() -> None:
    base = Base()

    @jax.jit
    def step(x: Any) -> Any:
        return x * base.scale

    step(1.0)
    base = Base()
    step(1.0)


@wrong
def another_object_that_is_bound() -> None:
    base = Base()

    @jax.jit
    def step(x: Any) -> Any:
        return x * base.scale  # type: ignore[jit-mutation]

    step(1.0)
    base = Base()
    base.scale = 3.0
    step(1.0)


@wrong
def parameters_of_a_model() -> None:
    class Model:
        def __init__(self) -> None:
            self.parameters = {"weight": jnp.ones(2)}
            self.predict = jax.jit(self._predict)

        def forward(self, parameters: Any, x: Any) -> Any:
            return parameters["weight"] * x

        def _predict(self, x: Any) -> Any:
            return self.forward(self.parameters, x)

    model: Any = Model()
    model.predict(1.0)
    model.parameters = {"weight": jnp.zeros(2)}
    model.predict(1.0)


class Buffer:
    def __init__(self) -> None:
        self.table, self.array = np.zeros((3, 2)), jnp.ones(2)
        self.parameters = {"weight": jnp.ones(2)}

    def sample(self, x: Any) -> Any:
        names = [name for name in self.parameters if name != "bias"]
        for name in self.parameters:
            x = x * len(name)
        fresh = jax.tree_util.tree_map(jnp.zeros_like, self.parameters)
        return x + self.table.shape[1] + jnp.ones_like(self.array) + fresh[names[0]] * self.array.dtype.itemsize

    def resized(self, x: Any) -> Any:
        return x * self.table.shape[0]


@right
def a_buffer_of_which_only_the_shape_is_read() -> None:
    buffer: Any = Buffer()
    sample = jax.jit(buffer.sample)
    for number in range(3):
        sample(jnp.ones(2))
        buffer.table[number] = number
        buffer.array = buffer.array + 1
        buffer.parameters = {"weight": buffer.array}


@wrong
def a_buffer_of_another_shape() -> None:
    buffer: Any = Buffer()
    resized = jax.jit(buffer.resized)
    resized(1.0)
    buffer.table = np.zeros((4, 2))
    resized(1.0)


@right
def a_generator() -> None:
    numbers = iter(range(10))
    base: Any = Base()

    @jax.jit
    def step(x: Any) -> Any:
        base.calls = next(numbers)  # type: ignore[jit-mutation]
        return x * base.scale

    for _ in range(3):
        step(1.0)
        next(numbers)


@right
def a_custom_derivative() -> None:
    base: Any = Base()

    @jax.custom_vjp
    def scaled(x: Any) -> Any:
        return x * base.scale

    scaled.defvjp(lambda x: (scaled(x), x), lambda _, gradient: (gradient * base.scale,))
    step = jax.jit(jax.grad(scaled))
    for _ in range(3):
        step(1.0)
        base.calls += 1


@right
def a_mode_as_an_enum() -> None:
    class Mode(enum.Enum):
        TRAIN = 1
        EVALUATE = 2

    base: Any = Base()
    base.mode = Mode.TRAIN
    step = jax.jit(lambda x: x * (base.scale if base.mode is Mode.TRAIN else base.calls))  # type: ignore[jit-mutation]
    for _ in range(3):
        step(1.0)
        base.calls += 1


@right
def a_handler_that_did_not_run() -> None:
    base: Any = Base()

    @jax.jit
    def step(x: Any) -> Any:
        try:
            return x * base.scale
        except TypeError:
            return x * base.calls  # type: ignore[jit-mutation]

    for base.calls in range(3):
        step(1.0)


@right
def a_seed_that_is_passed() -> None:
    class Sampler:
        def __init__(self) -> None:
            self.key = jax.random.PRNGKey(0)
            self.sample = jax.jit(self._sample)

        def _sample(self, key: Any) -> Any:
            return jax.random.normal(key)

        def __call__(self) -> Any:
            self.key, key = jax.random.split(self.key)
            return self.sample(key)

    sampler = Sampler()
    for _ in range(3):
        sampler()


@right
def listeners() -> None:
    base: Any = Base()
    base.listeners = [print]

    @jax.jit
    def step(x: Any) -> Any:
        for listener in base.listeners:
            listener("tracing", base.calls, end="")  # type: ignore[jit-mutation]
        return x * base.scale

    for base.calls in range(3):
        step(1.0)
        base.listeners.append(lambda *_, **__: None)


@pytest.mark.parametrize("program", RIGHT)
def test_a_right_program_is_not_refused(program: Program) -> None:
    with guard():
        program()


@pytest.mark.parametrize("program", WRONG)
def test_a_wrong_program_is_refused(program: Program) -> None:
    with guard(), pytest.raises(StaticContractError):
        program()
