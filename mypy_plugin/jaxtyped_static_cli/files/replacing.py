"""Replaces the content of a file: afterwards it is either the old or the new one, whole, whatever happens meanwhile."""

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_PREFIX: Final = ".jaxtyped-static-"


def replace_content(path: Path, content: bytes) -> None:
    """Writes a file, or leaves it as it was. It keeps its mode and owner, and stays a link if it is one.

    Raises:
        OSError: it was not written.
    """
    target = Path(os.path.realpath(path))
    try:
        before: os.stat_result | None = target.stat()
    except FileNotFoundError:
        before = None
    if before is None:
        with _temporary(target, content) as new:
            new.chmod(0o666 & ~_umask())
            new.replace(target)
    elif not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    elif before.st_nlink > 1:  # A new file would separate the names.
        _overwrite(target, content)
    else:
        _replace(target, content, before)
    _sync_folder(target.parent)


def _replace(target: Path, content: bytes, before: os.stat_result) -> None:
    with _temporary(target, content) as new:
        try:
            _take_over(new, target, before)
        except PermissionError:  # The file belongs to somebody else, who could lose access to a new one.
            new.unlink()
            _overwrite(target, content)
        else:
            new.replace(target)


def _take_over(new: Path, old: Path, state: os.stat_result) -> None:
    """Gives a new file the owner, the mode and the extended attributes (as ACLs) of an old one."""
    if hasattr(os, "chown"):
        made = new.stat()
        if (made.st_uid, made.st_gid) != (state.st_uid, state.st_gid):
            os.chown(new, state.st_uid, state.st_gid)
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):  # Not every file system has them, and not every user may set them.
            for name in os.listxattr(old):
                os.setxattr(new, name, os.getxattr(old, name))
    new.chmod(state.st_mode & 0o7777)  # last, because a change of the owner clears bits


def _overwrite(target: Path, content: bytes) -> None:
    """Writes into a file itself. A copy of the old content is beside it until the new one is on the disk."""
    old = target.read_bytes()
    with _temporary(target, old) as copy:
        try:
            _write_into(target, content)
        except OSError as error:
            try:
                _write_into(target, old)
            except OSError:
                kept = copy.rename(copy.with_suffix(".old"))
                raise OSError(error.errno, f"{error.strerror}; its old content is in {kept}", str(target)) from error
            raise


def _write_into(target: Path, content: bytes) -> None:
    with target.open("r+b", buffering=0) as file:
        _write_all(file.fileno(), content)
        file.truncate(len(content))
        os.fsync(file.fileno())


@contextlib.contextmanager
def _temporary(target: Path, content: bytes) -> Iterator[Path]:
    """A file with some content beside another one, on the disk; it is removed unless it was renamed."""
    descriptor, name = tempfile.mkstemp(prefix=_PREFIX, suffix=".tmp", dir=target.parent)
    made = Path(name)
    try:
        try:
            _write_all(descriptor, content)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        yield made
    finally:
        made.unlink(missing_ok=True)


def _write_all(descriptor: int, content: bytes) -> None:
    """A full disk takes a part of what is written, and raises only when it is asked to take the rest."""
    left = memoryview(content)
    while left:
        left = left[os.write(descriptor, left) :]


def _sync_folder(folder: Path) -> None:
    """Makes a new name last; a system that has no such thing needs none."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _umask() -> int:
    """The mode that new files lack; it can be read only by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
