"""Results that several test processes share: made once, by the first that asks."""

from __future__ import annotations

import fcntl
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def made_once(file: Path, make: Callable[[], T]) -> T:
    """The value in `file`; when there is none yet, `make` it while the other processes wait."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            file.write_bytes(pickle.dumps(make()))
        value: T = pickle.loads(file.read_bytes())
        return value
