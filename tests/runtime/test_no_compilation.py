"""`no_compilation` raises where a warm program compiles after all, before it does, and says why."""

from __future__ import annotations

import pickle
import threading

import jax
import jax.numpy as jnp
import pytest

from jaxtyped_static import UnexpectedCompilationError, no_compilation


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
