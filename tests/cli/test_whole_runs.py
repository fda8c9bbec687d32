"""What a program compiles once in each of many whole runs is potential, wherever the loop is that makes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jaxtyped_static_cli.findings.program import ProgramUses
from jaxtyped_static_mypy.reach.program import Cause
from tests.cli.running import run, write

pytestmark = pytest.mark.xdist_group("light")

FIT = """\
import jax
import optax


def fit(xs, steps):
    @jax.jit
    def run(weights):
        def step(weights, _):
            return optax.apply_updates(weights, xs), None

        return jax.lax.scan(step, weights, None, length=steps)[0]

    return run(xs)
"""
MODEL = """\
from learning import fit


class Model:
    def __init__(self, size):
        self.size = size

    def fit(self, xs):
        self.weights = fit(xs, self.size)
        return self
"""
MAIN = "from learning import fit\nfrom models import Model\n\ndef main(names, xs):\n"
LOOP = "    for name in names:\n"
RUNS = {
    "a function": f"{LOOP}        fit(xs, len(name))\n",
    "an object of the pass": f"{LOOP}        model = Model(len(name))\n        model.fit(xs)\n",
    "what an unknown class makes": f"    cls = xs.cls\n{LOOP}        cls(name).fit(xs)\n",
    "a comprehension": "    return [fit(xs, len(name)) for name in names]\n",
    "another function": f"{LOOP}        experiment(name, xs)\n\ndef experiment(name, xs):\n    fit(xs, len(name))\n",
    "two loops": f"{LOOP}        fit(xs, len(name))\n{LOOP}        fit(xs, 2 * len(name))\n",
}
PARTS = {
    "the weights come back": f"{LOOP}        xs = fit(xs, len(name))\n",
    "a loop in each run": f"{LOOP}        runs(len(name), xs)\n\ndef runs(n, xs):\n"
    "    for _ in range(n):\n        fit(xs, 9)\n",
    "an object from before": f"    model = Model(9)\n{LOOP}        model.fit(name)\n",
    "epochs": "    for epoch in range(names):\n        fit(xs, 9)\n",
}


def found(project: Path, calls: str, learning: str = FIT) -> list[str]:
    """What the program does that has a function `main` with these calls."""
    models = MODEL if ".fit(" in calls else "Model = None\n"
    write(project, {"learning.py": learning, "models.py": models, "experiments.py": f"{MAIN}{calls}"})
    said = json.loads(run(project, "check", "--format=json", "--select=jit-retrace", "--potential").out)
    return [one["harm"] for one in said["findings"]]


@pytest.mark.parametrize("calls", RUNS)
def test_a_loop_over_whole_runs_shows_nothing(tmp_path: Path, calls: str) -> None:
    assert found(tmp_path, RUNS[calls]) == ["potential"]


@pytest.mark.parametrize("calls", PARTS)
def test_a_loop_over_parts_of_a_run_does(tmp_path: Path, calls: str) -> None:
    assert found(tmp_path, PARTS[calls]) == ["recompiles"]


def test_what_does_not_learn_is_no_run(tmp_path: Path) -> None:
    plain = FIT.replace("optax.apply_updates(weights, xs)", "weights * xs")
    assert found(tmp_path, RUNS["a function"], plain) == ["recompiles"]


def test_a_run_of_which_the_file_has_the_loop_counts_where_another_module_repeats_a_part(tmp_path: Path) -> None:
    own = f"{FIT}\n\ndef main(names, xs):\n{RUNS['a function']}"
    assert found(tmp_path, "    print(names)\n", own) == ["potential"]
    assert found(tmp_path, PARTS["the weights come back"], own) == ["recompiles"]


@pytest.mark.parametrize(("calls", "cause"), [(RUNS["a function"], Cause.RUNS), (PARTS["epochs"], Cause.LOOP)])
def test_control_flow_outside_of_jit_compiles_once_in_each_run(tmp_path: Path, calls: str, cause: Cause) -> None:
    files = {"learning": FIT.replace("    @jax.jit\n", ""), "experiments": f"{MAIN}{calls}"}
    write(tmp_path, {f"{name}.py": text for name, text in files.items()})
    found = ProgramUses({name: tmp_path / f"{name}.py" for name in files}, tmp_path).runs.eager("learning.fit.run")
    assert found is not None
    assert found.cause is cause
