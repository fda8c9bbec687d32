"""Reads files of a checkout that are looked at by their name alone.

Anything may have such a name: a FIFO, for which reading waits until somebody writes, or a link to a device without an
end.
"""

import errno
import os
from pathlib import Path


def read_ordinary(path: Path) -> bytes:
    """The content of a regular file.

    Raises:
        OSError: it is none, or it cannot be read.
    """
    if not path.is_file():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    return path.read_bytes()


def text_of(path: Path) -> str:
    """The text of such a file, whatever its bytes are; empty if it cannot be read."""
    try:
        return read_ordinary(path).decode(errors="replace")
    except OSError:
        return ""
