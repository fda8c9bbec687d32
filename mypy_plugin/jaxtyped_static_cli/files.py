"""The Python files to check: those that the user names, and those in the folders that the user names."""

import os
import re
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Final

from jaxtyped_static_mypy.knowledge.full_names import INSTALLED

from .problems import Problem

_TYPESHED: Final = f"{os.sep}typeshed{os.sep}"
_SKIPPED: Final = frozenset({"__pycache__", "node_modules", "site-packages", "build", "dist", "venv"})


def find_files(paths: Iterable[Path], exclude: Iterable[str], root: Path) -> list[Path]:
    """Absolute paths. `exclude`: mypy's patterns, for paths relative to the root; a file that is named is not excluded.

    Raises:
        Problem: a path does not exist, or a pattern is not a regular expression.
    """
    patterns = [_compiled(pattern) for pattern in exclude]
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            found.update(dict.fromkeys(_in_folder(path.absolute(), patterns, root)))
        elif path.is_file():
            found[path.absolute()] = None
        else:
            raise Problem(f"{path} does not exist")
    return [Path(os.path.normpath(path)) for path in found]


def find_sources(folders: Iterable[Path], exclude: Iterable[str], root: Path) -> Iterator[Path]:
    """The files and stubs in folders, and the files among these."""
    patterns = [_compiled(pattern) for pattern in exclude]
    for folder in folders:
        if folder.is_dir():
            yield from _in_folder(folder.absolute(), patterns, root, (".py", ".pyi"))
        else:
            yield folder.absolute()


def is_of_library(path: str) -> bool:
    """Whether a file belongs to an installed package or to the standard library, whose stubs mypy brings."""
    return _TYPESHED in path or any(f"{os.sep}{folder}{os.sep}" in path for folder in INSTALLED)


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise Problem(f"exclude: {pattern!r} is not a regular expression: {error}") from None


def _in_folder(
    folder: Path, patterns: list[re.Pattern[str]], root: Path, suffixes: Container[str] = (".py",)
) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_skipped(Path(parent, name), patterns, root))
        for name in sorted(names):
            path = Path(parent, name)
            if path.suffix in suffixes and not _is_excluded(path, patterns, root):
                yield path


def _is_skipped(folder: Path, patterns: list[re.Pattern[str]], root: Path) -> bool:
    name = folder.name
    if name.startswith(".") or name in _SKIPPED or name.endswith(".egg-info"):
        return True
    return (folder / "pyvenv.cfg").exists() or _is_excluded(folder, patterns, root)


def _is_excluded(path: Path, patterns: list[re.Pattern[str]], root: Path) -> bool:
    if not patterns:
        return False
    text = Path(os.path.relpath(path, root)).as_posix() + ("/" if path.is_dir() else "")
    return any(pattern.search(text) for pattern in patterns)
