"""Finds the Python of a project: its packages are what mypy resolves imports with."""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from .problems import Problem

_FOLDERS: Final = (".venv", "venv")


class Interpreter(NamedTuple):
    """An interpreter, and where it was found, in words."""

    path: Path
    origin: str


def find_interpreter(given: str | None, root: Path, environment: Mapping[str, str] = os.environ) -> Interpreter:
    """`given`: a path or folder from `--python`. Otherwise takes the first environment that there is.

    Raises:
        Problem: what was given is not an interpreter.
    """
    if given is not None:
        return Interpreter(_given(Path(given)), "--python")
    found = (Interpreter(path, origin) for folder, origin in _candidates(root, environment) if (path := _in(folder)))
    return next(found, Interpreter(Path(sys.executable), "the command's own"))


def folders_with_environments(root: Path) -> list[Path]:
    """Folders in a project, or in folders of it, with an environment of their own: those of a monorepo's projects."""
    return sorted(found.parent for name in _FOLDERS for depth in ("*", "*/*") for found in root.glob(f"{depth}/{name}"))


def _candidates(root: Path, environment: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    active = environment.get("VIRTUAL_ENV")
    if active and not _is_of_pre_commit(Path(active), environment):
        yield Path(active), "$VIRTUAL_ENV"
    for folder in (root, *root.parents):
        for name in _FOLDERS:
            yield folder / name, str(folder / name)
        if (folder / ".git").exists():
            break
    if conda := environment.get("CONDA_PREFIX"):
        yield Path(conda), "$CONDA_PREFIX"


def _is_of_pre_commit(active: Path, environment: Mapping[str, str]) -> bool:
    """Whether an environment contains only the command: pre-commit makes one for the hook, and activates it."""
    return "PRE_COMMIT" in environment and active.resolve() == Path(sys.prefix).resolve()


def _given(path: Path) -> Path:
    if path.is_dir():
        if (python := _in(path)) is not None:
            return python
        raise Problem(f"--python: {path} is a folder without bin/python; give an interpreter or an environment")
    if not path.is_file():
        raise Problem(f"--python: {path} does not exist; give the path of an interpreter or of an environment")
    if not os.access(path, os.X_OK):
        raise Problem(f"--python: {path} cannot be executed; give the path of an interpreter or of an environment")
    return path.absolute()


def _in(folder: Path) -> Path | None:
    """The interpreter of an environment; its path is not resolved, because a link marks the environment."""
    places = (folder / "bin" / "python", folder / "Scripts" / "python.exe", folder / "python.exe")
    return next((path.absolute() for path in places if path.is_file()), None)
