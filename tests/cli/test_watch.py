"""`check --watch` shows what is found now, whatever was edited."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from unittest import mock

import pytest

from jaxtyped_static_cli.main import main
from tests.cli.conftest import SOLVER, STEPS
from tests.cli.running import CONFIG, run, write
from tests.conftest import shared_folder
from tests.plugin.running import elsewhere

pytestmark = pytest.mark.xdist_group("light")

Edit = tuple[str, str | None]  # a file, and its text; none to delete it

FROZEN = SOLVER.replace("@dataclass", "@dataclass(frozen=True)")
THIRD = "from jaxtyped_static import Static, jit\n\n\n@jit\ndef third(names: Static[set[str]]) -> None: ...\n"


def watched(project: Path, edits: Sequence[Edit], *arguments: str) -> list[str]:
    """What the command prints at first and after each edit; the user then interrupts it."""
    said, code = elsewhere(_watch_here, project, list(edits), ["check", "--watch", "--format=concise", *arguments])
    assert code == 0, said
    return said.split("\f")


def _watch_here(project: Path, edits: list[Edit], arguments: list[str]) -> tuple[str, int]:
    out = StringIO()

    def edit_instead_of_sleeping(seconds: float) -> None:
        if out.getvalue().count("Watching ") <= out.getvalue().count("\f"):
            return  # the last edit is not checked yet
        if not edits:
            raise KeyboardInterrupt
        out.write("\f")
        _apply(project, edits.pop(0))

    with (
        contextlib.chdir(project),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(out),
        mock.patch.dict(os.environ, {"XDG_CACHE_HOME": str(shared_folder() / "user-cache")}),
        mock.patch("jaxtyped_static_cli.commands.watching.time.sleep", edit_instead_of_sleeping),
    ):
        code = main(arguments)
    return out.getvalue(), code


def _apply(project: Path, edit: Edit) -> None:
    """Changes a file as many editors do: by another one that takes its name."""
    name, text = edit
    path = project / name
    if text is None:
        path.unlink()
        return
    path.parent.mkdir(exist_ok=True)
    path.with_suffix(".new").write_text(text)
    path.with_suffix(".new").replace(path)


@pytest.mark.thorough
def test_each_edit_is_answered(project: Path, cache: str) -> None:
    first, frozen, broken, mended, added, gone, inside = watched(
        project,
        [
            ("app/solver.py", FROZEN),
            ("app/steps.py", STEPS + "def f(:\n"),
            ("app/steps.py", STEPS),
            ("app/third.py", THIRD),
            ("app/third.py", None),
            ("new/third.py", THIRD),
        ],
        cache,
    )
    assert "Found 2 problems in 2 files" in first
    assert frozen.startswith("Changed: app/solver.py\napp/steps.py:11:44: static-mutable [raises] list[int]"), frozen
    assert "error: app/steps.py:13:" in broken and "Nothing found." in broken
    assert "Found 1 problem in 1 file" in mended and "not checked" not in mended
    assert "app/third.py:5:11: static-mutable [raises] set[str] is mutable" in added
    assert gone.startswith("Changed: app/third.py\n") and "Found 1 problem in 1 file" in gone
    assert inside.startswith("Changed: new/third.py\n") and "new/third.py:5:11: static-mutable" in inside


@pytest.mark.thorough
def test_settings_are_read_again(project: Path, cache: str) -> None:
    _, wrong, right = watched(
        project,
        [
            ("pyproject.toml", CONFIG + "[tool.jaxtyped_static]\nstrickt = true\n"),
            ("pyproject.toml", CONFIG + '[tool.jaxtyped_static]\nstatic_types = ["app.solver.Solver"]\n'),
        ],
        cache,
    )
    assert wrong.startswith("Changed: pyproject.toml; the settings are read again\nerror: ") and "strickt" in wrong
    assert "Found 1 problem in 1 file" in right


@pytest.mark.thorough
def test_what_cannot_be_checked_yet_is_checked_later(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {})
    nothing, something = watched(tmp_path, [("main.py", THIRD)], cache)
    assert nothing.startswith("error: no Python files") and "Found 1 problem" in something


@pytest.mark.thorough
def test_an_edit_within_a_second_that_keeps_the_size_is_seen(project: Path, cache: str) -> None:
    """mypy's cache knows the size of a file and the second in which it was changed."""

    def edit(text: str) -> None:
        (project / "app/steps.py").write_text(text)
        os.utime(project / "app/steps.py", (later, later))

    later = time.time() + 60
    edit(STEPS)
    assert "Found 2 problems" in run(project, "check", cache).out
    edit(STEPS.replace("sizes: Static[list[int]]", "sizes: Static[ int    ]"))
    assert "Found 1 problem" in run(project, "check", cache).out
