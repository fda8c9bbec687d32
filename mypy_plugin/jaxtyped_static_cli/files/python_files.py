"""The Python files to check: those that the user names, and those in the folders that the user names."""

import os
import stat
from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from jaxtyped_static_mypy.knowledge.full_names import INSTALLED

from ..terminal.problems import Problem
from .exclusion import Exclusion

_TYPESHED: Final = f"{os.sep}typeshed{os.sep}"
_SKIPPED: Final = frozenset({"__pycache__", "node_modules", "site-packages", "build", "dist", "venv"})
_LOCK: Final = ".#"  # Emacs puts a link of such a name, which leads nowhere, beside a file that is being edited


class LeftOut(NamedTuple):
    """Something that is not checked, and why."""

    path: Path
    why: str
    is_code: bool  # else it only has the name of a Python file

    def __str__(self) -> str:
        return f"{os.path.relpath(self.path)}: {self.why}; left out"


class Found(NamedTuple):
    """What there is to check."""

    files: list[Path]
    left_out: list[LeftOut]

    @property
    def is_complete(self) -> bool:
        """Whether it is all the code that there is."""
        return not any(left.is_code for left in self.left_out)


_Report = Callable[[LeftOut], object]


def find(paths: Iterable[Path], exclude: Iterable[str], root: Path) -> Found:
    """Absolute paths. `exclude`: mypy's patterns, for paths relative to the root; a file that is named is not excluded.

    Raises:
        Problem: a path does not exist, or a pattern is not a regular expression, or takes too long.
    """
    excluded = Exclusion(exclude, root)
    found: dict[Path, None] = {}
    left_out: list[LeftOut] = []
    for path in paths:
        if not os.path.lexists(path):
            raise Problem(f"{path} does not exist")
        if path.is_dir():
            found.update(dict.fromkeys(_in_folder(path.absolute(), excluded, left_out.append)))
        elif (fault := _fault(path.absolute())) is not None:
            left_out.append(fault._replace(is_code=True))
        else:
            found[path.absolute()] = None
    return Found([Path(os.path.normpath(path)) for path in found], left_out)


def find_files(paths: Iterable[Path], exclude: Iterable[str], root: Path) -> list[Path]:
    """The files that `find` finds.

    Raises:
        Problem: as `find`.
    """
    return find(paths, exclude, root).files


def find_sources(folders: Iterable[Path], exclude: Iterable[str], root: Path) -> Iterator[Path]:
    """The files and stubs in folders, and the files among these."""
    excluded = Exclusion(exclude, root)
    for folder in folders:
        if folder.is_dir():
            yield from _in_folder(folder.absolute(), excluded, lambda left_out: None, (".py", ".pyi"))
        else:
            yield folder.absolute()


def find_named(folders: Iterable[Path], suffixes: Container[str], root: Path) -> Iterator[Path]:
    """The files in folders whose names end so, whatever mypy leaves out."""
    excluded = Exclusion((), root)
    for folder in folders:
        yield from _in_folder(folder.absolute(), excluded, lambda left_out: None, suffixes)


def is_of_library(path: str) -> bool:
    """Whether a file belongs to an installed package or to the standard library, whose stubs mypy brings."""
    return _TYPESHED in path or any(f"{os.sep}{folder}{os.sep}" in path for folder in INSTALLED)


def _in_folder(
    folder: Path, excluded: Exclusion, leave_out: _Report, suffixes: Container[str] = (".py",)
) -> Iterator[Path]:
    """Not `os.walk`, which is silent about a folder that it cannot read, and recursive in Python 3.11."""
    to_do = [folder]
    while to_do:
        parent = to_do.pop()
        try:
            folders, names = _listed(parent)
        except OSError as error:
            leave_out(LeftOut(parent, f"cannot be read: {error.strerror}", is_code=True))
            continue
        to_do += (parent / name for name in reversed(folders) if not _is_skipped(parent / name, excluded))
        for path in (parent / name for name in names if not name.startswith(_LOCK)):
            if path.suffix in suffixes and not excluded(path):
                fault = _fault(path)
                if fault is None:
                    yield path
                else:
                    leave_out(fault)


def _listed(folder: Path) -> tuple[list[str], list[str]]:
    """The names of the folders in a folder, except for links, and those of everything else that is no folder."""
    folders, others = [], []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.name)
            elif not _is_link_to_folder(entry):
                others.append(entry.name)
    return sorted(folders), sorted(others)


def _is_link_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # links that go round
        return False


def _fault(path: Path) -> LeftOut | None:
    """Why something with the name of a Python file cannot be checked."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return LeftOut(path, "is a link to nothing" if path.is_symlink() else "is gone", is_code=False)
    except OSError as error:
        return LeftOut(path, f"cannot be read: {error.strerror}", is_code=not path.is_symlink())
    if not stat.S_ISREG(mode):
        return LeftOut(path, "is no regular file", is_code=False)  # to open a FIFO would wait for a writer
    if not _is_text(str(path)):
        return LeftOut(path, "has a name that is not UTF-8, which mypy cannot read; rename it", is_code=True)
    return None


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_skipped(folder: Path, excluded: Exclusion) -> bool:
    name = folder.name
    if name.startswith(".") or name in _SKIPPED or name.endswith(".egg-info"):
        return True
    return os.path.lexists(folder / "pyvenv.cfg") or excluded(folder)
