"""Which files may be changed: those of the project, and what the user names. A link may lead anywhere."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ..files.python_files import is_of_library


class Permission(NamedTuple):
    """What the user lets the command change. `named`: files and folders, absolute."""

    root: Path
    named: tuple[Path, ...] = ()

    def refusal(self, path: Path) -> str | None:
        """Why a file is left alone; None if it may be changed."""
        if any(_is_in(path, base) for base in self.named):
            return None
        if _is_in(path, self.root):
            return "it is part of an installed package" if is_of_library(str(path)) else None
        inside = path.is_relative_to(self.root)
        why = "a symbolic link leads to it" if inside else f"it is outside of the project {self.root}"
        return f"{why}; name it to change it"


def permission(root: Path, named: Iterable[Path]) -> Permission:
    """`named`: as the user names them, relative to the current folder."""
    return Permission(root, tuple(Path(os.path.normpath(path.absolute())) for path in named))


def _is_in(path: Path, base: Path) -> bool:
    """Whether a file is a folder's, or is the file, and no symbolic link leads from there to it."""
    if not path.is_relative_to(base):
        return False
    return Path(os.path.realpath(path)) == Path(os.path.realpath(base), path.relative_to(base))
