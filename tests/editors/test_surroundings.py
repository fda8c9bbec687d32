"""What is around an open file: other projects, environments that change, other branches, other servers."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.cli.running import write
from tests.editors.language_server import Editor, Json, editor, editor_over_tcp
from tests.editors.test_server import COMMAND, PROGRAM
from tests.editors.test_signatures import SERVERS

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("followed")]

WARNING = 2  # the severity; what is less is how a text looks, as names in grey
FROZEN = PROGRAM.replace("@dataclass\n", "@dataclass(frozen=True)\n")


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user-cache"))
    return tmp_path / "workspace"


def test_each_project_has_an_environment_and_one_without_jax_is_checked_when_it_has_another(workspace: Path) -> None:
    for name in ("first", "second"):
        write(workspace / name, {"main.py": PROGRAM, "pyproject.toml": ""})
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    empty = write(workspace / "empty", {"pyvenv.cfg": f"home = {sys.base_prefix}/bin\nversion = {version}.0\n"})
    (empty / "lib" / f"python{version}" / "site-packages").mkdir(parents=True)
    (workspace / "first" / ".venv").symlink_to(sys.prefix)
    (workspace / "second" / ".venv").symlink_to(empty)
    with editor(COMMAND, workspace, {}) as opened:
        opened.open("first/main.py")
        opened.open("second/main.py")
        assert _until(opened, "first/main.py", 3)
        while not opened.messages():
            opened.request("textDocument/hover", **_start(opened, "second/main.py"))
            time.sleep(0.2)
        (said,) = opened.messages()
        assert f"no JAX with types in {workspace / 'second' / '.venv'}" in said
        (workspace / "second" / ".venv").unlink()
        (workspace / "second" / ".venv").symlink_to(sys.prefix)
        assert _until(opened, "second/main.py", 3)


def test_another_branch_is_checked_when_it_is_checked_out(workspace: Path) -> None:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        subprocess.run(["git", *identity, *arguments], cwd=workspace, check=True, stdout=subprocess.DEVNULL)

    solvers, main = _in_two_files(PROGRAM)
    write(workspace, {"main.py": main, "solvers.py": solvers, ".gitignore": ".jaxtyped_static_cache\n"})
    git("init", "--quiet", "--initial-branch", "mutable")
    git("add", ".")
    git("commit", "--quiet", "--message", "mutable")
    git("switch", "--quiet", "--create", "frozen")
    frozen, _ = _in_two_files(FROZEN)
    write(workspace, {"solvers.py": "from values import number\n" + frozen, "values.py": "number = 1.0\n"})
    git("add", ".")
    git("commit", "--quiet", "--message", "frozen")
    with editor(COMMAND, workspace, {}) as opened:
        opened.open("main.py")
        assert _until(opened, "main.py", 1)
        git("switch", "--quiet", "mutable")
        assert _until(opened, "main.py", 2)
        git("switch", "--quiet", "frozen")
        assert _until(opened, "main.py", 1)


def test_it_talks_over_tcp(workspace: Path) -> None:
    write(workspace, {"main.py": PROGRAM})
    with editor_over_tcp(COMMAND, workspace) as opened:
        opened.open("main.py")
        assert _until(opened, "main.py", 3)


@pytest.mark.parametrize("other", SERVERS)
def test_nothing_is_said_twice_beside_another_checker(workspace: Path, other: str) -> None:
    write(workspace, {"main.py": f"{PROGRAM}\nnumber: int = 'text'\n", "pyproject.toml": ""})
    command, settings = SERVERS[other]
    with editor(COMMAND, workspace, {}) as ours, editor(command, workspace, settings) as theirs:
        for opened in (ours, theirs):
            opened.open("main.py")
        own, others = (_first(opened, "main.py") for opened in (ours, theirs))
    assert {one["source"] for one in own} == {"jaxtyped-static"}
    assert _lines(own).isdisjoint(_lines(one for one in others if one["severity"] <= WARNING))


def _until(opened: Editor, name: str, count: int) -> bool:
    """Waits for that number of diagnostics."""
    return any(len(shown) == count for shown in opened.diagnostics(name))


def _first(opened: Editor, name: str) -> list[Json]:
    return next(shown for shown in opened.diagnostics(name) if shown)


def _lines(shown: Iterable[Json]) -> set[int]:
    return {one["range"]["start"]["line"] for one in shown}


def _start(opened: Editor, name: str) -> Json:
    return {"textDocument": {"uri": opened.uri(name)}, "position": {"line": 0, "character": 0}}


def _in_two_files(text: str) -> tuple[str, str]:
    """The class, and the program that imports it."""
    start, end = text.index("@dataclass"), text.index("@jit")
    head = "from dataclasses import dataclass\n\n"
    return f"{head}\n{text[start:end]}", f"from solvers import Solver\n{text[len(head) : start]}{text[end:]}"
