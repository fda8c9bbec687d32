"""Which module each file is, and which files can be checked together.

mypy refuses a program in which two files are the same module, as `setup.py` and `docs/conf.py` are in several folders.
Here a file outside of any package is named after its folders, unless its neighbours import one another by their plain
names, as scripts do. If scripts in two folders share a name, the folders are checked one after the other.
"""

import os
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

_IMPORT: Final = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\w+)", re.MULTILINE)


class Module(NamedTuple):
    """A file, its name as a module, and the folder from which the name counts."""

    file: Path
    name: str
    base: Path


def rounds(
    files: Sequence[Path], root: Path, bases: Sequence[Path], by_path: Container[Path] = ()
) -> list[list[Module]]:
    """Files that can be checked together, as few times as possible.

    `bases`: folders that imports are resolved in. `by_path`: folders whose files are no scripts.
    """
    result: list[dict[str, Module]] = []
    folders: dict[Path, list[Path]] = {}
    for file in files:
        folders.setdefault(file.parent, []).append(file)
    for folder, members in folders.items():
        base = _base(folder, [] if folder in by_path else members, root, bases)
        modules = {module.name: module for module in _in_folder(base, folder, members)}
        fitting = next((taken for taken in result if taken.keys().isdisjoint(modules)), None)
        if fitting is None:
            result.append(modules)
        else:
            fitting.update(modules)
    return [list(taken.values()) for taken in result]


def _in_folder(base: Path, folder: Path, files: Sequence[Path]) -> Iterator[Module]:
    for file in files:
        parts = [*folder.relative_to(base).parts, *([] if file.stem == "__init__" else [file.stem])]
        yield Module(file, ".".join(re.sub(r"\W", "_", part) for part in parts) or folder.name, base)


def _base(folder: Path, files: Sequence[Path], root: Path, bases: Sequence[Path]) -> Path:
    if (folder / "__init__.py").exists():
        return _around_package(folder, root)
    if _are_scripts(files):
        return folder
    around = [base for base in (*bases, root / "src", root) if folder.is_relative_to(base) and base.is_dir()]
    nearest = max(around, key=lambda base: len(base.parts), default=folder)
    package = next((parent for parent in folder.parents if (parent / "__init__.py").exists()), None)
    return _around_package(package, root) if package is not None and package.is_relative_to(nearest) else nearest


def _around_package(folder: Path, root: Path) -> Path:
    """mypy resolves imports from the root, so nothing is a package of which the root is a part."""
    while (folder / "__init__.py").exists() and folder not in (root, folder.parent):
        folder = folder.parent
    return folder


def _are_scripts(files: Iterable[Path]) -> bool:
    """Whether one of these files imports another by its plain name."""
    files = list(files)
    names = {file.stem for file in files}
    return len(names) > 1 and any(not names.isdisjoint(_imported(file)) for file in files)


def _imported(file: Path) -> set[str]:
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return set()
    return set(_IMPORT.findall(text)) - {file.stem}


def relative(path: Path, folder: Path) -> str:
    """A path as mypy gets it: short if it is inside of the folder."""
    return os.path.relpath(path, folder) if path.is_relative_to(folder) else str(path)
