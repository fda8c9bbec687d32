"""`record` says what a block compiles; `JAXTYPED_STATIC=record` does so for a process."""

from __future__ import annotations

import dataclasses
import gc
import os
import sys
import threading
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyped_static import explain, guard, record
from jaxtyped_static.types import Recording
from jaxtyped_static_runs.journal import read_run
from jaxtyped_static_runs.model import Preparation, What
from tests.processes import run_python


def compiled(report: Recording) -> list[Preparation]:
    """What was compiled in a block of functions of the program."""
    return [one for one in report.run.preparations if one.what in (What.FIRST, What.AGAIN)]


def test_a_block_says_what_it_compiled_and_why() -> None:
    @jax.jit
    def step(x: jax.Array) -> jax.Array:
        return x * 2

    one, two = jnp.ones(3), jnp.ones(4)
    with record() as report:
        step(one)
        step(one)
        step(two)
    first, again = compiled(report)
    assert (first.function.name, first.what, first.reasons) == ("step", What.FIRST, ())
    assert (again.what, again.like, list(map(str, again.reasons))) == (What.AGAIN, 0, ["x: float32[3] → float32[4]"])
    assert first.line is not None
    assert Path(first.line.file).name == Path(__file__).name
    assert all(part > 0 for part in first.seconds)
    assert "x: float32[3] → float32[4]" in str(report)
    assert "<pre" in report._repr_html_()


@jax.tree_util.register_dataclass
@dataclass
class Weak:
    scale: jax.Array
    rate: jax.Array = dataclasses.field(default_factory=lambda: jnp.ones(()))

    @classmethod
    def make(cls) -> Weak:
        weak = cls(jnp.ones(()))
        weak.scale = jnp.array(1.0)  # weak
        return weak


def test_a_weak_type_is_traced_to_the_line_that_sets_it() -> None:
    @jax.jit
    def step(model: Weak) -> Weak:
        return Weak(model.scale * jnp.float32(2), model.rate)

    model = Weak.make()
    with record() as report:
        step(step(model))
    _, again = compiled(report)
    line = next(
        number for number, text in enumerate(Path(__file__).read_text().splitlines(), 1) if text.endswith("# weak")
    )
    assert str(again.reasons[0]) == (
        "model.scale: weakly typed float32[] → float32[], whose dtype is not weak; "
        f"it is set by jnp.array(1.0) at tests/runtime/test_record.py:{line}: give that a dtype"
    )


def test_a_hot_call_runs_no_python_code() -> None:
    f = jax.jit(lambda x: x + 1)
    x = jnp.ones(3)
    frames: list[str] = []
    with record():
        with guard():
            f(x)
        f(x)
        sys.setprofile(lambda frame, event, _: frames.append(frame.f_code.co_name) if event == "call" else None)
        try:
            for _ in range(10):
                f(x)
        finally:
            sys.setprofile(None)
    assert frames == []


def test_the_seconds_are_those_of_jax_itself() -> None:
    """None of them is counted twice, and none is lost."""
    events: dict[str, float] = {}

    def listen(event: str, duration_secs: float, **_: Any) -> None:
        events[event] = events.get(event, 0.0) + duration_secs

    def inner(x: jax.Array) -> jax.Array:
        return jnp.where(x > 0, jnp.sin(x), jax.jit(jnp.cos)(x))

    x = jnp.ones(5)
    jax.monitoring.register_event_duration_secs_listener(listen)
    with record() as report:
        jax.jit(lambda x: jnp.linalg.solve(jnp.eye(5), inner(x)))(x)
        jax.lax.scan(lambda carry, one: (inner(carry) + one, one), x, jnp.ones((3, 5)))
        jax.vmap(jax.jit(inner))(x)
    spent = report.run.preparing
    assert spent.compiling == pytest.approx(events["/jax/core/compile/backend_compile_duration"], rel=0.05)
    assert spent.lowering <= events["/jax/core/compile/jaxpr_to_mlir_module_duration"] * 1.01
    assert report.run.not_attributed.compiling == report.run.not_attributed.lowering == 0.0
    assert spent.total < report.run.seconds


def test_all_threads_are_recorded() -> None:
    def work() -> None:
        jax.jit(lambda x: x + 1)(1.0)

    with record() as report:
        threads = [threading.Thread(target=work, name=f"worker {number}") for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert {one.thread for one in compiled(report)} == {"worker 0", "worker 1"}


def test_recording_goes_with_explain_and_guard() -> None:
    step = jax.jit(lambda x: x * 3)
    with record() as report, guard(), explain(step) as why, record() as inner:
        step(1.0)
        step(1.0)
        step(2)
    assert (len(compiled(report)), len(compiled(inner)), why.calls, len(why.traces)) == (2, 2, 3, 2)


def test_nothing_of_the_program_is_kept_alive() -> None:
    class Big:
        """Something that a function captures."""

    held = Big()
    gone = [weakref.ref(held)]

    def make(held: Big, x: jax.Array) -> Any:
        return jax.jit(lambda y: y + x.shape[0] + (held is None))

    with record() as report:
        x = jax.device_put(np.ones(100, np.float32))
        gone.append(weakref.ref(x))
        fun = make(held, x)
        fun(x)
        del held, x, fun
        gc.collect()
        assert [one() for one in gone] == [None, None]
    assert len(compiled(report)) == 1


def test_a_program_that_raises_is_recorded_until_then() -> None:
    with pytest.raises(KeyError), record() as report:
        jax.jit(lambda x: x - 1)(1.0)
        raise KeyError
    assert (report.run.ended, len(compiled(report))) == ("KeyError", 1)


def test_a_recording_is_for_one_block() -> None:
    report = record()
    with pytest.raises(RuntimeError, match="nothing was recorded; write `with record"):
        _ = report.run
    with report:
        assert report.run.ended == "running"
    with pytest.raises(RuntimeError, match="call record\\(\\) for each block"), report:
        pass


def test_a_saved_recording_is_a_file_of_a_run(tmp_path: Path) -> None:
    with record() as report:
        jax.jit(lambda x: x / 2)(1.0)
    report.save(tmp_path / "run.jsonl")
    assert [one.function for one in read_run(tmp_path / "run.jsonl").preparations] == [
        one.function for one in report.run.preparations
    ]


UNKNOWN = """
import jax
from jaxtyped_static import record
from jaxtyped_static._calls import jax_internals
jax_internals._MISS_FUNCTIONS = ("_no_such_function",)
with record() as report:
    jax.jit(lambda x: x * 7)(1.0)
(program,) = (one for one in report.run.preparations if one.function.made_by)
print(program.what.value, report.run.unknown[0])
print(report)
"""


def test_an_unknown_jax_leaves_out_what_cannot_be_told() -> None:
    """Compilations are known from JAX's own events; only tracing is not seen."""
    done = run_python(UNKNOWN)
    assert done.stdout.startswith("first the seconds of tracing: calls of compiled functions cannot be watched in JAX")
    assert "Not recorded: the seconds of tracing" in done.stdout


PROGRAM = """
import jax, jaxtyped_static
jax.jit(lambda x: x + 1)(1.0)
raise KeyError("x")
"""


def test_the_environment_records_a_process(tmp_path: Path) -> None:
    done = run_python(
        f"import os; os.chdir({str(tmp_path)!r})\n{PROGRAM}", env={**os.environ, "JAXTYPED_STATIC": "record"}
    )
    assert "KeyError: 'x'" in done.stderr
    assert "(KeyError), of which JAX spent" in done.stderr
    (file,) = (tmp_path / ".jaxtyped_static_runs").glob("*.jsonl")
    run = read_run(file)
    assert (run.ended, run.folder) == ("KeyError", str(tmp_path))
    assert [one.what for one in run.preparations if one.function.made_by] == [What.FIRST]


def test_a_new_function_with_another_static_argument_would_compile_anyway() -> None:
    def fit(n: int) -> None:
        def step(x: jax.Array, n: int) -> jax.Array:
            return x * n

        jax.jit(step, static_argnames="n")(jnp.ones(3), n)

    with record() as report:
        fit(3)
        gc.collect()
        fit(4)
    _, again = compiled(report)
    assert str(again.reasons[0]).endswith(
        "a static argument differs, too, which needs another program anyway: n: 3 → 4  [jit-retrace]"
    )


def test_a_function_that_only_its_gradient_had_compiled_is_compiled_again() -> None:
    @jax.jit
    def loss(p: jax.Array) -> jax.Array:
        return jnp.sum(p**2)

    p = jnp.ones(3)
    with record() as report:
        jax.grad(loss)(p)
        loss(p)
    says = str(compiled(report)[-1].reasons[0])
    assert says.startswith("the earlier program was for a call inside grad")
