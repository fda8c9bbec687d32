"""The trees of past builds, which mypy (2.4.1) keeps from Python's own collections (`gc.freeze`)."""

import gc
import os
from pathlib import Path
from typing import Final

_STATE: Final = Path("/proc/self/statm")  # Linux
_ALLOWED: Final = 300_000_000  # bytes that they may take: to free those of a script takes as long as to check it
_LEAST: Final = [0]  # bytes that the process had after the last time


def free_past_trees() -> None:
    """Frees them, once they take much memory."""
    used = _used()
    if used is not None and used - _LEAST[0] < _ALLOWED:
        return
    gc.collect()
    keep_past_trees()


def keep_past_trees() -> None:
    """Leaves those that there are now to the end of the process."""
    _LEAST[0] = _used() or 0


def _used() -> int | None:
    """The memory of the process in bytes; None where it is not known."""
    try:
        return int(_STATE.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None
