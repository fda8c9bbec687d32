"""Results that several test processes share: made once, by the first that asks."""

from __future__ import annotations

import fcntl
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def made_once(file: Path, make: Callable[[], T]) -> T:
    """Returns the value in `file`; if there is none yet, makes it while the other processes wait."""
    with alone(file):
        if not file.exists():
            file.write_bytes(pickle.dumps(make()))
        value: T = pickle.loads(file.read_bytes())
        return value


def make_early(file: Path, make: Callable[[], object]) -> None:
    """Makes the value in `file` before it is needed, unless another process is doing so."""
    with suppress(BlockingIOError), alone(file, fcntl.LOCK_EX | fcntl.LOCK_NB):
        if not file.exists():
            file.write_bytes(pickle.dumps(make()))


@contextmanager
def alone(file: Path, operation: int = fcntl.LOCK_EX) -> Iterator[None]:
    """A lock on the file among processes that use it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, operation)
        yield
