"""Source trees on disk."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

Files = Mapping[str, str]


def write(folder: Path, files: Files) -> None:
    """Makes `folder` contain exactly these Python files and stubs; files with the same text are left alone.

    An edit is at least two seconds newer than what it replaces, because mypy's daemon compares sizes and whole seconds.
    """
    for path in [*folder.rglob("*.py"), *folder.rglob("*.pyi")]:
        if path.relative_to(folder).as_posix() not in files:
            path.unlink()
            _remove_empty(path.parent, folder)
    for name, text in files.items():
        path = folder / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        written = path.stat().st_mtime if path.exists() else 0.0
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        moment = max(path.stat().st_mtime, written + 2.0)
        os.utime(path, (moment, moment))


def _remove_empty(path: Path, above: Path) -> None:
    """Removes empty folders, which would be namespace packages."""
    while path != above and not any(path.iterdir()):
        path.rmdir()
        path = path.parent
