"""Refuses a cache that came with a checkout.

mypy verifies that an entry of its cache is about the same text, the same options and the same plugin. It cannot verify
that what the entry says of these is true, so whoever writes a cache decides what is found.
"""

from pathlib import Path
from typing import Final

from .problems import Problem
from .project import folders_of_repository

_LINK: Final = "gitdir: "  # what is in the file `.git` of a worktree or a submodule


def require_own(cache: Path, root: Path) -> None:
    """`cache`: the folder in a project, whether or not it is there. `root`: that of the project.

    Raises:
        Problem: it is part of the repository.
    """
    if cache.is_dir() and _is_tracked(cache, folders_of_repository(root)[-1]):
        raise Problem(
            f"{cache} is part of the repository, and may say whatever its author likes; "
            "remove it, or choose another folder with --cache-dir"
        )


def _is_tracked(folder: Path, repository: Path) -> bool:
    """Whether git has files of a folder. Does not ask git, which would run what the repository is configured to run."""
    names = f"{folder.relative_to(repository).as_posix()}/".encode()
    try:
        return names in (_git_folder(repository / ".git") / "index").read_bytes()
    except OSError:
        return False


def _git_folder(path: Path) -> Path:
    if not path.is_file():
        return path
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    return path.parent / text.removeprefix(_LINK)
