"""The preparations of a run, in memory and in its file."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Final

from jaxtyped_static._recording.requests import Request
from jaxtyped_static_runs.journal import Journal
from jaxtyped_static_runs.model import Preparation, Reason, Run, Seconds, Verified, What
from jaxtyped_static_runs.passes import Passes

_MAX_LISTED: Final = 20_000


class Preparations:
    """What was prepared so far, by all threads.

    Args:
        journal: the file, if there is one.
        passes: counts the steps, if a line begins one.
        began: when the run began, in seconds since the epoch; 0 for now.

    Attributes:
        lock: held while something is added.
        unknown: what cannot be told, in sentences.
    """

    def __init__(self, journal: Journal | None, passes: Passes | None, began: float) -> None:
        self.lock = threading.RLock()
        self.unknown: list[str] = []
        self._journal = journal
        self._passes = passes
        self._began = began or time.time()
        self._ended: float | None = None
        self._verified: Verified | None = None
        self._all: list[Preparation] = []
        self._not_attributed = Seconds()
        self._not_listed = 0

    def __len__(self) -> int:
        return len(self._all)

    @property
    def step(self) -> int | None:
        """How often the line has run that begins a step; None if there is none."""
        return None if self._passes is None else self._passes.count

    def add(
        self,
        request: Request,
        what: What,
        seconds: Seconds,
        reasons: tuple[Reason, ...] = (),
        like: int | None = None,
        *,
        on_disk: bool | None = None,
    ) -> None:
        """Adds one; see `Preparation`."""
        with self.lock:
            if len(self._all) >= _MAX_LISTED:
                self._not_listed += 1
                self.lose(seconds)
                return
            found = Preparation(
                number=len(self._all),
                function=request.function,
                what=what,
                at=time.time() - self._began,
                seconds=seconds,
                stack=request.stack,
                reasons=reasons,
                like=like,
                on_disk=on_disk,
                thread=_other_thread(),
                step=self.step,
            )
            self._all.append(found)
            self._write(lambda journal: journal.add(found))

    def lose(self, seconds: Seconds) -> None:
        """Adds time of which is not known what it was for."""
        with self.lock:
            self._not_attributed = self._not_attributed.plus(seconds)

    def end(self, ended: str, verify: Callable[[], Verified] | None) -> None:
        """Ends the run, and its file; `verify`: traces everything again, which is no part of the run."""
        self._ended = time.time()
        self._verified = verified = None if verify is None else verify()
        with self.lock:
            if verified is not None:
                self._write(lambda journal: journal.verified(verified))
            rest = self._ended - self._began, self._not_attributed, self._not_listed, self.unknown
            self._write(lambda journal: journal.end(ended, *rest))

    def run(self, header: dict[str, Any], ended: str) -> Run:
        """Returns the run so far; `header`: `program`, `started`, `folder` and `versions`."""
        with self.lock:
            return Run(
                **header,
                seconds=(self._ended or time.time()) - self._began,
                ended=ended,
                preparations=tuple(self._all),
                not_attributed=self._not_attributed,
                not_listed=self._not_listed,
                verified=self._verified,
                unknown=tuple(self.unknown),
            )

    def forget(self) -> None:
        """Begins anew in a process that was forked, in which no other thread lives."""
        self.lock = threading.RLock()
        self._all, self._not_attributed, self._not_listed, self._began = [], Seconds(), 0, time.time()
        if self._journal is not None:
            self._journal.begin_again()

    def _write(self, what: Callable[[Journal], None]) -> None:
        """Writes to the file; a disk that is full must not stop the program."""
        if self._journal is None:
            return
        try:
            what(self._journal)
        except (OSError, ValueError) as error:
            self._journal = None
            self.unknown.append(f"the run in a file: {error}")


def _other_thread() -> str:
    thread = threading.current_thread()
    return "" if thread is threading.main_thread() else thread.name
