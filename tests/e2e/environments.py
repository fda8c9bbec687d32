"""Builds distributions and creates fresh virtual environments, with uv if it works and otherwise with venv and pip."""

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests import processes
from tests.processes import ROOT as ROOT

# Variables of the tests' environment that would affect the new one.
_OURS = frozenset({"MAKEFLAGS", "MAKELEVEL", "MYPYPATH", "MYPY_CACHE_DIR", "PYTHONPATH", "VIRTUAL_ENV"})


def run(*command: str | Path, cwd: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Runs a command with empty input, and without variables of the tests' environment."""
    inherited = {key: value for key, value in os.environ.items() if key not in _OURS}
    done = processes.run(command, cwd=cwd, env={**inherited, "JAX_PLATFORMS": "cpu"})
    assert not check or done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done


def build(source: Path, target: Path, kind: str) -> Path:
    """Builds one distribution of `source` into the empty folder `target`."""
    run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", target, cwd=source)
    (built,) = target.iterdir()
    return built


def create(folder: Path) -> Path:
    """Creates an empty environment, without pip; returns its interpreter."""
    with_uv = ["uv", "venv", "--quiet", "--no-project", "--python", sys.executable]
    run(*(with_uv if _has_uv() else [sys.executable, "-m", "venv", "--without-pip"]), folder, cwd=folder.parent)
    return folder / "bin" / "python"


def install(python: Path, *requirements: str | Path) -> None:
    """Installs into an environment; fast, because the tools have caches and byte code is compiled on import."""
    with_uv = ["uv", "pip", "install", "--quiet", "--python", str(python)]
    with_pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-compile"]
    run(*(with_uv if _has_uv() else with_pip), *requirements, cwd=python.parent)


def mypy(python: Path, project: Path) -> list[str]:
    """Checks `project/main.py` with the configuration beside it; returns mypy's output."""
    done = run(python, "-m", "mypy", "--no-error-summary", "main.py", cwd=project, check=False)
    assert done.returncode in (0, 1, 2), done.stderr
    return (done.stdout + done.stderr).splitlines()


@functools.cache
def _has_uv() -> bool:
    return shutil.which("uv") is not None and subprocess.run(["uv", "--version"], capture_output=True).returncode == 0
