"""`assert_max_traces` fails a test in which a function is traced too often, and gives the reasons."""

from __future__ import annotations

import pickle
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtyped_static import Static, TooManyTracesError, jit
from jaxtyped_static.testing import assert_max_traces


@jit
def step(x: Any, n: Static[int] = 1) -> Any:
    return x * n


def test_calls_that_use_a_compiled_program_do_not_count() -> None:
    with assert_max_traces(step, 1) as why:
        for _ in range(5):
            step(jnp.ones(21), 2)
    assert (why.calls, len(why.traces)) == (5, 1)
    with assert_max_traces(step, 0):
        step(jnp.ones(21), 2)


def test_the_message_tells_why_the_surplus_traces_were_needed() -> None:
    with pytest.raises(AssertionError) as caught, assert_max_traces(step, 1):
        step(jnp.ones(22), 3)
        step(jnp.ones(22), n=3)
        step(jnp.ones(22), n=4)
    first, *rest = str(caught.value).splitlines()
    assert first.startswith("step (test_assert_max_traces.py:") and first.endswith(": 3 traces, at most 1 allowed")
    assert rest == [
        "  2. step(x, n=3), like trace 1 except for",
        '       "n" by position before, by name now: JAX compiles each form of a call separately; '
        "write step(x, n=3) each time",
        "  3. step(x, n=4), like trace 2 except for",
        "       n: 3 → 4",
        "needless, because another has the same values: 2",
    ]


def test_after_a_warm_up_no_trace_is_allowed() -> None:
    step(jnp.ones(23), 5)
    with pytest.raises(TooManyTracesError, match=r"1 trace, none allowed") as caught, assert_max_traces(step, 0):
        step(jnp.ones(23), 6)
    assert (caught.value.count, caught.value.limit) == (1, 0)


def test_an_error_in_the_block_comes_first() -> None:
    with pytest.raises(ZeroDivisionError), assert_max_traces(step, 0):
        step(jnp.ones(24))
        raise ZeroDivisionError


def test_as_a_decorator_it_counts_each_run_separately() -> None:
    @assert_max_traces(step, 1)
    def check(size: int, *, twice: bool = False) -> int:
        step(jnp.ones(size))
        if twice:
            step(jnp.ones(size + 1))
        return size

    assert check(25) == 25
    assert check(26) == 26
    assert check.__name__ == "check"
    with pytest.raises(TooManyTracesError):
        check(27, twice=True)


def test_functions_that_cannot_be_limited() -> None:
    with pytest.raises(ValueError, match="needs a number of traces, got -1"):
        assert_max_traces(step, -1)
    for number in (1.5, "a"):
        with pytest.raises(TypeError, match=f"needs a whole number of traces, got {number!r}"):
            assert_max_traces(step, number)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"assert_max_traces\(\) needs the compiled function step"):
        assert_max_traces(jax.vmap(step), 1)


def test_the_error_travels_between_processes() -> None:
    error = TooManyTracesError(function="f", count=2, limit=1, explanation="why")
    twin = pickle.loads(pickle.dumps(error))
    assert (type(twin), str(twin), vars(twin)) == (TooManyTracesError, str(error), vars(error))
