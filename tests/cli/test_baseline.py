"""A baseline accepts what there is, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import SOLVER, STEPS
from tests.cli.running import run, write

pytestmark = pytest.mark.xdist_group("light")

OPTION = "--baseline=baseline.json"


@pytest.fixture
def adopted(project: Path, cache: str) -> Path:
    """A project whose findings are all accepted."""
    said = run(project, "check", cache, OPTION, "--write-baseline")
    assert said.out == "baseline.json: 2 findings accepted from now on\n" and said.code == 0
    return project


def test_what_is_accepted_is_not_reported_whatever_else_is_edited(adopted: Path, cache: str) -> None:
    write(
        adopted,
        {"app/solver.py": '"""Moved."""\n\nimport math\n\n' + SOLVER, "app/steps.py": "import math\n\n\n" + STEPS},
    )
    said = run(adopted, "check", cache, OPTION)
    assert said.code == 0 and "The baseline accepts 2 problems." in said.out


def test_what_is_new_is_reported(adopted: Path, cache: str) -> None:
    write(adopted, {"app/steps.py": STEPS + "\n\n@jit\ndef third(names: Static[set[str]]) -> None: ...\n"})
    said = run(adopted, "check", cache, OPTION, "--format=json")
    assert [one["subject"] for one in json.loads(said.out)["findings"]] == ["third: names"]
    assert said.code == 1


def test_what_is_gone_is_named(adopted: Path, cache: str) -> None:
    write(adopted, {"app/solver.py": SOLVER.replace("@dataclass", "@dataclass(frozen=True)")})
    said = run(adopted, "check", cache, OPTION)
    assert "  app/solver.py: static-mutable app.solver.Solver\n" in said.out
    assert "gone" not in run(adopted, "check", cache, OPTION, "app/steps.py").out  # not checked, so not gone


def test_to_write_it_for_some_files_keeps_what_is_accepted_in_others(adopted: Path, cache: str) -> None:
    assert run(adopted, "check", cache, OPTION, "--write-baseline", "app/steps.py").code == 0
    assert run(adopted, "check", cache, OPTION).code == 0


def test_a_file_that_is_no_baseline_is_refused(project: Path) -> None:
    (project / "baseline.json").write_text("[]")
    assert "is not a baseline" in run(project, "check", OPTION).errors
