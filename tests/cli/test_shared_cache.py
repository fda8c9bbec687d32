"""What was learnt of installed packages in one project serves the next, as long as they are the same."""

from __future__ import annotations

import contextlib
import os
import shutil
from io import StringIO
from pathlib import Path
from unittest import mock

import pytest

from jaxtyped_static_cli.main import main
from jaxtyped_static_cli.terminal.progress import Progress
from tests.cli.conftest import SOLVER, STEPS
from tests.cli.running import write
from tests.plugin.running import LIGHT, elsewhere

pytestmark = [pytest.mark.xdist_group("light"), pytest.mark.thorough]

TUPLE, LIST = "Sizes = tuple[int, ...]\n", "Sizes = list[int]\n"  # two versions of a library
USE = """\
import jax
from jaxtyped_static import Static, jit
from library import Sizes


@jit
def f(x: jax.Array, sizes: Static[Sizes]) -> jax.Array:
    return x
"""


def check(project: Path, user_cache: Path, *arguments: str) -> tuple[str, set[str]]:
    """What the command prints about a project, and which packages mypy reads, rather than to take them from a cache."""
    return elsewhere(_check_here, project, user_cache, ["check", "--format=concise", *arguments])


def _check_here(project: Path, user_cache: Path, arguments: list[str]) -> tuple[str, set[str]]:
    out = StringIO()
    read: set[str] = set()
    with (
        contextlib.chdir(project),
        contextlib.redirect_stdout(out),
        mock.patch.dict(os.environ, {"XDG_CACHE_HOME": str(user_cache)}),
        mock.patch.object(Progress, "read", lambda _, module: read.add(module.partition(".")[0])),
    ):
        main(arguments)
    return out.getvalue().partition("Checked")[0], read


def made(folder: Path, library: str) -> Path:
    """A project with its own environment."""
    installed = folder / ".venv" / "site-packages"
    shutil.copytree(LIGHT, installed)
    (installed / "library.py").write_text(library)
    return write(folder, {"pyproject.toml": f'[tool.mypy]\nmypy_path = ["{installed}"]\n', "main.py": USE})


def test_the_second_project_reads_no_library_again(tmp_path: Path) -> None:
    first, second = made(tmp_path / "first", TUPLE), made(tmp_path / "second", TUPLE)
    cold = check(first, tmp_path / "cache")
    warm = check(second, tmp_path / "cache")
    assert {"main", "jax", "builtins"} <= cold[1]
    assert warm == (cold[0], {"main", "jaxtyped_static", "jaxtyped_static_runs"})
    assert check(made(tmp_path / "third", TUPLE), tmp_path / "cache", "--no-shared-cache") == cold


def test_another_version_of_a_library_is_read(tmp_path: Path) -> None:
    first, second = made(tmp_path / "first", TUPLE), made(tmp_path / "second", LIST)
    assert "Nothing found." in check(first, tmp_path / "cache")[0]
    expected, _ = check(second, tmp_path / "cache", "--no-shared-cache")
    shutil.rmtree(second / ".jaxtyped_static_cache")
    assert "static-mutable" in expected, expected
    assert check(second, tmp_path / "cache")[0] == expected


def test_a_module_of_the_project_is_never_shared(tmp_path: Path) -> None:
    first, second = made(tmp_path / "first", TUPLE), made(tmp_path / "second", TUPLE)
    write(first, {"app/solver.py": SOLVER.replace("@dataclass", "@dataclass(frozen=True)"), "app/steps.py": STEPS})
    write(second, {"app/solver.py": SOLVER, "app/steps.py": STEPS})
    assert "Found 1 problem in" in check(first, tmp_path / "cache")[0]
    assert "Found 2 problems in" in check(second, tmp_path / "cache")[0]
