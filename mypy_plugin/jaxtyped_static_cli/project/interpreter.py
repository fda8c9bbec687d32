"""Finds the Python of a project: its packages are what mypy resolves imports with.

What the user chose may be run: `--python`, an environment that is activated, and the command's own. What merely lies
in the project may have come with it, from somebody else: it is read.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from ..terminal.problems import Problem
from .environments import SETTINGS
from .roots import folders_of_repository

_FOLDERS: Final = (".venv", "venv")


class Interpreter(NamedTuple):
    """An interpreter, and where it was found, in words."""

    path: Path
    origin: str
    unchosen: Path | None = None  # its environment, if nobody chose it: this is read, and the interpreter is not run


def find_interpreter(given: str | None, root: Path, environment: Mapping[str, str] = os.environ) -> Interpreter:
    """`given`: a path or folder from `--python`. Otherwise takes the first environment that there is.

    Raises:
        Problem: what was given is not an interpreter.
    """
    if given is not None:
        return Interpreter(_given(Path(given)), "--python")
    own = Interpreter(Path(sys.executable), "the command's own")
    return next(_candidates(root, environment), own)


def folders_with_environments(root: Path) -> list[Path]:
    """Folders in a project, or in folders of it, with an environment of their own: those of a monorepo's projects."""
    return sorted(found.parent for name in _FOLDERS for depth in ("*", "*/*") for found in root.glob(f"{depth}/{name}"))


def _candidates(root: Path, environment: Mapping[str, str]) -> Iterator[Interpreter]:
    active = environment.get("VIRTUAL_ENV")
    if active and not _is_of_pre_commit(Path(active), environment):
        yield from _activated(Path(active), "$VIRTUAL_ENV")
    for folder in folders_of_repository(root):
        for name in _FOLDERS:
            yield from _of_project(folder / name)
    if conda := environment.get("CONDA_PREFIX"):
        yield from _activated(Path(conda), "$CONDA_PREFIX")


def _activated(folder: Path, variable: str) -> Iterator[Interpreter]:
    """Whoever activates an environment runs its `python` with every other command, too."""
    if (path := _in(folder)) is not None:
        yield Interpreter(path, variable)


def _of_project(folder: Path) -> Iterator[Interpreter]:
    if _is_own(folder):
        yield Interpreter(Path(sys.executable), str(folder))
    elif (path := _in(folder)) is not None:
        yield Interpreter(path, str(folder), folder)
    elif (folder / SETTINGS).is_file():
        yield Interpreter(folder.absolute(), str(folder), folder)


def _is_own(folder: Path) -> bool:
    """Whether the command runs in an environment already."""
    return folder.resolve() == Path(sys.prefix).resolve()


def _is_of_pre_commit(active: Path, environment: Mapping[str, str]) -> bool:
    """Whether an environment contains only the command: pre-commit makes one for the hook, and activates it."""
    return "PRE_COMMIT" in environment and _is_own(active)


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
