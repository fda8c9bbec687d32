"""`no_compilation` raises where a warm program compiles after all, before it does, and says why."""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Iterator

import jax
import jax.numpy as jnp
import pytest

from jaxtyped_static import UnexpectedCompilationError, _no_compilation, no_compilation


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    _no_compilation.forget()


def test_a_call_that_would_compile_raises_with_the_reason() -> None:
    compiled = []

    @jax.jit
    def step(x: jax.Array) -> jax.Array:
        compiled.append(x.shape)
        return x * 2

    one, two = jnp.ones(3), jnp.ones(4)
    with no_compilation(after=1):
        step(one)
    with no_compilation():
        step(one)
        with pytest.raises(UnexpectedCompilationError) as caught:
            step(two)
    error = caught.value
    assert (error.function.rpartition(".")[2], error.reasons) == ("step", ("x: float32[3] → float32[4]",))
    assert "test_no_compilation.py:" in error.place
    assert step(two).shape == (4,)  # Outside of the block, it compiles.
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_loop_warms_up_as_often_as_it_says() -> None:
    step = jax.jit(lambda x: x + 1)
    arrays = [jnp.ones(size) for size in (1, 2, 2, 3)]
    raised = []
    for number, x in enumerate(arrays):
        try:
            with no_compilation(after=2):
                step(x)
        except UnexpectedCompilationError:
            raised.append(number)
    assert raised == [3]


def test_an_operation_outside_of_jit_compiles_too() -> None:
    x = jnp.ones(17)
    with no_compilation(), pytest.raises(UnexpectedCompilationError, match="it runs outside of jit; jit the function"):
        _ = x - 5


def test_what_is_only_traced_compiles_nothing() -> None:
    step = jax.jit(lambda x: x * 4)
    with no_compilation():
        jax.eval_shape(lambda x: x + 1, jnp.float32(1))
        step.lower(jax.ShapeDtypeStruct((3,), jnp.float32))  # type: ignore[no-untyped-call]


def test_it_warns_where_it_is_told_to() -> None:
    step = jax.jit(lambda x: x * 5)
    x = jnp.ones(6)
    with no_compilation(warn=True), pytest.warns(UserWarning, match="would be compiled at"):
        assert step(x).shape == (6,)


def test_other_threads_may_compile() -> None:
    thread = threading.Thread(target=lambda: results.append(jax.jit(lambda x: x * 6)(2.0)))
    results: list[jax.Array] = []
    with no_compilation():
        thread.start()
        thread.join()
    assert results == [12.0]


def test_a_negative_number_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a number of passes, got -1"):
        no_compilation(after=-1)


def test_an_inner_block_that_warms_up_allows_nothing_to_an_outer_one() -> None:
    step = jax.jit(lambda x: x * 8)
    x = jnp.ones(18)
    with no_compilation(), no_compilation(after=5), pytest.raises(UnexpectedCompilationError):
        step(x)


def test_a_call_that_is_tried_again_is_refused_again_with_the_same_reason() -> None:
    step = jax.jit(lambda x: x * 9)
    one, two = jnp.ones(19), jnp.ones(20)
    with no_compilation(after=1):
        step(one)
    reasons = []
    for _ in range(3):
        with no_compilation(), pytest.raises(UnexpectedCompilationError) as caught:
            step(two)
        reasons.append(caught.value.reasons)
    assert reasons == [("x: float32[19] → float32[20]",)] * 3


def test_tasks_have_blocks_of_their_own() -> None:
    step = jax.jit(lambda x: x * 10)
    x = jnp.ones(21)

    async def strict() -> None:
        with no_compilation():
            await asyncio.sleep(0)

    async def free() -> float:
        return float(step(x)[0])

    async def both() -> float:
        task = asyncio.create_task(strict())
        await asyncio.sleep(0)
        result = await free()
        await task
        return result

    assert asyncio.run(both()) == 10.0
