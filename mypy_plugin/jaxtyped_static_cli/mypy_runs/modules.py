"""Which module each file is, and which files can be checked together.

mypy refuses a program in which two files are the same module, as `setup.py` and `docs/conf.py` are in several folders.
Here a file outside of any package is named after its folders, unless its neighbours import one another by their plain
names, as scripts do. If scripts in two folders share a name, the folders are checked one after the other.
"""

import os
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

_SOURCE: Final = "src"
_IMPORT: Final = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\w+)", re.MULTILINE)
_RELATIVE_IMPORT: Final = re.compile(r"^[ \t]*from[ \t]+\.", re.MULTILINE)


class Module(NamedTuple):
    """A file, its name as a module, and the folder from which the name counts."""

    file: Path
    name: str
    base: Path


def rounds(
    files: Sequence[Path], root: Path, bases: Sequence[Path], by_path: Container[Path] = ()
) -> list[list[Module]]:
    """Files that can be checked together, as few times as possible.

    `bases`: folders that imports are resolved in. `by_path`: folders that are part of the names of what is in them.
    """
    folders: dict[Path, list[Path]] = {}
    for file in files:
        folders.setdefault(file.parent, []).append(file)
    read = cache(_text)  # each file once
    scripts = [folder for folder in folders if folder not in by_path and _has_scripts(folder, folders, read)]
    sources = [] if _is_package(root / _SOURCE, files, read) else [root / _SOURCE]
    by_base: dict[Path, dict[str, Module]] = {}
    for folder, members in folders.items():
        base = _base(folder, [*bases, *scripts, *sources, root], by_path)
        modules = by_base.setdefault(base, {})
        for file in members:
            name = _unused(_name(file, base), modules)
            modules[name] = Module(file, name, base)
    result: list[dict[str, Module]] = []
    for modules in by_base.values():
        fitting = next((taken for taken in result if taken.keys().isdisjoint(modules)), None)
        if fitting is None:
            result.append(modules)
        else:
            fitting.update(modules)
    return [list(taken.values()) for taken in result]


def _is_package(folder: Path, files: Iterable[Path], read: Callable[[Path], str]) -> bool:
    """Whether a project means a folder as a package, and not as the place of its packages: by what its files import."""
    if (folder / "__init__.py").exists():
        return True
    inside = {path.stem for path in folder.iterdir()} if folder.is_dir() else set[str]()
    imported = [set(_IMPORT.findall(read(file))) for file in files] if inside else []
    by_folder = sum(folder.name in names for names in imported)
    return by_folder > sum(not names.isdisjoint(inside) for names in imported)


def _name(file: Path, base: Path) -> str:
    """The name of a module; that of a file like `01-intro.py` is one that Python accepts."""
    parts = [*file.parent.relative_to(base).parts, *([] if file.stem == "__init__" else [file.stem])]
    return ".".join(re.sub(r"\W", "_", part) for part in parts) or file.parent.name


def _unused(name: str, taken: Container[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _base(folder: Path, bases: Iterable[Path], by_path: Container[Path]) -> Path:
    """The nearest of the folders that imports are resolved in, or the folder around the outermost package below it.

    Folders between packages need not be packages themselves, nor those around them.
    """
    nearest = max(
        (base for base in bases if folder.is_relative_to(base)), key=lambda base: len(base.parts), default=None
    )
    below = [
        parent
        for parent in (folder, *folder.parents)
        if nearest is None or (parent != nearest and parent.is_relative_to(nearest))
    ]
    packages = [parent for parent in below if (parent / "__init__.py").exists()]
    around = packages[-1].parent if packages else None
    return around if around is not None and around not in by_path else nearest or folder


def _has_scripts(folder: Path, folders: Mapping[Path, Sequence[Path]], read: Callable[[Path], str]) -> bool:
    """Whether files outside of any package import their neighbours, files or folders, by their plain names.

    A relative import shows that the folder is a package, also without `__init__.py`. Then a plain name that a neighbour
    has, too, is that of something else.
    """
    if (folder / "__init__.py").exists():
        return False
    texts = {file: read(file) for file in folders[folder]}
    if any(map(_RELATIVE_IMPORT.search, texts.values())):
        return False
    names = {file.stem for file in texts} | {other.name for other in folders if other.parent == folder}
    imported = (set(_IMPORT.findall(text)) - {file.stem} for file, text in texts.items())
    return len(names) > 1 and any(not names.isdisjoint(found) for found in imported)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def for_mypy(modules: Iterable[Module], root: Path) -> list[tuple[str, str, str]]:
    """The path, the name and the base of each module, as mypy gets them in the folder of a project."""
    return [(relative(file, root), name, relative(base, root)) for file, name, base in modules]


def relative(path: Path, folder: Path) -> str:
    """A path as mypy gets it: short if it is inside of the folder."""
    return os.path.relpath(path, folder) if path.is_relative_to(folder) else str(path)


def with_folders(module: str, path: Path, root: Path) -> str:
    """The name of a module behind those of the folders around it, which need not be packages."""
    folders = path.parent.relative_to(root).parts if path.is_relative_to(root) else ()
    return ".".join((*folders, module))
