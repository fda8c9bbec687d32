"""`explain` counts the traces of a function, and only those, and gives the reason for each."""

from __future__ import annotations

import functools
import gc
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxtyped_static import Static, explain, jit, jitted, static_dataclass
from jaxtyped_static.types import Explanation


@static_dataclass
class Grid:
    n: float
    name: str = ""


traced = [0]


@jit
def step(x: Any, grid: Static[Any] = None, *, k: Static[int] = 1) -> Any:
    traced[0] += 1
    return jax.tree.map(lambda leaf: leaf * k, x)


VALUES = st.sampled_from([1, 1.0, True, "a", None, (1, 2), (1, 2.0), Grid(1), Grid(1.0), Grid(2, "b"), jnp.tanh, Grid])
STATES = st.sampled_from(
    [1.0, 2, np.float32(1), jnp.ones(2), jnp.ones(3), (jnp.ones(2), None), {"a": 1.0}, {"a": 1.0, "b": 2}, [1.0], True]
)
CALLS = st.lists(
    st.one_of(
        st.builds(lambda x, grid, k: functools.partial(step, x, grid, k=k), STATES, VALUES, st.sampled_from([1, 2])),
        st.builds(lambda x, grid: functools.partial(step, x, grid=grid), STATES, VALUES),
        st.builds(lambda x: functools.partial(step, x), STATES),
    ),
    max_size=8,
)


@given(CALLS)
@settings(max_examples=20)
def test_it_records_each_trace_with_a_reason(calls: list[Callable[[], Any]]) -> None:
    jitted(step).clear_cache()
    before = traced[0]
    with explain(step) as why:
        for call in calls:
            call()
    assert len(why.traces) == traced[0] - before
    assert why.calls == len(calls)
    assert all(trace.compared_with is None for trace in why.traces[:1])
    assert all(trace.differences for trace in why.traces[1:]), str(why)
    assert not calls or f"{len(why.traces)} trace" in str(why)


def test_a_trace_is_data() -> None:
    with explain(step) as why:
        step({"u": jnp.ones(8), "v": 1}, Grid(5), k=7)
    (trace,) = why.traces
    assert trace.call == "step(x, Grid(n=5, name=''), k=7)"
    assert trace.static == {"grid": Grid(5), "k": 7}
    assert trace.dynamic == {"x": "{'u': float32[8], 'v': a Python int}"}
    assert not trace.failed


def test_the_report_of_a_step_that_was_called_in_two_ways() -> None:
    @jax.jit
    def square(x: Any) -> Any:
        return x * x

    with explain(square) as why:
        square(jnp.ones(2))
        square(jnp.ones(2))
        square(x=jnp.ones(2))
        square(jnp.ones(3))
    assert str(why).splitlines()[1:] == [
        "  1. square(x)",
        "       x: float32[2]",
        "  2. square(x=...), like trace 1 except for",
        '       "x" by position before, by name now: JAX compiles each form of a call separately; '
        "write square(x) each time",
        "  3. square(x), like trace 1 except for",
        "       x: float32[2] → float32[3]",
        "needless, because another has the same values: 2",
    ]
    assert str(why).splitlines()[0].endswith("4 calls, 3 traces")
    assert [trace.is_needless for trace in why.traces] == [False, True, False]


def test_calls_are_compared_with_what_was_compiled_before_the_block() -> None:
    @jit
    def scaled(x: Any, n: Static[int]) -> Any:
        return x * n

    scaled(1.0, 2)
    with explain(scaled) as why:
        scaled(1.0, 2)
        scaled(1.0, 3)
    if why.earlier:  # JAX 0.9 hides its keys.
        (trace,) = why.traces
        assert [str(each) for each in trace.differences] == ["n: 2 → 3"]
        assert trace.compared_with == "earlier 1"
        assert [each.call for each in why.earlier] == ["scaled(x, 2)"]


def test_outside_of_a_block_it_says_how_to_record_and_what_is_compiled() -> None:
    @jit
    def scaled(x: Any, n: Static[int]) -> Any:
        return x * n

    scaled(1.0, 2)
    scaled(1.0, n=2)
    first, *rest = str(explain(scaled)).splitlines()
    assert ": nothing was recorded; write `with explain(...) as why:` around the calls" in first
    if rest:  # Not in JAX 0.9.
        assert rest[0] == "compiled earlier: 2"
        assert "  2. scaled(x, n=2), like earlier 1 except for" in rest
        assert rest[-1] == "needless, because another has the same values: 2"


class Model:
    @functools.partial(jax.jit, static_argnames="self")
    def run(self, x: Any) -> Any:
        return x


def test_a_method_is_recorded_for_all_objects_and_identity_hashing_is_the_reason() -> None:
    model = Model()
    with explain(model.run) as why:
        for each in (model, Model(), model):
            each.run(1.0)
    _, trace = why.traces
    (found,) = trace.differences
    assert (found.path, found.code) == ("self", "static-hash")
    assert "Model is hashed by identity: it has neither __eq__ nor __hash__" in found.says


def test_calls_inside_of_other_traces_and_in_other_threads_are_seen() -> None:
    @jax.jit
    def inner(x: Any) -> Any:
        return x + 1

    with explain(inner) as why:
        jax.jit(lambda x: inner(x))(jnp.ones(2))
        jax.vmap(inner)(jnp.ones((3, 2)))  # Reuses the trace of the first call.
        jax.grad(lambda x: inner(x).sum())(jnp.ones(4))
        thread = threading.Thread(target=inner, args=(jnp.ones(5),))
        thread.start()
        thread.join()
    assert [trace.dynamic["x"] for trace in why.traces] == ["float32[2]", "float32[4]", "float32[5]"]


def make(scale: float) -> Any:
    return jax.jit(lambda x: x * scale)


def test_a_function_defined_and_compiled_again_is_a_new_one() -> None:
    twice = make(2.0)
    with explain(twice) as why:
        twice(1.0)
        make(2.0)(1.0)
        make(3.0)(1.0)  # A different program, because it captures something else.
    assert [[each.code for each in trace.differences] for trace in why.traces] == [[], ["jit-retrace"]]


def test_a_trace_that_raised_kept_no_program() -> None:
    @jax.jit
    def fails(x: Any) -> Any:
        raise ValueError("no")

    with explain(fails) as why:
        for _ in range(2):
            with pytest.raises(ValueError):
                fails(1.0)
    first, second = why.traces
    assert first.failed and second.failed
    assert [str(each) for each in second.differences] == ["it raised there, so nothing was kept"]


def test_it_says_so_if_no_difference_can_be_seen() -> None:
    @jax.jit
    def same(x: Any) -> Any:
        return x

    with explain(same) as why:
        same(1.0)
        jitted(same).clear_cache()
        same(1.0)
    assert why.traces[1].differences == ()
    assert "no visible difference" in str(why)


def test_an_earlier_trace_that_raised_kept_no_program_either() -> None:
    @jax.jit
    def fails(x: Any, ok: Any = None) -> Any:
        if ok is None:
            raise ValueError("no")

    with pytest.raises(ValueError):
        fails(1.0)
    with explain(fails) as why, pytest.raises(ValueError):
        fails(1.0)
    assert why.earlier == ()
    assert why.traces[0].compared_with is None


def test_tracebacks_hide_how_calls_are_watched() -> None:
    @jax.jit
    def fails(x: Any) -> Any:
        raise ValueError("no")

    with explain(fails), pytest.raises(ValueError) as caught:
        fails(1.0)
    assert {entry.path.name for entry in caught.traceback if isinstance(entry.path, Path)} == {"test_explain.py"}


def test_clear_caches_is_named() -> None:
    @jax.jit
    def cleared(x: Any) -> Any:
        return x

    cleared(1.0)
    with explain(cleared) as why:
        cleared(1.0)
        jax.clear_caches()  # type: ignore[no-untyped-call]
        cleared(1.0)
    if why.earlier:
        assert [str(each) for each in why.traces[0].differences] == [
            "jax.clear_caches() was called, which drops what was compiled"
        ]


def test_the_configuration_is_named_for_a_function_that_was_warm() -> None:
    @jax.jit
    def warm(x: Any) -> Any:
        return x

    x = jnp.ones(3)
    warm(x)
    with explain(warm) as why:
        warm(x)
        with jax.numpy_dtype_promotion("strict"):
            warm(x)
    if why.earlier:
        assert [str(each) for each in why.traces[0].differences] == ["jax_numpy_dtype_promotion: standard → strict"]


def test_the_same_function_under_jit_again() -> None:
    def twice(x: Any) -> Any:
        return x * 2

    first = jax.jit(twice)
    with explain(first) as why:
        jax.jit(twice)(1.0)
        first(1.0)
        jax.jit(twice, static_argnums=0)(1.0)  # A different program, because of its options.
    assert (why.calls, len(why.traces)) == (2, 1)


def test_blocks_may_be_nested_left_by_an_error_and_repeated() -> None:
    outer = explain(step)
    with outer, pytest.raises(ZeroDivisionError), explain(step) as inner:
        step(jnp.ones(31))
        raise ZeroDivisionError
    step(jnp.ones(32))
    with outer:
        step(jnp.ones(33))
    assert (len(outer.traces), len(inner.traces)) == (2, 1)


def test_arrays_are_not_kept_alive() -> None:
    x = jnp.ones(40)
    alive = weakref.ref(x)
    with explain(step) as why:
        step({"x": x})
        del x
        gc.collect()
        assert alive() is None
    assert len(why.traces) == 1


@pytest.mark.parametrize(
    ("fun", "advice"),
    [
        (functools.partial(step, k=1), "not a functools.partial of it; pass the function itself"),
        (jax.vmap(step), "not the result of another transformation of it; pass the function itself"),
        (jax.grad(step), "not the result of another transformation of it; pass the function itself"),
        (make, "got make (test_explain.py:"),
        (3, "got 3; decorate it with @jit"),
    ],
)
def test_an_uncompiled_function_is_refused_with_what_to_pass_instead(fun: Any, advice: str) -> None:
    with pytest.raises(TypeError) as caught:
        explain(fun)
    assert str(caught.value).startswith("explain() needs ")
    assert advice in str(caught.value)


def test_the_type_of_the_result() -> None:
    assert isinstance(explain(step), Explanation)


def test_a_function_that_another_jit_traced_first_is_said_to_be() -> None:
    def step(x: jax.Array) -> jax.Array:
        return x * 2

    x = jnp.ones(3)
    jax.jit(step)(x)
    donating = jax.jit(step, donate_argnums=0)
    with explain(donating) as why:
        donating(x)
    assert (why.calls, why.traces) == (1, ())
    assert "nothing was traced: JAX had traced it for these arguments before" in str(why)
