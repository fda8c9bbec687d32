"""A project that is followed while it is edited: the answers are those of a check from the beginning."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.running import run, write
from tests.editors.followed import Found, followed
from tests.plugin.running import elsewhere

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("followed")]

SOLVER = """\
from dataclasses import dataclass


@dataclass{options}
class Solver:
    dt: float
    sizes: {sizes}
"""
STEPS = """\
from app.solver import Solver
from jaxtyped_static import Static, jit


@jit
def first(y: int, solver: Static[Solver]) -> int:
    return y{more}


@jit
def second(y: int, sizes: Static[{kind}]) -> int:
    return first(y, Solver(0.1, {value}))
"""
MAIN = """\
from app import steps
from app.solver import Solver

solver = Solver(0.1, {value})
for number in range(10):
    {changes}
    steps.first(number, solver)
"""
SCRIPT = """\
from helper import Size
from jaxtyped_static import Static, jit


@jit
def step(y: int, sizes: Static[Size]) -> int:
    return y
"""
EDITS = {
    "app/solver.py": [
        SOLVER.format(options=options, sizes=sizes)
        for options in ("", "(frozen=True)", "(eq=False)")
        for sizes in ("list[int]", "tuple[int, ...]", "int")
    ],
    "app/steps.py": [
        STEPS.format(kind=kind, value=value, more=more)
        for kind, value in (("list[int]", "[1]"), ("tuple[int, ...]", "(1,)"))
        for more in ("", "\n# a comment", " +")
    ],
    "main.py": [
        MAIN.format(value=value, changes=changes)
        for value in ("[1]", "(1,)")
        for changes in ("pass", "solver.dt = number * 0.1", "solver = Solver(0.1, (number,))", "if")
    ],
}
FIRST = {name: texts[0] for name, texts in EDITS.items()}


def texts() -> st.SearchStrategy[list[tuple[str, str]]]:
    one = st.sampled_from(sorted(EDITS)).flatmap(
        lambda name: st.sampled_from(EDITS[name]).map(lambda text: (name, text))
    )
    return st.lists(one, min_size=3, max_size=8)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=texts())
def test_after_any_edits_the_answer_is_that_of_a_check(
    history: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    project = write(tmp_path_factory.mktemp("edited"), {"app/__init__.py": "", **FIRST})
    files, cache = dict(FIRST), f"--cache-dir={tmp_path_factory.getbasetemp() / 'cache-of-checks'}"
    for (name, text), answer in zip(history, elsewhere(followed, project, tuple(history)), strict=True):
        files[name] = text
        if answer is not None:
            write(project, files)
            assert answer == checked(project, cache)


def test_scripts_of_the_same_names_are_checked_from_the_beginning(tmp_path: Path) -> None:
    files = {f"{folder}/train.py": SCRIPT for folder in ("first", "second")}
    files |= {"first/helper.py": "Size = int\n", "second/helper.py": "Size = int\n"}
    project, edited = write(tmp_path, files), "Size = list[int]\n"
    (answer,) = elsewhere(followed, project, (("second/helper.py", edited),))
    write(project, {"second/helper.py": edited})
    assert answer == checked(project, f"--cache-dir={tmp_path / 'cache'}")
    assert [path for path, *_ in answer or ()] == ["second/train.py"]


def checked(project: Path, cache: str) -> Found:
    report = json.loads(run(project, "check", cache, "--format=json", "--potential").out)
    return sorted(
        (one["path"], one["line"], one["column"], one["code"], join(one["problem"], one["advice"]), one["harm"])
        for one in report["findings"]
    )


def join(problem: str, advice: str) -> str:
    return f"{problem}; {advice}" if advice else problem
