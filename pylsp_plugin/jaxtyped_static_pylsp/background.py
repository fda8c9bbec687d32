"""What the last check and census of each project say. They run in the background, as processes: mypy needs seconds."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final

from jaxtyped_static_cli.project.roots import find_project
from jaxtyped_static_mypy.reporting.finding import Finding, from_note
from jaxtyped_static_server.census import COMMAND

Json = Any
# They run in the folder of the project, whose modules must not be taken for Python's: hence -P.
_PYTHON: Final = (sys.executable, "-P", "-m")
_CHECK: Final = (*_PYTHON, "jaxtyped_static_cli.reported")

Reported = Mapping[tuple[str, str], Finding]  # by the file and the text of an error


@dataclass
class _Known:
    """What is known of a project."""

    reported: Reported = field(default_factory=dict)
    census: Json = None
    is_running: bool = False
    is_outdated: bool = False  # a file was saved while they ran


@dataclass
class _Memory:
    lock: Lock = field(default_factory=Lock)
    projects: dict[Path, _Known] = field(default_factory=dict)


_MEMORY: Final = _Memory()


def look(path: Path, *, with_census: bool) -> None:
    """Checks the project that a file is in. If it is being checked, another check follows."""
    root = find_project([path]).root
    with _MEMORY.lock:
        known = _MEMORY.projects.setdefault(root, _Known())
        known.is_outdated = True
        if known.is_running:
            return
        known.is_running = True
    Thread(target=_keep_up_to_date, args=(root, known), kwargs={"with_census": with_census}, daemon=True).start()


def last_census(path: Path) -> tuple[Path, Json] | None:
    """The folder of the project that a file is in, and its last census; None before there is one."""
    root = find_project([path]).root
    known = _MEMORY.projects.get(root)
    return (root, known.census) if known is not None and known.census is not None else None


def finding_of(path: Path, message: str) -> Finding | None:
    """What an error in a file says, as data; None if the last check did not report it."""
    known = _MEMORY.projects.get(find_project([path]).root)
    return known.reported.get((os.path.realpath(path), message)) if known is not None else None


def _keep_up_to_date(root: Path, known: _Known, *, with_census: bool) -> None:
    while True:
        with _MEMORY.lock:
            if not known.is_outdated:
                known.is_running = False
                return
            known.is_outdated = False
        rows = _printed([*_CHECK, str(root)], root)
        known.reported = _read(rows) if rows is not None else known.reported
        found = _printed([*COMMAND, str(root)], root) if with_census else None
        known.census = found if found is not None else known.census


def _printed(command: list[str], root: Path) -> Json:
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return None  # it says why when it is run by hand


def _read(rows: list[list[str]]) -> Reported:
    found = ((os.path.realpath(path), message, from_note(note)) for path, message, note in rows)
    return {(path, message): finding for path, message, finding in found if finding is not None}
