"""Faults in the settings are reported once per run, however mypy runs, without mypy's own words about plugins."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import processes
from tests.conftest import shared_folder
from tests.processes import PATIENTLY

WRONG_NAME = '[tool.mypy]\nplugins = ["jaxtyped_static_mypy"]\n[tool.jaxtyped_static]\nstatic_types = ["mesh.Mehs"]\n'
WRONG_KEY = '[tool.mypy]\nplugins = ["jaxtyped_static_mypy"]\n[tool.jaxtyped_static]\nstrictd = true\n'
SAID = 'static_types names "mesh.Mehs", but "mesh" has no "Mehs"; did you mean "mesh.Mesh"?'


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "mesh.py").write_text("class Mesh: ...\n")
    (tmp_path / "main.py").write_text("import mesh\n")
    yield tmp_path
    if (tmp_path / ".dmypy.json").exists():
        run(tmp_path, *PATIENTLY, "mypy.dmypy", "kill")


def run(project: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Runs mypy once on a new program; all tests share one analysis of the standard library."""
    environment = os.environ | {"MYPY_CACHE_DIR": str(shared_folder() / "settings-cache")}
    return processes.run(command, cwd=project, env=environment)


COMMANDS = {
    "one process": (*PATIENTLY, "mypy", "main.py"),
    "workers": (*PATIENTLY, "mypy", "-n", "2", "main.py"),
    "daemon": (*PATIENTLY, "mypy.dmypy", "run", "--", "main.py"),
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_name_that_names_nothing_is_reported_once_per_run(project: Path, command: tuple[str, ...]) -> None:
    (project / "pyproject.toml").write_text(WRONG_NAME)
    assert run(project, *command).stderr.count(f"pyproject.toml: jaxtyped_static: warning: {SAID}\n") == 1


def test_it_is_reported_even_if_everything_is_cached(project: Path) -> None:
    (project / "pyproject.toml").write_text(WRONG_NAME)
    cold, warm = (run(project, *COMMANDS["one process"]) for _ in range(2))
    assert cold.stderr.count(SAID) == warm.stderr.count(SAID) == 1


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_mistake_stops_mypy_with_one_line(project: Path, command: tuple[str, ...]) -> None:
    (project / "pyproject.toml").write_text(WRONG_KEY)
    done = run(project, *command)
    mistake = "pyproject.toml: [tool.jaxtyped_static]: error: unknown key 'strictd'; did you mean 'strict'?\n"
    assert done.stderr.count(mistake) == 1
    assert "Error constructing" not in done.stdout + done.stderr
    assert done.returncode == 2


def test_an_untested_mypy_is_named_once_per_run(project: Path) -> None:
    later = (
        "import mypy.version; mypy.version.__version__ = '9.1'; "
        "from mypy.__main__ import console_entry; console_entry()"
    )
    (project / "pyproject.toml").write_text(WRONG_NAME)
    assert run(project, sys.executable, "-c", later, "main.py").stderr.count("mypy 9.1 is newer") == 1
