"""Nothing of a checkout is run, wherever it is: not by a command, and not by the ways to start it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jaxtyped_static_cli.mypy_runs.known_plugins import known_plugins
from jaxtyped_static_cli.project.interpreter import find_interpreter
from jaxtyped_static_cli.project.roots import Project, find_project, folders_of_repository
from tests import processes
from tests.cli.canaries import plant
from tests.cli.conftest import STEPS
from tests.cli.running import CONFIG, run, write

pytestmark = pytest.mark.xdist_group("light")

# With their exit codes: each comes to its end.
COMMANDS = {
    "check": 1,
    "check --format=json": 1,
    "check --diff": 1,
    "check --fix --unsafe-fixes": 0,
    "census": 0,
    "census --format=json": 0,
    "doctor": 0,
    "migrate": 1,
    "migrate --write": 0,
    "rule static-hash": 0,
}
SAFE_STARTS = {
    "python -P -m": ("-P", "-m", "jaxtyped_static_mypy"),
    "the script": ("-c", "import sys; del sys.path[0]; from jaxtyped_static_cli.main import run; run()"),
}


def traces_of(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_every_canary_leaves_a_trace_when_it_is_run(tmp_path: Path) -> None:
    canaries = plant(tmp_path / "project", tmp_path / "traces")
    for canary in canaries:
        if os.access(canary, os.X_OK):
            subprocess.run([canary], check=True)
        else:
            exec(canary.read_text(), {})
    assert len(traces_of(tmp_path / "traces")) == len(set(canaries)) > 50


@pytest.mark.parametrize(
    "command", [one if " " not in one else pytest.param(one, marks=pytest.mark.thorough) for one in COMMANDS]
)
def test_no_command_runs_code_of_the_project(tmp_path: Path, cache: str, command: str) -> None:
    project = tmp_path / "project"
    plant(project, tmp_path / "traces")
    said = run(project, *command.split(), *([] if command.startswith("rule") else [cache]))
    assert traces_of(tmp_path / "traces") == []
    assert said.code == COMMANDS[command], said


def start(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    return processes.run([sys.executable, *arguments], cwd=project, env=environment)


@pytest.mark.parametrize("way", SAFE_STARTS)
def test_starting_the_command_runs_no_code_of_the_project(tmp_path: Path, cache: str, way: str) -> None:
    project = tmp_path / "project"
    plant(project, tmp_path / "traces")
    said = start(project, *SAFE_STARTS[way], "check", "--fix", cache)
    assert traces_of(tmp_path / "traces") == []
    assert "Fixed 1 problem in main.py." in said.stdout and said.returncode == 0, said


def test_as_a_module_the_command_runs_no_more_of_the_current_folder_than_python_itself(
    tmp_path: Path, cache: str
) -> None:
    """With `-m`, Python imports some of its own modules from the current folder before it looks for the module."""
    project, traces = tmp_path / "project", tmp_path / "traces"
    plant(project, traces)
    while start(project, "-m", "no_such_module") and (of_python := traces_of(traces)):
        for name in of_python:
            (project / name).unlink()
            (traces / name).unlink()
    said = start(project, "-m", "jaxtyped_static_mypy", "check", "--fix", cache)
    assert traces_of(traces) == []
    assert "Fixed 1 problem in main.py." in said.stdout and said.returncode == 0, said


@pytest.mark.parametrize("command", ["check", "doctor"])
def test_nothing_above_a_project_is_read_or_run(tmp_path: Path, cache: str, command: str) -> None:
    """Neither above the root of a repository, nor above a project that is in none."""
    above = tmp_path / "above"
    plant(above, tmp_path / "traces")
    shutil.rmtree(above / ".git")
    for project in (above / "project", above / "repository" / "package"):
        write(project, {"main.py": ""})
    (above / "repository" / ".git").mkdir()
    for project in (above / "project", above / "repository" / "package"):
        said = run(project, command, cache)
        assert "the command's own" in said.out and said.code == 0, said
    assert traces_of(tmp_path / "traces") == []


def test_a_folder_that_others_may_write_to_is_not_looked_at(tmp_path: Path) -> None:
    shared = write(tmp_path / "shared", {".venv/bin/python": "", ".git/HEAD": ""})
    shared.chmod(0o1777)
    write(shared / "mine", {"main.py": ""}).joinpath("pyproject.toml").unlink()
    project = find_project([shared / "mine" / "main.py"])
    assert project == Project(shared / "mine", None, shared / "mine")
    assert find_interpreter(None, project.root, {}).origin == "the command's own"


def test_nor_is_one_that_is_open_to_everybody_unless_every_folder_is(tmp_path: Path) -> None:
    mine = write(tmp_path / "shared" / "mine", {"main.py": ""})
    write(tmp_path / "shared", {".git/HEAD": ""})
    mine.chmod(0o755)
    (tmp_path / "shared").chmod(0o777)
    assert folders_of_repository(mine) == [mine]
    mine.chmod(0o777)  # as on a file system without permissions
    assert folders_of_repository(mine) == [mine, tmp_path / "shared"]


def test_nothing_is_written_through_a_link(project: Path, cache: str) -> None:
    theirs = write(project.parent / "other", {"theirs.py": STEPS.replace("app.solver", "app.steps")}) / "theirs.py"
    before = theirs.read_text()
    (project / "app" / "linked.py").symlink_to(theirs)
    said = run(project, "check", "--fix", "--unsafe-fixes", cache)
    assert "app/linked.py: not fixed: a symbolic link leads to it; name it to change it" in said.errors, said
    assert theirs.read_text() == before and (project / "app" / "linked.py").is_symlink()


def test_configured_files_are_those_of_the_repository(project: Path, cache: str) -> None:
    write(project, {"pyproject.toml": CONFIG + 'files = ["app", "../other"]\n'})
    write(project.parent / "other", {"theirs.py": ""})
    said = run(project, "check", "--fix", cache)
    assert f"names {project.parent}/other, outside of {project}; name what to check" in said.errors and said.code == 2
    assert run(project, "check", cache, "../other").code == 0


@pytest.mark.thorough
def test_a_cache_that_is_part_of_the_repository_is_refused(project: Path) -> None:
    """Whoever writes a cache decides what is found: here, that a class with a fault has none."""
    assert run(project, "check").code == 1
    git = ("git", "-c", "core.hooksPath=/dev/null")
    processes.run([*git, "init", "--quiet"], cwd=project)
    assert run(project, "check").code == 1
    processes.run([*git, "add", "--force", ".jaxtyped_static_cache"], cwd=project)
    said = run(project, "check")
    assert "is part of the repository, and may say whatever its author likes; take it out" in said.errors
    assert said.code == 2 and run(project, "check", f"--cache-dir={project.parent / 'cache'}").code == 1
    (project / ".jaxtyped_static_a").touch()
    processes.run([*git, "add", "--force", ".jaxtyped_static_a"], cwd=project)
    processes.run([*git, "update-index", "--index-version", "4"], cwd=project)  # leaves out what names share
    assert run(project, "check").code == 2
    (project / ".hg").mkdir()
    assert run(project, "check").code == 2
    index = (project / ".git" / "index").read_bytes()
    (project / ".git" / "index").write_bytes(index.replace(b"cache/", b"CACHE/"))  # the same folder, on macOS
    assert run(project, "check").code == 2
    (project / ".git" / "index").write_bytes(index)
    processes.run([*git, "rm", "-r", "--quiet", "--cached", ".jaxtyped_static_cache"], cwd=project)
    assert run(project, "check").code == 1 and run(project, "check").code == 1


def test_only_plugins_that_are_known_are_loaded_and_only_from_beside_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pydantic")
    configured = ["json", "pydantic.mypy", "pydantic.mypy:other", "pydantic.v1.mypy", "pydantic/mypy.py", "mypy.plugin"]
    assert list(known_plugins(configured)) == ["pydantic.mypy"]
    write(tmp_path, {"pydantic/__init__.py": "", "pydantic/mypy.py": ""})
    monkeypatch.syspath_prepend(tmp_path)
    assert list(known_plugins(configured)) == []


def test_the_workflow_of_the_page_checks_a_pull_request_with_the_settings_of_its_base(tmp_path: Path) -> None:
    """Here with a pull request that brings an environment, a cache and settings which hide what it adds."""
    programs = Path(sys.executable).parent
    if not (programs / "jaxtyped-static").exists():
        pytest.skip("the command is not installed as a script")
    write(tmp_path / "base", {})
    plant(tmp_path / "pull-request", tmp_path / "traces")
    settings = "[mypy]\nexclude = .*\n[jaxtyped_static]\nstatic_types = builtins.list\n"
    write(tmp_path / "pull-request", {"mypy.ini": settings, "added.py": "import jaxtyped_static\n" + STEPS})
    page = (processes.ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    steps = page.partition("        run: |\n")[2].partition("```")[0]
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    environment |= {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "RUNNER_TEMP": str(tmp_path / "temp")}
    said = processes.run(["sh", "-ec", steps], cwd=tmp_path / "pull-request", env=environment)
    assert "::error title=static-mutable,file=added.py," in said.stdout and said.returncode == 1, said
    assert traces_of(tmp_path / "traces") == []
