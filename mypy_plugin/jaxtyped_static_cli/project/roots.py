"""Where a project begins, and which of its configuration files counts.

Nothing above the root of a repository is looked at, nor above a project that is in none: there, somebody else may have
put a configuration or an environment for whoever works below.
"""

import configparser
import os
import stat
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from ..terminal.problems import Problem

_REPOSITORIES: Final = (".git", ".hg")
_MARKS: Final = ("pyproject.toml", "mypy.ini", ".mypy.ini", "setup.cfg", "setup.py", *_REPOSITORIES)
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
    first = Path(os.path.normpath(paths[0].absolute())) if paths else Path.cwd()
    start = first if first.is_dir() else first.parent
    marked = next((folder for folder in _own_folders(start) if _has(folder, _MARKS)), None)
    root = marked or _around_package(start)
    return Project(root, _config_file(root), marked or start)


def is_of_project(root: Path) -> bool:
    """Whether a folder looks like a project, whose files belong together; `/tmp`, around a script, does not."""
    return any(_has(folder, _MARKS) for folder in folders_of_repository(root))


def folders_of_repository(root: Path) -> list[Path]:
    """The folder of a project and those around it, up to the root of its repository; the first alone if it has none."""
    folders = _own_folders(root)
    depth = next((number for number, folder in enumerate(folders) if _has(folder, _REPOSITORIES)), 0)
    return folders[: depth + 1]


def folders_for(folder: Path, root: Path) -> list[Path]:
    """A folder of a project and those around it, up to the root of its repository: their files are for it, too."""
    inside = [one for one in (folder, *folder.parents) if one.is_relative_to(root)]
    return [*inside, *folders_of_repository(root)[1:]]


def _own_folders(folder: Path) -> list[Path]:
    """A folder and those around it, up to the first that others may put files into.

    That is one of another user (git, too, does not look there) or one that everybody may write to, such as `/tmp`;
    unless everybody may write to the first, as on a file system without permissions. A checkout in a container may
    belong to another user than the process, so the owner of the first folder counts as the user.
    """
    if not hasattr(os, "getuid") or not folder.exists():
        return [folder, *folder.parents]
    first = folder.stat()
    users = {os.getuid(), first.st_uid}
    shared = stat.S_ISVTX | (stat.S_IWOTH & ~first.st_mode)
    found = [folder]
    for parent in folder.parents:
        state = parent.stat()
        if state.st_uid not in users or state.st_mode & shared:
            break
        found.append(parent)
    return found


def _around_package(folder: Path) -> Path:
    """The folder that the outermost package around a folder is in."""
    return next((outer for outer in _own_folders(folder) if not (outer / "__init__.py").exists()), folder)


def _has(folder: Path, names: Iterable[str]) -> bool:
    return any((folder / name).exists() for name in names)


def _config_file(root: Path) -> Path | None:
    """The nearest file with a section for mypy, in the project or its repository; else one with a section of ours."""
    for folder in folders_of_repository(root):
        files = [folder / name for name in _FILES if (folder / name).is_file()]
        for section in ("mypy", _OURS):
            found = next((file for file in files if _has_section(file, section)), None)
            if found is not None:
                return found
    return None


def settings_files(root: Path) -> list[Path]:
    """Where a project's configuration may be."""
    return [folder / name for folder in folders_of_repository(root) for name in _FILES]


def _has_section(file: Path, name: str) -> bool:
    try:
        if file.suffix == ".toml":
            tool = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {})
            return isinstance(tool, dict) and name in tool
        parser = configparser.RawConfigParser(default_section="")
        parser.read(file, encoding="utf-8")
    except (tomllib.TOMLDecodeError, configparser.Error, UnicodeDecodeError, RecursionError) as error:
        raise Problem(f"{file} cannot be read: {str(error).splitlines()[0]}") from None
    return parser.has_section(name)
