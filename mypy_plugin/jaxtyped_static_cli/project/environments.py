"""Reads a virtual environment as files, without running anything of it: whoever wrote a checkout wrote what is in it.

The format of `pyvenv.cfg` is that of PEP 405, and `.pth` files are described in the documentation of `site`.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from ..files.ordinary import read_ordinary
from ..terminal.problems import Problem

SETTINGS: Final = "pyvenv.cfg"
# Where packages are, below an environment. The first is that of Windows, where no version is part of the path.
_OF_ENVIRONMENTS: Final = (
    *("Lib/site-packages", "lib/{python}/site-packages", "lib64/{python}/site-packages"),
    *("lib/{python}t/site-packages", "lib/{pypy}/site-packages"),
)
# Where else they are, below the folder of a system's Python; some are Debian's.
_OF_SYSTEMS: Final = (
    *("local/lib/{python}/dist-packages", "lib/python3/dist-packages", "lib/{python}/dist-packages"),
    *_OF_ENVIRONMENTS,
)
_OF_USERS: Final = (".local/lib/{python}/site-packages",)
_VERSION: Final = re.compile(r"3\.\d+")
_EXECUTED: Final = ("import ", "import\t")  # lines of a .pth file that Python would run
_FINDER: Final = re.compile(r"import (__editable___\w+_finder)\b")  # setuptools writes it, beside the .pth file


class Environment(NamedTuple):
    """Where the packages of an environment are."""

    site_packages: tuple[Path, ...]
    added: tuple[Path, ...]  # by .pth files: editable installs
    unseen: tuple[Path, ...]  # .pth files of editable installs that would have to be run

    @property
    def search_folders(self) -> tuple[list[str], list[str]]:
        """As mypy wants them: all folders, and those for packages."""
        return [str(path) for path in (*self.site_packages, *self.added)], [str(path) for path in self.site_packages]


def read_environment(folder: Path) -> Environment:
    """Where the packages of a virtual environment are.

    Raises:
        Problem: the files do not say it.
    """
    settings = _settings(folder)
    version = _VERSION.match(settings.get("version_info") or settings.get("version", ""))
    names = [version[0]] if version is not None else _versions_in(folder)
    found = _existing(folder, _OF_ENVIRONMENTS, names)
    if not found:
        raise _unreadable(folder, "its site-packages is not where pyvenv.cfg says")
    if settings.get("include-system-site-packages", "").lower() == "true":
        home = Path(settings.get("home", ""))
        found += _existing(Path.home(), _OF_USERS, names)
        found += _existing(home.parent if home.name == "bin" else home, _OF_SYSTEMS, names)
    files = [file for site in found for file in sorted(site.glob("*.pth"))]
    added = [path for file in files for path in (*_named_in(file), *_mapped_by(file))]
    unseen = [file for file in files if "editable" in file.name and _is_run(file) and not _mapped_by(file)]
    return Environment(tuple(found), tuple(dict.fromkeys(added)), tuple(unseen))


def _unreadable(folder: Path, why: str) -> Problem:
    return Problem(
        f"{folder} is part of the project, so it is not run, and it cannot be read: {why}; "
        f"if you trust it, use it with --python {folder}"
    )


def _settings(folder: Path) -> dict[str, str]:
    try:
        lines = read_ordinary(folder / SETTINGS).decode().splitlines()
    except (OSError, UnicodeDecodeError):
        raise _unreadable(folder, f"it has no {SETTINGS}") from None
    pairs = (line.partition("=") for line in lines)
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def _versions_in(folder: Path) -> list[str]:
    """Of an environment whose settings name no version: those that it has folders for."""
    return sorted({found[0] for path in folder.glob("lib*/*3.*") if (found := _VERSION.search(path.name)) is not None})


def _existing(folder: Path, places: Iterable[str], versions: Iterable[str]) -> list[Path]:
    """Without those that are links to another: on many systems `lib64` is one to `lib`."""
    paths = (
        folder / place.format(python=f"python{version}", pypy=f"pypy{version}")
        for version in versions
        for place in places
    )
    by_target = {path.resolve(): path for path in reversed(list(paths)) if path.is_dir()}
    return list(reversed(by_target.values()))


def _lines(file: Path) -> list[str]:
    try:
        return [line.strip() for line in read_ordinary(file).decode("utf-8-sig").splitlines()]
    except (OSError, UnicodeDecodeError):
        return []


def _named_in(file: Path) -> Iterator[Path]:
    """The folders that the lines of a .pth file name."""
    for line in _lines(file):
        if line and not line.startswith(("#", *_EXECUTED)) and "\0" not in line:
            folder = file.parent / line
            if _is_folder(folder):
                yield folder


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name that is too long
        return False


def _is_run(file: Path) -> bool:
    return any(line.startswith(_EXECUTED) for line in _lines(file))


def _mapped_by(file: Path) -> list[Path]:
    """The folders around the packages that an editable install of setuptools shows by an import hook.

    The hook has them in a table, `MAPPING`: from the name of a package to its folder.
    """
    found = [match[1] for line in _lines(file) if (match := _FINDER.match(line)) is not None]
    tables = [_mapping_in(file.with_name(f"{name}.py")) for name in found]
    mapped = [(name, Path(path)) for table in tables for name, path in table.items()]
    return [path.parent for name, path in mapped if path.stem == name and _is_folder(path.parent)]


def _mapping_in(finder: Path) -> dict[str, str]:
    try:
        statements = ast.parse(read_ordinary(finder)).body
        values = [
            ast.literal_eval(statement.value)
            for statement in statements
            if isinstance(statement, ast.AnnAssign) and statement.value is not None
            if isinstance(statement.target, ast.Name) and statement.target.id == "MAPPING"
        ]
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found = values[0] if values and isinstance(values[0], dict) else {}
    return {name: path for name, path in found.items() if isinstance(name, str) and isinstance(path, str)}
