"""The file system that mypy reads: files as they are or would be, with exact times of change."""

import hashlib
import os
import stat
import time
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from mypy.fscache import FileSystemCache
from mypy.modulefinder import BuildSource
from mypy.util import hash_digest

from ..files.python_files import is_of_library

_SECOND: Final = 1_000_000_000  # nanoseconds
_TICK: Final = _SECOND // 10  # by which the clock of a file system may be late
_NEW_FILE: Final = os.stat_result((stat.S_IFREG | 0o644, 0, 0, 1, 0, 0, 0, 0, 0, 0))  # that nobody has saved
_LARGEST: Final = 2**48  # mypy takes times for floats, which are exact up to here


class FileSystem(FileSystemCache):
    """The file system as it would be with other contents of some files, and with exact times of change.

    mypy trusts an entry of its cache if the file has the same size as before and was changed in the same second. So
    the time that mypy gets of a file outside of packages is a digest of the exact times. If it may still change within
    one step of the file system's clock, it is one that never comes again, and mypy compares contents in the next run.
    """

    def __init__(self, contents: Mapping[Path, bytes], sources: Iterable[BuildSource]) -> None:
        super().__init__()
        self._contents = _by_name(contents)
        self._states: dict[str, os.stat_result | None] = {}
        for source in sources:
            if source.path is not None:
                self.stat_or_none(source.path)  # mypy may read a file before it asks for its time

    def change(self, contents: Mapping[Path, bytes]) -> None:
        """From now on, files have these contents, and all others those on the disk."""
        self._contents = _by_name(contents)
        self._states.clear()
        self.flush()

    def read(self, path: str) -> bytes:
        content = self._contents.get(path)
        return content if content is not None else super().read(path)

    def hash_digest(self, path: str) -> str:
        content = self._contents.get(path)
        return hash_digest(content) if content is not None else super().hash_digest(path)

    def exists(self, path: str, real_only: bool = False) -> bool:
        """mypy's parser reads real files by itself."""
        return not (real_only and path in self._contents) and super().exists(path, real_only)

    def stat_or_none(self, path: str) -> os.stat_result | None:
        if path not in self._states:
            found, content = super().stat_or_none(path), self._contents.get(path)
            if found is None and content is not None:
                found = _NEW_FILE
            if found is not None and stat.S_ISREG(found.st_mode):
                if content is not None:
                    found = _with(found, stat.ST_MTIME, zlib.crc32(content))
                    found = _with(found, stat.ST_SIZE, len(content))
                elif not is_of_library(path):
                    found = _with(found, stat.ST_MTIME, _exact_time(found))
            self._states[path] = found
        return self._states[path]


def _by_name(contents: Mapping[Path, bytes]) -> dict[str, bytes]:
    """By the names that mypy gives files: from the current folder, or whole."""
    return {name: content for path, content in contents.items() for name in (str(path), os.path.relpath(path))}


def _exact_time(state: os.stat_result) -> int:
    """A number for the time of the last change of a file, however it was changed."""
    is_coarse = state.st_ctime_ns % _SECOND == 0
    if time.time_ns() - max(state.st_mtime_ns, state.st_ctime_ns) < (2 * _SECOND if is_coarse else _TICK):
        return time.time_ns() % _LARGEST
    times = f"{state.st_mtime_ns} {state.st_ctime_ns} {state.st_ino}"
    return int.from_bytes(hashlib.sha256(times.encode()).digest()) % _LARGEST


def _with(state: os.stat_result, index: int, value: int) -> os.stat_result:
    values = list(state)
    values[index] = value
    return os.stat_result(values)
