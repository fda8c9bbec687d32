"""Where a project begins, and which of its configuration files counts."""

import configparser
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from .problems import Problem

_MARKS: Final = ("pyproject.toml", "mypy.ini", ".mypy.ini", "setup.cfg", "setup.py", ".git", ".hg")
# In the order in which mypy looks for its configuration.
_FILES: Final = ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg")
_OURS: Final = "jaxtyped_static"


class Project(NamedTuple):
    """The folder of a project, and the file with its configuration of mypy or of this checker, if there is one."""

    root: Path
    config_file: Path | None
    whole: Path  # what to check if nothing is named


def find_project(paths: list[Path]) -> Project:
    """`paths`: what is to be checked. The project is the nearest folder around it that looks like one."""
    first = paths[0].absolute() if paths else Path.cwd()
    start = first if first.is_dir() else first.parent
    marked = next((folder for folder in (start, *start.parents) if _is_marked(folder)), None)
    root = marked or around_package(start)
    return Project(root, _config_file(root), marked or start)


def around_package(folder: Path) -> Path:
    """The folder that the outermost package around a folder is in."""
    while (folder / "__init__.py").exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def _is_marked(folder: Path) -> bool:
    return any((folder / name).exists() for name in _MARKS)


def _config_file(root: Path) -> Path | None:
    """The nearest file with a section for mypy, in the project or around it; else one with a section of ours."""
    for folder in _with_parents(root):
        files = [folder / name for name in _FILES if (folder / name).is_file()]
        for section in ("mypy", _OURS):
            found = next((file for file in files if _has_section(file, section)), None)
            if found is not None:
                return found
    return None


def settings_files(root: Path) -> list[Path]:
    """Where a project's configuration may be."""
    return [folder / name for folder in _with_parents(root) for name in _FILES]


def _with_parents(root: Path) -> Iterator[Path]:
    for folder in (root, *root.parents):
        yield folder
        if (folder / ".git").exists():
            break


def _has_section(file: Path, name: str) -> bool:
    try:
        if file.suffix == ".toml":
            tool = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {})
            return isinstance(tool, dict) and name in tool
        parser = configparser.RawConfigParser(default_section="")
        parser.read(file, encoding="utf-8")
    except (tomllib.TOMLDecodeError, configparser.Error, UnicodeDecodeError) as error:
        raise Problem(f"{file} cannot be read: {str(error).splitlines()[0]}") from None
    return parser.has_section(name)
