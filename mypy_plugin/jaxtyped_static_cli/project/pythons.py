"""Which Python a project asks for, if no later one will do: it bounds the JAX that can be installed."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from .asking_files import CONDA, DOCKER, asking_files, matches
from .bounds import BOUNDS, is_after
from .published import FOR_USERS, is_published
from .roots import folders_for

_OLDEST, _NEWEST = 5, 30  # of Python 3; the newest may not be there yet
_VALUE: Final = rf"[\"']?(?P<bounds>{BOUNDS}|\d+\.\d+[\w.*]*)"
_INSTALLED: Final = ("pyproject.toml", "setup.py", "setup.cfg")
# What says it in which files. `python_version` is not among them: it says what a checker, or one requirement, is for.
_ASKING: Final = (
    (CONDA, re.compile(rf"^\s*-\s*[\"']?(?:[\w-]+::)?python\s*(?P<bounds>{BOUNDS})", re.MULTILINE)),
    (DOCKER, re.compile(r"^\s*FROM\s+(?:--\S+\s+)*(?:[\w.-]+/)*python:(?P<bounds>3\.\d+)", re.MULTILINE)),
    (("pyproject.toml",), re.compile(rf"^(?:requires-)?python\s*=\s*{_VALUE}", re.MULTILINE)),
    (("setup.py", "setup.cfg"), re.compile(rf"\bpython_requires\s*=\s*{_VALUE}")),
)


class Python(NamedTuple):
    said: str  # `environment.yml asks for python=3.9.12`
    minor: int  # the latest Python 3 that is allowed


def pythons(folders: Iterable[Path], root: Path) -> Iterator[Python]:
    """What the files for the folders ask for; if users install the project by its name, those for them."""
    for folder in folders:
        for file, bounds in _bounds([folder]):
            minor = _latest(bounds)
            if minor is not None and (matches(file.name, FOR_USERS) or not is_published(folder)):
                yield Python(_said(file, bounds, root), minor)


def asks_before(minor: int, folder: Path, root: Path) -> str | None:
    """What a file for the folder says, if it asks for a Python before this Python 3.

    What an installer is told counts more than the environment of those who develop it.
    """
    asked = list(_bounds(folders_for(folder, root)))
    asked = [one for one in asked if matches(one[0].name, _INSTALLED)] or asked
    found = [(_latest(bounds), _said(file, bounds, root)) for file, bounds in asked]
    is_for_earlier = bool(found) and all(latest is not None and latest < minor for latest, _ in found)
    return found[0][1] if is_for_earlier else None


def _bounds(folders: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    for file, text in asking_files(folders):
        for match in (
            match for names, asking in _ASKING if matches(file.name, names) for match in asking.finditer(text)
        ):
            yield file, match["bounds"] if not match["bounds"][0].isdigit() else f"=={match['bounds']}"


def _said(file: Path, bounds: str, root: Path) -> str:
    return f"{os.path.relpath(file, root)} asks for python{bounds}"


def _latest(bounds: str) -> int | None:
    """None if there is none, or no last one."""
    allowed = (minor for minor in range(_NEWEST, _OLDEST, -1) if not is_after((3, minor), bounds))
    minor = next(allowed, None)
    return minor if minor != _NEWEST else None
