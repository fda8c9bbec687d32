"""The files of a project that say what it is to be installed with."""

import functools
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from ..files.ordinary import read_ordinary

# In lower case, as `matches` compares them.
READMES: Final = ("readme", "readme.md", "readme.rst", "readme.txt", "install.md", "install.rst", "install.txt")
CONDA: Final = ("environment*.y*ml", "conda*.y*ml")
DOCKER: Final = ("dockerfile*", "*.dockerfile")
NIX: Final = ("*.nix",)
# What sets up a machine, or runs the tests of a project: with several releases of a package, perhaps.
RUNNERS: Final = ("*.sh", "*.yml", "*.yaml")
# What installs its packages itself where it runs: `"!pip install jax==0.3.25\\n",` in JSON.
NOTEBOOKS: Final = ("*.ipynb",)
_WORKFLOWS: Final = Path(".github", "workflows")
_FILES: Final = (
    *("*requirements*.txt", "setup.py", "setup.cfg", "pyproject.toml", "pipfile"),
    *(*CONDA, "poetry.lock", "uv.lock", *DOCKER, *NIX),
)
# Folders that hold such files for the project around them, and no program of their own.
_FOLDERS: Final = (
    *("requirements*", "reqs", "deps", "dependencies", "*docker*", "env", "envs", "environment", "environments"),
    *("conda*", "install", "installation", ".devcontainer"),
)
_OF_NOTEBOOKS: Final = ("colab*", "demo*", "example*", "notebook*", "tutorial*")
_LISTS: Final = ("requirements*", "reqs")  # of them, those whose texts are all requirements
_COMMENT: Final = re.compile(r"(?:^|\s)#.*")
_INSTALLING: Final = re.compile(r"\b(?:pip3?|conda|mamba)\W+install\b.*")
_NEW_LINE: Final = "\\n"  # in JSON
_LARGEST: Final = 10_000_000  # bytes of a notebook, with its pictures
_FILES_KEPT: Final = 4096


def asking_files(folders: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """The files for each of the folders, with their text, without comments."""
    for file in (file for folder in folders for file in _for_folder(folder)):
        if matches(file.name, NOTEBOOKS):
            yield from installing(file)
        elif (text := _text(file)) is not None:
            yield file, "\n".join(_COMMENT.sub("", line) for line in text.splitlines())


def installing(file: Path) -> Iterator[tuple[Path, str]]:
    """A notebook, or a script that was one (`# !pip install jax==0.3.25`), with what it installs; nothing if none."""
    try:
        found = file.stat()
    except OSError:
        return
    if found.st_size <= _LARGEST and (commands := _commands(file, found.st_mtime_ns, found.st_size)):
        yield file, commands


@functools.lru_cache(_FILES_KEPT)
def _commands(file: Path, modified: int, size: int) -> str:
    """The lines that install something. Each package and release is looked for in all of the, often large, notebooks.

    `modified`, `size`: an edit changes one of them.
    """
    text = _text(file) or ""
    lines = text.replace(_NEW_LINE, "\n").splitlines() if matches(file.name, NOTEBOOKS) else text.splitlines()
    return "\n".join(found[0] for line in lines if (found := _INSTALLING.search(line)) is not None)


def _text(file: Path) -> str | None:
    try:
        return read_ordinary(file).decode(errors="replace")
    except OSError:
        return None


def readmes_in(folder: Path) -> list[Path]:
    """What a folder has for readers."""
    return _named(_listed(folder), READMES)


def matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name.lower(), pattern) for pattern in patterns)


def _for_folder(folder: Path) -> Iterator[Path]:
    """What is in the folder itself, then below it; the texts for readers, which say it less exactly, come last."""
    entries = _listed(folder)
    yield from _named(entries, _FILES)
    for inner in (entry for entry in entries if matches(entry.name, _FOLDERS) and entry.is_dir()):
        yield from _named(_listed(inner), (*_FILES, "*.txt") if matches(inner.name, _LISTS) else _FILES)
    yield from _named(entries, ("*.sh",))
    yield from _named(_listed(folder / _WORKFLOWS), RUNNERS)
    yield from _named(entries, READMES)
    yield from _named(entries, NOTEBOOKS)
    for inner in (entry for entry in entries if matches(entry.name, _OF_NOTEBOOKS) and entry.is_dir()):
        yield from _named(_listed(inner), NOTEBOOKS)


def _named(entries: Iterable[Path], patterns: Iterable[str]) -> list[Path]:
    return [entry for pattern in patterns for entry in entries if matches(entry.name, (pattern,))]


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
