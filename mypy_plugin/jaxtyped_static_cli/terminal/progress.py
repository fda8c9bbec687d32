"""Shows what a long run is doing, on a terminal only."""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TextIO

from rich.text import Text

from .consoles import console_for
from .saying import visible

if TYPE_CHECKING:
    from rich.status import Status  # loads tables and themes, which a run without a terminal does not need

_INTERVAL: Final = 0.1  # seconds between two updates


class Progress:
    """Counts the modules that mypy has read or checked."""

    def __init__(self, status: "Status | None") -> None:
        self._status = status
        self._start = self._shown = time.monotonic()
        self._counts: Counter[str] = Counter()

    def read(self, module: str) -> None:
        self._show("reading", module)

    def checked(self, path: str) -> None:
        self._show("checking", path)

    def _show(self, doing: str, what: str) -> None:
        self._counts[doing] += 1
        now = time.monotonic()
        if self._status is None or now - self._shown < _INTERVAL:
            return
        self._shown = now
        counts = f"({self._counts[doing]} modules, {now - self._start:.0f} s)"
        self._status.update(Text(visible(f"{doing} {what} {counts}")))  # a plain string would be read as markup


@contextmanager
def progress(stream: TextIO = sys.stderr) -> Iterator[Progress]:
    if not stream.isatty():
        yield Progress(None)
        return
    console = console_for(file=stream)
    with console.status("starting mypy") as status:
        yield Progress(status)
