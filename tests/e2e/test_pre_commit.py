"""The hook for pre-commit, from a clone of this repository."""

import os
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import SOLVER, STEPS
from tests.cli.running import write
from tests.e2e.environments import ROOT, create, install, run

pytestmark = pytest.mark.thorough


def repository(folder: Path) -> None:
    git = ("git", "-c", "user.name=test", "-c", "user.email=test@example.invalid")
    run(*git, "init", "--quiet", cwd=folder)
    run(*git, "add", "--all", cwd=folder)
    run(*git, "commit", "--quiet", "--message=all", cwd=folder)


def test_the_hook_checks_a_project_before_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clone, project = tmp_path / "clone", tmp_path / "project"
    for name in run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT).stdout.splitlines():
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, clone / name)
    repository(clone)
    revision = run("git", "rev-parse", "HEAD", cwd=clone).stdout.strip()
    project.mkdir()
    hooks = f"repos:\n- repo: {clone}\n  rev: {revision}\n  hooks:\n  - id: jaxtyped-static\n"
    (project / ".pre-commit-config.yaml").write_text(hooks)
    write(project, {"app/__init__.py": "", "app/solver.py": SOLVER, "app/steps.py": STEPS})
    repository(project)
    python = create(tmp_path / "tool")
    install(python, "pre-commit")
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PIP_NO_COMPILE", "1")
    monkeypatch.setenv("PATH", f"{python.parent}{os.pathsep}{os.environ['PATH']}")

    said = run(python.parent / "pre-commit", "run", "--all-files", cwd=project, check=False)
    assert said.returncode == 1 and "static-mutable: Solver is not frozen" in said.stdout, said
    create(project / ".venv")
    said = run(python.parent / "pre-commit", "run", "--all-files", cwd=project, check=False)
    assert f"with {project / '.venv'}" in said.stdout, said
    write(project, {"app/steps.py": ""})
    assert run(python.parent / "pre-commit", "run", "--all-files", cwd=project).returncode == 0
