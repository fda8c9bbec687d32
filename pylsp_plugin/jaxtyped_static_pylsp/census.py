"""The last census of each project. It is taken in the background, by a process of its own: mypy needs seconds."""

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final

from jaxtyped_static_cli.project import find_project

Json = Any
# It runs in the folder of the project, whose modules must not be taken for Python's: hence -P.
_COMMAND: Final = (sys.executable, "-P", "-m", "jaxtyped_static_mypy", "census", "--format", "json")


@dataclass
class _Known:
    """What is known of a project."""

    census: Json = None
    is_running: bool = False
    is_outdated: bool = False  # a file was saved while the census was taken


@dataclass
class _Memory:
    lock: Lock = field(default_factory=Lock)
    projects: dict[Path, _Known] = field(default_factory=dict)


_MEMORY: Final = _Memory()


def take(path: Path) -> None:
    """Starts a census of the project that a file is in. If one is being taken, another one follows it."""
    root = find_project([path]).root
    with _MEMORY.lock:
        known = _MEMORY.projects.setdefault(root, _Known())
        known.is_outdated = True
        if known.is_running:
            return
        known.is_running = True
    Thread(target=_keep_up_to_date, args=(root, known), daemon=True).start()


def last(path: Path) -> tuple[Path, Json] | None:
    """The folder of the project that a file is in, and its last census; None before there is one."""
    root = find_project([path]).root
    known = _MEMORY.projects.get(root)
    return (root, known.census) if known is not None and known.census is not None else None


def _keep_up_to_date(root: Path, known: _Known) -> None:
    while True:
        with _MEMORY.lock:
            if not known.is_outdated:
                known.is_running = False
                return
            known.is_outdated = False
        found = _taken(root)
        known.census = found if found is not None else known.census


def _taken(root: Path) -> Json:
    done = subprocess.run([*_COMMAND, str(root)], cwd=root, capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return None  # it says why when it is run by hand
