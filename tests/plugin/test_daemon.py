"""mypy's daemon uses the current settings, or says that it does not; and it finishes after a module is deleted."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import processes
from tests.plugin.running import LIGHT
from tests.processes import PATIENTLY

SETTINGS = '[tool.mypy]\nplugins = ["jaxtyped_static_mypy"]\n[tool.jaxtyped_static]\n'
MARKED = 'static_markers = ["marks.Fixed"]\n'
MARKS = 'from typing import Annotated, TypeVar\nT = TypeVar("T")\nFixed = Annotated[T, "static"]\n'
PROGRAM = "from marks import Fixed\ndef step(n: list[Fixed[int]]) -> None: ...\n"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    """A program in which a setting decides whether there is an error; it needs no jax, which takes long to analyse."""
    for name, text in {"pyproject.toml": SETTINGS, "marks.py": MARKS, "main.py": PROGRAM}.items():
        (tmp_path / name).write_text(text)
    yield tmp_path
    dmypy(tmp_path, "kill")


def dmypy(folder: Path, *command: str) -> str:
    done = processes.run([*PATIENTLY, "mypy.dmypy", "--status-file", "status.json", *command], cwd=folder)
    return done.stdout + done.stderr


def run(folder: Path) -> str:
    return dmypy(folder, "run", "--", "main.py")


def edit(file: Path, text: str) -> None:
    """Edits a file; the daemon compares sizes and whole seconds."""
    later = file.stat().st_mtime + 2
    file.write_text(text)
    os.utime(file, (later, later))


def test_run_uses_settings_that_changed(project: Path) -> None:
    assert "Success" in run(project)
    edit(project / "pyproject.toml", SETTINGS + MARKED)
    assert "[static-marker]" in run(project)
    edit(project / "pyproject.toml", SETTINGS)
    assert "Success" in run(project)


@pytest.mark.thorough
def test_the_daemon_keeps_running_while_the_settings_are_equal(project: Path) -> None:
    run(project)
    edit(project / "pyproject.toml", SETTINGS + "strict = false\n")
    assert "Restarting" not in run(project)


@pytest.mark.thorough
def test_a_mistake_in_the_settings_is_named_and_can_be_fixed(project: Path) -> None:
    run(project)
    edit(project / "pyproject.toml", SETTINGS + "stict = true\n")
    said = run(project)
    assert "did you mean 'strict'?" in said and "Traceback" not in said
    edit(project / "pyproject.toml", SETTINGS + MARKED)
    assert "[static-marker]" in run(project)


@pytest.mark.parametrize(
    "command", [("check", "main.py"), pytest.param(("recheck",), marks=pytest.mark.thorough)], ids=["check", "recheck"]
)
def test_commands_that_do_not_reread_the_configuration_say_so(project: Path, command: tuple[str, ...]) -> None:
    run(project)
    edit(project / "pyproject.toml", SETTINGS + MARKED)
    edit(project / "main.py", PROGRAM + "# edited\n")
    assert "still uses the old ones" in dmypy(project, *command)
    edit(project / "main.py", PROGRAM)
    assert "still uses the old ones" not in dmypy(project, *command)  # once is enough


@pytest.mark.thorough
def test_it_finishes_after_a_submodule_that_used_a_dataclass_of_its_package_is_deleted(project: Path) -> None:
    (project / "pyproject.toml").write_text(f'[tool.mypy]\nplugins = ["jaxtyped_static_mypy"]\nmypy_path = "{LIGHT}"\n')
    (project / "main.py").write_text("import jax, jaxtyped_static, package\n")  # keeps them in the build
    submodule = project / "package" / "part.py"
    submodule.parent.mkdir()
    inner = "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Inner: ...\n"
    (submodule.parent / "__init__.py").write_text(inner)
    outer = "from jaxtyped_static import static_dataclass\nfrom package import Inner\n"
    submodule.write_text(f"{outer}@static_dataclass\nclass Outer:\n    inner: Inner\n")
    assert "3 source files" in dmypy(project, "run", "--", "main.py", "package")
    submodule.unlink()
    assert "2 source files" in dmypy(project, "run", "--", "main.py", "package")
