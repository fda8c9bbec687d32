"""Where a guard applies: threads, decorated functions, equalities; and that nothing changes outside."""

from __future__ import annotations

import asyncio
import dataclasses
import gc
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax._src import api, pjit, util

from jaxtyped_static import Static, StaticContractError, guard, jit
from jaxtyped_static._calls import verification
from jaxtyped_static._calls.guarding import Guard
from jaxtyped_static._calls.watching import Call
from tests.runtime.guarded_values import Config, Model, Registry, Solver, refusal, set_anyway, unseen, weigh

MAKERS: list[Callable[[int], Any]] = [
    Solver,
    lambda number: Config(number, (Solver(number),)),
    lambda number: Model(Registry(), order=number),
    lambda number: (number, number),
]


@pytest.fixture
def changed() -> Iterator[Model]:
    model = Model(Registry())
    with guard():
        weigh(1.0, model)
    model.registry.weight = 5.0
    yield model


def test_it_may_decorate_a_function_and_be_nested(changed: Model) -> None:
    @guard()
    def program() -> None:
        weigh(1.0, changed)

    for _ in range(2):
        refusal(program)
    weigh(1.0, changed)
    with guard():
        with guard(jax_jit=True):
            refusal(lambda: weigh(1.0, changed))
        refusal(lambda: weigh(1.0, changed))
    weigh(1.0, changed)


def test_it_covers_all_threads_and_tasks(changed: Model) -> None:
    errors: list[StaticContractError] = []

    async def task() -> None:
        await asyncio.sleep(0)
        errors.append(refusal(lambda: weigh(1.0, changed)))

    async def tasks() -> None:
        await asyncio.gather(task(), task())

    with guard():
        threads = [threading.Thread(target=lambda: errors.append(refusal(lambda: weigh(1.0, changed))))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        asyncio.run(tasks())
    assert len(errors) == 3


def test_a_new_thread_may_trace() -> None:
    step = jax.jit(lambda x, model: x * model.registry.weight, static_argnums=1)
    model, x = Model(Registry()), jnp.float32(1)
    with guard():
        for size in (1, 2):
            with ThreadPoolExecutor(1) as pool:
                assert pool.submit(step, jnp.ones(size), model).result()[0] == 2
        model.registry.weight = 5.0
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(step, x, model).result() == 5
            refused = pool.submit(step, jnp.ones(2), model)
        assert refusal(refused.result).path == "Model.registry.weight"


def test_an_equality_that_calls_compiled_functions_is_not_guarded_itself() -> None:
    class Odd(Solver):
        def __eq__(self, other: object) -> bool:
            return type(other) is Odd and bool(weigh(self._dt, stale) == weigh(other._dt, stale))

        __hash__ = Solver.__hash__

    @jit
    def step(x: Any, odd: Static[Odd]) -> Any:
        return x * odd._dt

    stale = Model(Registry())
    with guard():
        assert [step(1.0, Odd(number)) for number in (1.0, 1.0, 2.0)] == [1, 1, 2]


def test_freed_values_are_forgotten() -> None:
    """JAX takes long for thousands of values, so the guard gets calls that do not happen."""

    function: list[Any] = [lambda x, config: x]

    def call(value: Any) -> None:
        shown = Call(function[0], None, (1.0, value), {}, (1,), ("config",), True)
        watching.before(shown)
        watching.after(shown, traced=True, failed=False)

    watching = Guard(jax_jit=False)
    values = [*map(Solver, range(10_000)), *(make(number) for number in range(100) for make in MAKERS)]
    for value in values:
        call(value)
    (seen,) = (known.seen for alive, known in verification._functions.values() if alive() is function[0])
    assert len(seen) >= 10_000
    del values, value
    gc.collect()
    assert len(seen) <= 101  # The tuples, which have no weak references: it keeps the latest few thousand.
    jax.clear_caches()  # type: ignore[no-untyped-call]
    call(1)
    (known,) = (known for alive, known in verification._functions.values() if alive() is function[0])
    assert len(known.seen) == 0
    count = len(verification._functions)
    function.clear()
    gc.collect()
    assert len(verification._functions) == count - 1


def test_outside_of_a_guard_nothing_changes() -> None:
    names = [(pjit, "_infer_params"), (util, "test_event_listener"), (api, "_post_hook_state")]
    before = [getattr(module, name, None) for module, name in names]
    compiled = weigh
    with guard(), guard():
        assert weigh is compiled
    assert [getattr(module, name, None) for module, name in names] == before


def test_tracebacks_show_the_call_and_hide_the_machinery() -> None:
    @jit
    def failing(x: Any, n: Static[int]) -> Any:
        raise ZeroDivisionError

    with guard():
        with pytest.raises(ZeroDivisionError) as caught:
            failing(1.0, 1)
        with pytest.raises(StaticContractError) as refused:
            weigh(jnp.ones(7), unseen(Registry()))
    for error in (caught.value, refused.value):
        files = [Path(frame.filename).name for frame in traceback.extract_tb(error.__traceback__)]
        assert set(files) == {Path(__file__).name}


def test_replacing_a_value_is_what_the_message_says_and_works() -> None:
    class Scheme(Config):
        def __hash__(self) -> int:
            return 1

    @jit
    def step(x: Any, config: Static[Config]) -> Any:
        return x**config.power

    config = Scheme(1)
    with guard():
        assert step(3.0, config) == 3
        assert step(3.0, dataclasses.replace(config, power=2)) == 9
        set_anyway(config, "power", 5)
        assert "dataclasses.replace" in refusal(lambda: step(3.0, config)).advice
