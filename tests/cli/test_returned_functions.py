"""A function that a factory returns runs as often as those who call the factory call what they get."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run, write

pytestmark = pytest.mark.xdist_group("light")

TOOLS = """\
import jax


def make_solver(n):
    def solve(x):
        return jax.jit(lambda y: y * n)(x)

    def plain(x):
        return x

    return {returned}
"""
ONCE = {
    "a name": ("solve", "solve = make_solver(2)\n    solve(x)"),
    "a call": ("solve", "make_solver(2)(x)"),
    "a part": ("plain, solve", "plain, solve = make_solver(2)\n    solve(x)\n    for x in xs: plain(x)"),
    "in a trace": ("solve", "solve = make_solver(2)\n    step = jax.jit(solve)\n    for x in xs: step(x)"),
}
AGAIN = {
    "a loop": ("solve", "solve = make_solver(2)\n    for x in xs: solve(x)"),
    "the factory in a loop": ("solve", "for x in xs: make_solver(2)(x)"),
    "another part": ("plain, solve", "plain, solve = make_solver(2)\n    plain(x)\n    for x in xs: solve(x)"),
    "an argument": ("solve", "solve = make_solver(2)\n    list(map(solve, xs))"),
    "an attribute": ("solve", "xs.solve = make_solver(2)"),
    "nothing": ("solve", "pass"),
}


def found(project: Path, returned: str, code: str) -> list[str]:
    """What the program does whose function `main` calls the factory like this."""
    main = f"import jax\nfrom tools import make_solver\n\ndef main(x, xs):\n    {code}\n\nmain(1, [2])\n"
    write(project, {"tools.py": TOOLS.format(returned=returned), "runs.py": main})
    said = json.loads(run(project, "check", "--format=json", "--select=jit-retrace", "--potential").out)
    return [one["harm"] for one in said["findings"]]


@pytest.mark.parametrize("case", ONCE)
def test_what_its_only_caller_calls_once_runs_once(tmp_path: Path, case: str) -> None:
    assert found(tmp_path, *ONCE[case]) in ([], ["potential"])


@pytest.mark.parametrize("case", AGAIN)
def test_what_goes_on_or_is_looped_runs_again(tmp_path: Path, case: str) -> None:
    assert found(tmp_path, *AGAIN[case]) == ["recompiles"]
