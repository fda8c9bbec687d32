"""Refuses a cache that came with a checkout.

mypy verifies that an entry of its cache is about the same text, the same options and the same plugin. It cannot verify
that what the entry says of these is true, so whoever writes a cache decides what is found.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ..files.ordinary import read_ordinary
from ..terminal.problems import Problem

_LINK: Final = "gitdir: "  # what is in the file `.git` of a worktree or a submodule
# The format of git's index is in its gitformat-index(5). Of an entry, the part in front of its name:
_FIXED: Final = 62
_FLAGS: Final = 60
_EXTENDED: Final = 0x40  # two more bytes of flags follow
_COMPRESSED: Final = 4  # the version in which a name leaves out what it shares with the one before


def require_own(cache: Path) -> None:
    """`cache`: the folder in a project, whether or not it is there.

    Raises:
        Problem: it is part of the repository.
    """
    if cache.is_dir() and any(_is_tracked(cache, around) for around in cache.parents):
        raise Problem(
            f"{cache} is part of the repository, and may say whatever its author likes; "
            "take it out with `git rm -r --cached` and remove it, or choose another folder with --cache-dir"
        )


def _is_tracked(folder: Path, repository: Path) -> bool:
    """Whether git has files of a folder. Does not ask git, which would run what the repository is configured to run."""
    prefix = f"{folder.relative_to(repository).as_posix()}/".encode().lower()
    git = _git_folder(repository / ".git")
    try:
        return any(_names_any(read_ordinary(index), prefix) for index in (git / "index", *git.glob("sharedindex.*")))
    except OSError:
        return False


def _names_any(index: bytes, prefix: bytes) -> bool:
    """Whether an index has a file whose path begins so; also if it cannot be read.

    Whatever the case of its letters: many file systems of macOS and Windows do not tell them apart.
    """
    if len(index) < 12 or int.from_bytes(index[4:8]) != _COMPRESSED:
        return prefix in index.lower()
    try:
        return any(name.lower().startswith(prefix) for name in _compressed_names(index))
    except (IndexError, ValueError, struct.error):
        return True


def _compressed_names(index: bytes) -> Iterator[bytes]:
    (count,) = struct.unpack_from(">L", index, 8)
    at, name = 12, b""
    for _ in range(count):
        at += _FIXED + (2 if index[at + _FLAGS] & _EXTENDED else 0)
        dropped, at = _number(index, at)
        end = index.index(b"\0", at)
        name = name[: len(name) - dropped] + index[at:end]
        at = end + 1
        yield name


def _number(index: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where it ends."""
    value = index[at] & 0x7F
    while index[at] & 0x80:
        at += 1
        value = ((value + 1) << 7) + (index[at] & 0x7F)
    return value, at + 1


def _git_folder(path: Path) -> Path:
    if not path.is_file():
        return path
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    return path.parent / text.removeprefix(_LINK)
