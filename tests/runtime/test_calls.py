"""While somebody watches, every call of a compiled function is reported once, and whether it was traced."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtyped_static import Static, jit
from jaxtyped_static._calls import watching
from jaxtyped_static._calls.watching import Call, Observer, compiled_of
from tests.runtime.tracing import watch


def is_ours(call: Call) -> bool:
    return call.fun.__module__ == __name__ and call.fun.__name__ != "<lambda>"


class Log(Observer):
    """Records the calls of this module's functions."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.calls: list[Call] = []

    def before(self, call: Call) -> None:
        if is_ours(call):
            self.calls.append(call)
            self.seen.append(f"{call.fun.__name__}?")

    def after(self, call: Call, *, traced: bool, failed: bool) -> None:
        if is_ours(call):
            assert any(call is begun for begun in self.calls)
            outcome = "failed" if failed else "traced" if traced else "found"
            self.seen.append(f"{call.fun.__name__} {outcome}{'' if traced or not failed else ' untraced'}")

    def hit(self, call: Call) -> None:
        if is_ours(call):
            self.calls.append(call)
            self.seen.append(f"{call.fun.__name__} hit")


def seen(program: Callable[[], Any]) -> list[str]:
    log = Log()
    with watch(log):
        program()
    return log.seen


TRACED = ["power?", "power traced"]
HIT = ["power hit"]


def make() -> Any:
    @jit
    def power(x: jax.Array, n: Static[int] = 2) -> jax.Array:
        return x**n

    return power


def test_a_call_is_traced_first_and_then_hits() -> None:
    power = make()
    assert seen(lambda: power(2.0, 3)) == TRACED
    assert seen(lambda: [power(2.0, 3), power(3.0, 3)]) == HIT * 2
    assert seen(lambda: power(2.0, 4)) == TRACED
    assert seen(lambda: [power(2.0, n=4), power(2.0, n=4), power(2.0)]) == [*TRACED, *HIT, *TRACED]


def test_a_call_shows_its_arguments_and_all_static_positions_and_names() -> None:
    power = make()
    plain = jax.jit(power.__wrapped__, static_argnums=1)
    log = Log()
    with watch(log):
        power(2.0, 3)
        power(2.0, 3)
        plain(2.0, n=3)
    assert [(call.args, call.kwargs, call.is_ours) for call in log.calls] == [
        ((2.0, 3), {}, True),
        ((2.0, 3), {}, True),
        ((2.0,), {"n": 3}, False),
    ]
    assert {(call.static_argnums, call.static_argnames) for call in log.calls} == {((1,), ("n",))}
    assert [call.compiled for call in log.calls] == [compiled_of(each) for each in (power, power, plain)]
    assert all(call.fun is power.__wrapped__ for call in log.calls)
    assert compiled_of(power) is not compiled_of(plain)
    assert compiled_of(power.__wrapped__) is None


def test_a_compiled_program_is_not_a_trace() -> None:
    """A call that misses JAX's fast path need not be traced: `f.lower`, a cleared C++ cache, a call inside a trace."""
    power = make()
    found = ["power?", "power found"]
    assert seen(lambda: power.lower(2.0, 3)) == TRACED
    assert seen(lambda: power(2.0, 3)) == found
    assert seen(lambda: power(jnp.ones(3), 3)) == TRACED
    assert seen(lambda: jax.vmap(lambda x: power(x, 3))(jnp.ones(3, jnp.float32))) == TRACED
    assert seen(lambda: jax.vmap(lambda x: power(x, 3))(jnp.ones(3, jnp.float32))) == found
    assert seen(lambda: jax.grad(partial(power, n=3))(2.0)) == TRACED
    assert seen(lambda: jax.eval_shape(lambda x: power(x, n=3), 2.0)) == found
    jax.clear_caches()  # type: ignore[no-untyped-call]
    assert seen(lambda: power(2.0, 3)) == TRACED


@jax.jit
def inner(x: Any) -> Any:
    return jax.lax.fori_loop(0, 3, lambda _, y: y * 2, x)


@jit
def outer(x: Any, n: Static[int]) -> Any:
    return inner(x) + inner(x) * n


def test_calls_inside_a_trace_are_distinguished() -> None:
    jax.clear_caches()  # type: ignore[no-untyped-call]
    both = ["outer?", "inner?", "inner traced", "inner?", "inner found", "outer traced"]
    assert seen(lambda: outer(2.0, 1)) == both
    assert seen(lambda: outer(2.0, 1)) == ["outer hit"]
    assert seen(lambda: outer(2.0, 2)) == ["outer?", *["inner?", "inner found"] * 2, "outer traced"]


def test_a_failed_trace_is_reported_as_failed() -> None:
    @jit
    def failing(x: jax.Array, n: Static[int]) -> jax.Array:
        raise ZeroDivisionError

    def call(fun: Any, *args: Any) -> None:
        with pytest.raises((ZeroDivisionError, TypeError, ValueError)):
            fun(*args)

    assert seen(lambda: call(failing, 1.0, 1)) == ["failing?", "failing failed"]
    assert seen(lambda: call(make(), "not an array", 1)) == ["power?", "power failed untraced"]
    assert seen(lambda: make()(2.0, 3)) == TRACED


def test_jax_refuses_an_unhashable_value_before_observers_see_it() -> None:
    power: Any = make()
    with watch(log := Log()), pytest.raises(ValueError, match="Non-hashable static arguments"):
        power(2.0, [3])
    assert not log.seen


class Refusing(Observer):
    def __init__(self, *moments: str) -> None:
        self.moments = moments

    def before(self, call: Call) -> None:
        assert "before" not in self.moments, "refused before"

    def after(self, call: Call, *, traced: bool, failed: bool) -> None:
        assert "after" not in self.moments, "refused after"

    def hit(self, call: Call) -> None:
        assert "hit" not in self.moments, "refused a hit"


@pytest.mark.parametrize("moment", ["before", "after", "hit"])
def test_a_call_raises_what_its_observer_raises(moment: str) -> None:
    power = make()
    if moment == "hit":
        power(2.0, 3)
    with watch(Refusing(moment)), pytest.raises(AssertionError, match="refused"):
        power(2.0, 3)
    assert power(2.0, 3) == 8
    # After a call that failed before it ran, JAX does not use its fast path for similar calls.
    assert seen(lambda: power(2.0, 3)) == (HIT if moment == "hit" else ["power?", "power found"])


def test_an_observer_may_call_compiled_functions() -> None:
    class Calling(Log):
        def before(self, call: Call) -> None:
            super().before(call)
            assert inner(5.0) == 40

        def hit(self, call: Call) -> None:
            super().hit(call)
            assert inner(5.0) == 40

    power, log = make(), Calling()
    inner(5.0)
    with watch(log):
        power(2.0, 3)
        power(2.0, 3)
    assert log.seen == [*TRACED, *HIT]


def test_watching_may_be_nested_and_ends_with_the_block() -> None:
    power, one, other = make(), Log(), Log()
    with watch(one):
        power(2.0, 3)
        with pytest.raises(KeyError), watch(other):
            power(2.0, 3)
            raise KeyError
        power(2.0, 4)
    power(2.0, 5)
    assert (one.seen, other.seen) == ([*TRACED, *HIT, *TRACED], HIT)


def test_an_observer_that_saw_a_call_begin_learns_that_another_refused_it() -> None:
    power, first, last = make(), Log(), Log()
    with watch(first), watch(Refusing("before")), watch(last), pytest.raises(AssertionError, match="refused"):
        power(2.0, 3)
    assert (first.seen, last.seen) == (["power?", "power failed untraced"], [])


def test_observers_that_saw_a_call_begin_see_it_end() -> None:
    early, late = Log(), Log()

    @jit
    def power(x: Any, n: Static[int]) -> Any:
        watching.stop_watching(early)
        watching.start_watching(late)
        return x**n

    watching.start_watching(early)
    power(2.0, 3)
    watching.stop_watching(late)
    assert (early.seen, late.seen) == (TRACED, [])


def test_blocks_may_end_in_any_order() -> None:
    power, one, other = make(), Log(), Log()
    watching.start_watching(one)
    watching.start_watching(other)
    watching.stop_watching(one)
    power(2.0, 3)
    watching.stop_watching(other)
    power(2.0, 3)
    assert (one.seen, other.seen) == ([], TRACED)


def test_calls_of_all_threads_are_seen_separately() -> None:
    functions = [make() for _ in range(8)]
    logs = [Log() for _ in functions]
    start = threading.Barrier(len(functions))

    def run(power: Any, log: Log) -> None:
        start.wait()
        with watch(log):
            for n in range(5):
                power(2.0, n)
                power(2.0, n)

    everything = Log()
    with watch(everything):
        threads = [threading.Thread(target=run, args=each) for each in zip(functions, logs, strict=True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for power, log in zip(functions, logs, strict=True):
        ours = compiled_of(power)
        assert sum(call.compiled is ours for call in log.calls) == 10
        assert sum(call.compiled is ours for call in everything.calls) == 10
    assert sorted(everything.seen) == sorted((TRACED + HIT) * 40)


def test_debug_nans_keeps_working_and_hides_nothing() -> None:
    power = make()
    power(2.0, 3)
    log = Log()
    with jax.debug_nans(True), watch(log):
        power(2.0, 3)
        with pytest.raises(FloatingPointError):
            jnp.log(-1.0)
    power(2.0, 3)
    assert log.seen == HIT
    with watch(log):
        power(2.0, 3)
        with jax.debug_nans(True), pytest.raises(FloatingPointError):
            power(2.0, 3)
            jnp.log(-1.0)
        power(2.0, 3)
        with jax.debug_nans(True):
            watching.stop_watching(log)
            with pytest.raises(FloatingPointError):
                jnp.log(-1.0)
            watching.start_watching(log)
        power(2.0, 3)
    assert log.seen == HIT * 5
    assert jnp.isnan(jnp.log(-1.0))


def test_an_unknown_jax_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    power = make()
    for name in ("_infer_params", "_trace_for_jit"):
        monkeypatch.delattr(f"jax._src.pjit.{name}", raising=False)
    with pytest.raises(RuntimeError, match=rf"in JAX {jax.__version__}, only in JAX 0\.5 to"), watch(Log()):
        raise AssertionError
    monkeypatch.undo()
    assert seen(lambda: power(2.0, 3)) == TRACED


def test_freed_functions_are_forgotten() -> None:
    gc.collect()
    known = len(watching._ours)
    functions = [make() for _ in range(10)]
    assert len(watching._ours) == known + 10
    del functions
    gc.collect()
    assert len(watching._ours) == known
