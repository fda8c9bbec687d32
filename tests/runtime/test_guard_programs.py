"""A guard compares a call with the program that it runs: what no program reads, or a new program has, may change."""

from __future__ import annotations

import functools
import gc
import operator
import sys
import time
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxtyped_static import Static, StaticContractError, field, guard, jit, static_dataclass
from tests.runtime.guarded_values import refusal


class Physics:
    """Counts, and notes when it was used, inside of the trace and outside."""

    def __init__(self) -> None:
        self.dt = 2.0
        self._calls = 0
        self._last_used = 0.0
        self.statistics = {"mean": 0.0}
        self.history: list[float] = []

    def rate(self) -> float:
        self._calls += 1
        self._last_used = time.time()
        return self.dt

    def note(self, number: float) -> None:
        self._calls += 1
        self._last_used = time.time()
        self.statistics["mean"] += number
        self.history.append(number)


@static_dataclass
class Model:
    physics: Any = field(hash_by_id=True)


def test_a_counter_a_timestamp_and_statistics_may_change() -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x * model.physics.rate()

    model = Model(Physics())
    with guard():
        for size in (1, 1, 2, 1, 2, 3):
            assert step(jnp.ones(size), model).sum() == 2 * size
            model.physics.note(size)
        model.physics.dt = 5.0
        assert refusal(lambda: step(jnp.ones(1), model)).path == "Model.physics.dt"


def test_the_message_says_how_to_name_what_does_not_matter_and_that_works() -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        name = "_calls_cache" if hasattr(model.physics, "_calls_cache") else "_calls"
        return x * (2 if getattr(model.physics, name) >= 0 else 3)

    model = Model(Physics())
    with guard():
        step(1.0, model)
        model.physics.note(1.0)
        error = refusal(lambda: step(1.0, model))
        assert error.path == "Model.physics._calls"
        assert 'if no result depends on it, name it "_calls_cache", or keep it outside of the value' in error.advice
        named = Model(Physics())
        del named.physics._calls
        for calls in range(3):
            named.physics._calls_cache = calls
            assert step(1.0, named) == 2


def by_name(model: Any) -> Any:
    return getattr(model.physics, "dt")  # noqa: B009


def by_getter(model: Any) -> Any:
    return operator.attrgetter("physics.dt")(model)


def by_variables(model: Any) -> Any:
    return vars(model.physics)["dt"]


def by_pattern(model: Any) -> Any:
    match model.physics:
        case Physics(dt=dt):
            return dt


def by_helper(model: Any) -> Any:
    return sorted([model.physics], key=lambda physics: -physics.dt)[0].rate()


@pytest.mark.parametrize("read", [by_name, by_getter, by_variables, by_pattern, by_helper])
def test_an_attribute_that_is_read_in_an_unusual_way_must_not_change(read: Any) -> None:
    step = jax.jit(lambda x, model: x * read(model), static_argnums=1)
    model = Model(Physics())
    with guard():
        assert step(1.0, model) == 2
        model.physics.dt = 5.0
        assert refusal(lambda: step(1.0, model)).path == "Model.physics.dt"


@pytest.mark.parametrize("compiled", [jit, jax.jit])
def test_a_changed_value_may_get_a_new_program_but_not_the_old_one(compiled: Any) -> None:
    @functools.partial(compiled, static_argnames="model")
    def step(x: Any, model: Static[Model]) -> Any:
        return x * model.physics.dt

    model = Model(Physics())
    with guard():
        assert step(1.0, model) == 2
        model.physics.dt = 5.0
        for _ in range(2):
            assert step(jnp.ones(3), model)[0] == 5  # A new shape.
            assert step(1.0, model=model) == 5  # A new form of the call.
            assert refusal(lambda: step(1.0, model)).path == "Model.physics.dt"
        model.physics.dt = 2.0
        assert step(1.0, model) == 2
        assert refusal(lambda: step(jnp.ones(3), model)).reason.startswith("5.0 → 2.0: ")


def test_a_change_that_one_of_two_programs_reads() -> None:
    @jit
    def step(x: Any, model: Static[Model], full: Static[bool]) -> Any:
        return x * model.physics.rate() if full else x

    model = Model(Physics())
    with guard():
        assert [step(1.0, model, full) for full in (True, False)] == [2, 1]
        model.physics.dt = 5.0
        for _ in range(2):
            assert step(1.0, model, False) == 1
            assert refusal(lambda: step(1.0, model, True)).path == "Model.physics.dt"


def test_under_a_profiler_every_attribute_counts_as_read() -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x * model.physics.dt

    model = Model(Physics())
    with guard():
        sys.setprofile(lambda *_: None)
        try:
            step(1.0, model)
        finally:
            sys.setprofile(None)
        model.physics.history.append(1.0)
        assert refusal(lambda: step(1.0, model)).path == "Model.physics.history[0]"


def test_what_a_finaliser_reads_in_a_trace_is_not_read_by_the_program() -> None:
    class Garbage:
        def __init__(self, physics: Physics) -> None:
            self.physics, self.itself = physics, self

        def __del__(self) -> None:
            assert not self.physics.history

    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        Garbage(model.physics)
        gc.collect()
        return x * model.physics.dt

    model = Model(Physics())
    callbacks = list(gc.callbacks)
    with guard():
        step(1.0, model)
        model.physics.history.append(1.0)
        assert step(1.0, model) == 2
        model.physics.dt = 5.0
        assert refusal(lambda: step(1.0, model)).path == "Model.physics.dt"
    assert gc.callbacks == callbacks


def test_what_a_listener_of_jax_reads_in_a_trace_is_not_read_by_the_program() -> None:
    model = Model(Physics())

    def history(*_: Any, **__: Any) -> None:
        assert len(model.physics.history) < 9

    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x * model.physics.dt

    jax.monitoring.register_event_duration_secs_listener(history)
    try:
        with guard():
            step(1.0, model)
            model.physics.history.append(1.0)
            assert step(1.0, model) == 2
    finally:
        jax.monitoring.unregister_event_duration_listener(history)


class Settable:
    """Compared by identity; each attribute is read by some of the programs."""

    def __init__(self, one: float) -> None:
        self.one, self.two, self.three = one, 1.0, 1.0


NUMBERS = st.sampled_from([1.0, 2.0, 3.0])
STEPS = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.one_of(
            st.tuples(st.sampled_from(["one", "two", "three"]), NUMBERS),
            st.tuples(st.sampled_from([1, 2, 3]), st.booleans()),
        ),
    ),
    min_size=2,
    max_size=14,
)


@settings(max_examples=25, deadline=None)
@given(STEPS)
def test_a_call_is_refused_exactly_if_its_program_would_give_another_number(steps: Any) -> None:
    def second(value: Any) -> Any:
        return value.two

    def plain(x: Any, value: Any, is_short: bool) -> Any:
        return x * value.one if is_short else x * value.one + second(value)

    guarded = jax.jit(plain, static_argnums=(1, 2))
    unguarded = jax.jit(lambda *args: plain(*args), static_argnums=(1, 2))
    values = [Settable(1.0), Settable(2.0)]
    for index, (what, how) in steps:
        value = values[index]
        if isinstance(what, str):
            setattr(value, what, how)
            continue
        x = jnp.full(what, 3.0)
        right = bool((unguarded(x, value, how) == plain(x, value, how)).all())
        with guard():
            try:
                guarded(x, value, how)
                is_refused = False
            except StaticContractError:
                is_refused = True
        assert is_refused is not right
