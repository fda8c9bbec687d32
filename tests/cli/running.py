"""Runs the command on a small project, in the process that the tests of the plugin use.

The projects see a jax of a few lines: the real one takes mypy longer than all of these tests.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from jaxtyped_static_cli.main import main
from jaxtyped_static_cli.mypy_runs.past_trees import keep_past_trees
from tests import processes
from tests.conftest import shared_folder
from tests.plugin.running import LIGHT, elsewhere

CONFIG = f'[tool.mypy]\nmypy_path = ["{LIGHT}"]\n'


class Said(NamedTuple):
    """The output of the command and its exit code."""

    out: str
    errors: str
    code: int


def run(project: Path, *arguments: str) -> Said:
    """Runs `jaxtyped-static` in the folder of a project."""
    return elsewhere(run_here, project, arguments)


def findings_of(project: Path, *arguments: str) -> list[dict[str, Any]]:
    """What `check` finds in a project, as its JSON says it."""
    found: list[dict[str, Any]] = json.loads(run(project, "check", "--format=json", *arguments).out)["findings"]
    return found


def lines_of(finding: dict[str, Any]) -> list[int]:
    """The lines of its positions."""
    return [position["line"] for position in finding["positions"]]


def write(project: Path, files: Mapping[str, str]) -> Path:
    """Writes files of a project, and a configuration with which mypy sees a small jax."""
    for name, text in {"pyproject.toml": CONFIG, **files}.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return project


def run_here(project: Path, arguments: tuple[str, ...], user_cache: Path | None = None) -> Said:
    """Runs the command in this process. `user_cache`: where caches are shared, if not with these tests."""
    out, errors = StringIO(), StringIO()
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
    environment["XDG_CACHE_HOME"] = str(user_cache or shared_folder() / "user-cache")
    with contextlib.chdir(project), contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        saved = dict(os.environ)
        os.environ.clear()
        os.environ.update(environment, COLUMNS="100")
        keep_past_trees()  # those of earlier calls: to free them takes longer than another process
        try:
            code = main(arguments)
        except SystemExit as exit_:
            code = int(exit_.code or 0)
        finally:
            os.environ.clear()
            os.environ.update(saved)
    return Said(out.getvalue(), errors.getvalue(), code)


def run_in_shell(project: Path, *arguments: str | Path) -> Said:
    """Runs the command from a shell, as it becomes the program, which may end in any way."""
    code = "import sys; from jaxtyped_static_cli.main import run; run()"
    command = ["sh", "-c", '"$@"; exit $?', "sh", sys.executable, "-c", code, *map(str, arguments)]
    done = processes.run(command, cwd=project)
    return Said(done.stdout, done.stderr, done.returncode)
