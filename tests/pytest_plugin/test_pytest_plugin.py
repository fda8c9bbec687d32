"""The pytest plugin does nothing unless asked; then it guards tests, limits traces, and shortens tracebacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pytest_plugin.running import outcomes, run_pytest

HEAD = """
import unittest
from functools import partial
from typing import Any
import jax, jax.numpy as jnp, pytest
from jaxtyped_static import Static, jit, static_dataclass

class Solver:
    def __init__(self, dt):
        self.dt = dt
    def __eq__(self, other):
        return type(self) is type(other) and self.dt == other.dt
    def __hash__(self):
        return hash(self.dt)

class Fixed(Solver):
    def __hash__(self):
        return 1

@jit
def step(x, solver: Static[Any]):
    return x * solver.dt

@partial(jax.jit, static_argnums=1)
def plain(x, solver):
    return x * solver.dt
"""

GUARDED = (
    HEAD
    + """
@pytest.fixture
def in_a_fixture():
    step(1.0, Solver(0.1))

def test_ours():
    step(1.0, Solver(0.1))

def test_plain():
    plain(1.0, Solver(0.1))  # Its values need not be frozen.

def test_plain_and_stale():
    solver = Fixed(0.1)
    plain(1.0, solver)
    solver.dt = 0.5
    plain(1.0, solver)

@pytest.mark.no_jaxtyped_static
def test_let_alone():
    step(1.0, Solver(0.1))

def test_with_fixture(in_a_fixture):
    pass
"""
)


def test_by_default_it_imports_nothing_and_prints_nothing(tmp_path: Path) -> None:
    done = run_pytest(
        tmp_path,
        """
        import sys

        def test_modules():
            assert "jaxtyped_static_pytest" in sys.modules
            assert not {"jax", "jaxtyped_static", "numpy"} & sys.modules.keys()
        """,
        *("-p", "no:jaxtyping", "-p", "no:hypothesispytest"),  # These plugins have imports of their own.
    )
    assert outcomes(done) == "1 passed", done.stdout
    assert "jaxtyped-static" not in done.stdout


@pytest.mark.parametrize(
    ("options", "ini", "expected"),
    [
        (("--jaxtyped-static",), "", "2 failed, 2 passed, 1 error"),
        *(
            pytest.param(*case, marks=pytest.mark.thorough)
            for case in (
                (("--jaxtyped-static-all",), "", "2 failed, 2 passed, 1 error"),
                (("--strict-markers", "--jaxtyped-static-ours"), "", "1 failed, 3 passed, 1 error"),
                (("-o", "jaxtyped_static=off"), "jaxtyped_static = guard", "5 passed"),
                (("-n", "2"), "jaxtyped_static = guard", "2 failed, 2 passed, 1 error"),
            )
        ),
    ],
)
def test_each_test_and_its_fixtures_run_in_the_guard(
    tmp_path: Path, options: tuple[str, ...], ini: str, expected: str
) -> None:
    done = run_pytest(tmp_path, GUARDED, *options, ini=ini)
    assert outcomes(done) == expected, done.stdout
    assert ("jaxtyped-static: guard" in done.stdout) == ("failed" in expected)


def test_an_unknown_level(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "", ini="jaxtyped_static = strict")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "jaxtyped_static = 'strict' is not a level; write one of off, guard, guard-ours, guard-all" in done.stderr


@pytest.mark.thorough
def test_if_the_guard_is_unavailable_the_run_ends_with_the_reason(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "import jax; del jax._src.pjit._infer_params\ndef test_it(): ...", "--jaxtyped-static")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR, done.stdout
    assert "jaxtyped-static: calls of compiled functions cannot be watched in JAX" in done.stdout
    assert "INTERNALERROR" not in done.stdout


@pytest.mark.thorough
def test_it_can_be_disabled(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "def test_it(max_traces): ...", "-p", "no:jaxtyped_static")
    assert outcomes(done) == "1 error"
    assert "fixture 'max_traces' not found" in done.stdout


FAILING = (
    HEAD
    + """
def test_limit(max_traces):
    with max_traces(step, 1):
        for dt in (1.0, 2.0):
            step(jnp.ones(2), Solver(dt))

def test_recorded(traces):
    why = traces(step)
    step(jnp.ones(3), Solver(1.0))
    step(jnp.ones(3), solver=Solver(1.0))
    assert len(why.traces) == 1

@static_dataclass
class Config:
    sizes: tuple[int, ...]

def build(sizes):
    return Config(sizes)

def test_contract():
    build([1])

@jax.jit
def traced(x):
    return build((x,))

def test_traced():
    traced(1.0)

@jit
def branches(x):
    return x if x > 0 else -x

def test_not_ours(traces):
    traces(branches)
    branches(1.0)

class TestOldStyle(unittest.TestCase):
    def test_contract(self):
        build([1])

    def test_guarded(self):
        step(1.0, Solver(1.0))
"""
)


@pytest.mark.thorough
def test_a_failure_ends_where_the_program_made_the_call(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, FAILING, "--tb=short", "--jaxtyped-static", "-k", "not limit and not recorded")
    assert outcomes(done).startswith("5 failed"), done.stdout
    assert not [line for line in done.stdout.splitlines() if "/jaxtyped_static/" in line], done.stdout
    done = run_pytest(tmp_path, FAILING, "--tb=short", "-k", "not guarded")
    assert outcomes(done).startswith("6 failed"), done.stdout
    frames = [line for line in done.stdout.splitlines() if ".py:" in line and ": in " in line]
    assert frames and all(line.startswith("test_it.py:") for line in frames), done.stdout
    for expected in (
        "solver.dt: 1.0 → 2.0",
        "step (test_it.py:20): 2 traces, at most 1 allowed",
        '"solver" by position before, by name now',
        "StaticContractError: Config.sizes: list is mutable; use tuple instead  [static-mutable]",
        "[static-traced]",
    ):
        assert expected in done.stdout, done.stdout
    assert done.stdout.count("JAX has removed") == 1  # From the error that is not ours.


@pytest.mark.thorough
def test_full_trace_shows_the_whole_traceback(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, FAILING, "--full-trace", "-k", "test_contract")
    assert "jaxtyped_static/_" in done.stdout, done.stdout  # Our own code, in whichever file.


@pytest.mark.thorough
def test_failures_travel_from_other_processes(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, FAILING, "--tb=short", "-n", "2", "-k", "limit or recorded")
    assert outcomes(done) == "2 failed", done.stdout
    assert "solver.dt: 1.0 → 2.0" in done.stdout


def test_a_met_limit_passes(tmp_path: Path) -> None:
    done = run_pytest(
        tmp_path,
        HEAD
        + """
def test_limit(max_traces, traces):
    why = traces(step)
    for _ in range(3):
        step(jnp.ones(2), Solver(1.0))
    with max_traces(step, 0) as again:
        step(jnp.ones(2), Solver(1.0))
    assert (len(why.traces), again.calls) == (1, 1)
""",
    )
    assert outcomes(done) == "1 passed", done.stdout
