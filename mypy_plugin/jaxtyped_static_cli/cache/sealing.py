"""Keeps mypy's cache whole: one run uses it at a time, and what is not as the last run left it is thrown away.

mypy believes what it reads in its cache: of a damaged entry it may show half of the errors, or none. So a run leaves a
seal, the digest of each file, and the next run compares it. Files with the same time, size and inode are not read.
"""

import contextlib
import hashlib
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from ..terminal.problems import Problem
from ..terminal.saying import say

PROJECTS: Final = ".jaxtyped_static_cache"  # the folder in a project
USERS: Final = "jaxtyped-static"  # the folder in the user's cache
LIST: Final = "modules.txt"
_SEAL: Final = "seal.json"
_LOCK: Final = "lock"
_SEALED: Final = ("*/*.db", LIST)
_OURS: Final = re.compile(r"3\.\d+|seal\.json.*|modules\.txt|missing_stubs.*|\.gitignore|CACHEDIR\.TAG")


class Digest(NamedTuple):
    """The content of a file, and the state in which it had that content."""

    state: tuple[int, ...]
    content: str


Seal = Mapping[str, Digest]


@contextlib.contextmanager
def kept_whole(folder: Path) -> Iterator[None]:
    """Uses a cache alone; one that is damaged is first thrown away, with one line.

    On a full disk, mypy has none: its folder is `/dev/null` then.
    """
    if str(folder) == os.devnull:
        yield
        return
    with alone(folder):
        require_whole(folder)
        try:
            yield
        finally:
            seal(folder)


def require_whole(folder: Path) -> bool:
    """Whether a cache is as it was sealed; if it is not, throws it away, with one line.

    Raises:
        Problem: it is no cache, but something of the user's, as `--cache-dir .` may lead to.
    """
    if not os.path.lexists(folder) or _is_whole(folder):
        return True
    if not _is_ours(folder):
        raise Problem(f"{folder} is no cache of jaxtyped-static; choose another folder with --cache-dir")
    say(f"{folder}: the cache is damaged or incomplete; it is made again")
    throw_away(folder)
    return False


def throw_away(path: Path) -> None:
    """Removes a folder, or whatever is in its place."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()


def seal(folder: Path) -> None:
    """Writes down what is in a cache now. Without a seal, the cache is made again."""
    earlier = _read(folder) or {}
    with contextlib.suppress(OSError, sqlite3.Error):
        _complete(folder)
        digests = {name: _digest(folder / name, earlier.get(name)) for name in _names(folder)}
        if digests and digests != earlier:
            replace(folder / _SEAL, json.dumps(digests).encode())


def replace(path: Path, content: bytes) -> None:
    """Writes a file as a whole, so that another run reads the old content or the new one."""
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        partial.write_bytes(content)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _is_ours(path: Path) -> bool:
    try:
        return all(_OURS.fullmatch(inner.name) for inner in path.iterdir())
    except NotADirectoryError:
        return path.parent.name in (PROJECTS, USERS)
    except OSError:  # no permission
        return True


def _is_whole(folder: Path) -> bool:
    try:
        earlier, names = _read(folder), _names(folder)
        if earlier is None:
            return folder.is_dir() and not any(folder.iterdir())
        if earlier.keys() != set(names):
            return False
        return all(_digest(folder / name, earlier[name]).content == earlier[name].content for name in names)
    except OSError:
        return False


def _names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for pattern in _SEALED for path in folder.glob(pattern))


def _read(folder: Path) -> Seal | None:
    try:
        read = json.loads((folder / _SEAL).read_bytes())
        return {name: Digest(tuple(state), content) for name, (state, content) in read.items()}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None


def _digest(path: Path, earlier: Digest | None) -> Digest:
    found = path.stat()
    state = (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
    if earlier is not None and earlier.state == state:
        return earlier
    with path.open("rb") as file:
        return Digest(state, hashlib.file_digest(file, "sha256").hexdigest())


def _complete(folder: Path) -> None:
    """Moves what SQLite has written beside its files into them, as it does by itself later."""
    for log in folder.glob("*/*.db-wal"):
        if log.stat().st_size:
            with contextlib.closing(sqlite3.connect(log.with_name(log.name.removesuffix("-wal")))) as database:
                database.execute("PRAGMA synchronous=OFF")
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Waits until no other process uses a cache. Where nothing can be locked, as on Windows, SQLite alone decides."""
    try:
        import fcntl  # which Windows does not have

        file = folder.with_name(_LOCK).open("ab")
    except (ImportError, OSError):
        yield
        return
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"{folder}: another check uses the cache; waiting for it to end")
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError:  # a file system without locks
            pass
        yield
