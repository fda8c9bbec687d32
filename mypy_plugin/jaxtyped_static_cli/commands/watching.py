"""Checks a project again whenever one of its files changes.

Each check is the one that `check` makes. It takes what did not change from mypy's cache, as a run of its own would, so
new files, deleted files and syntax errors need no thought here. Only Python and mypy are not started again.

Files are looked at again and again, rather than asking the system for their changes. The library for that, watchfiles
(1.3), cannot leave out a folder: beside an environment with JAX it took 3.5 s to begin and 4,900 of the user's watches,
and sees nothing on network file systems. What was changed during a check has to be found by comparing anyway.
"""

import gc
import itertools
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from rich.console import Console

from ..mypy_runs.watched import Stamps, Watched
from ..project.roots import settings_files
from ..terminal.consoles import console_for
from ..terminal.problems import Problem
from ..terminal.saying import say
from ..terminal.words import counted

_INTERVAL: Final = 0.2  # seconds between two looks at the files
_SETTLING: Final = 0.05  # seconds in which nothing more changes
_SHARE: Final = 0.05  # the part of a CPU's time that looking may take, where there are many files
_LONGEST: Final = 1.0  # second between two looks, however many files there are
_QUIET: Final = 5  # looks without a change
_SHOWN: Final = 3  # names of changed files


def watch(check: Callable[[], Watched], watched: Watched) -> int:
    """Checks until the user interrupts it. `watched`: what to look at until the first check succeeds."""
    console = console_for(file=sys.stderr)
    interrupted: list[int] = []
    earlier = signal.signal(signal.SIGINT, _noting(interrupted))
    try:
        while True:
            before = watched.stamps()
            watched = _check(check, watched)
            # Of a file that only the check found, this is the first state; a file made meanwhile is not among these.
            known = {
                path: before.get(path, stamp)
                for path, stamp in watched.stamps().items()
                if path in before or path in watched.program
            }
            console.print(f"Watching {counted(len(known), 'file')}; Ctrl-C ends.", style="dim")
            _announce(_next_change(watched, known, interrupted), watched.root, console)
    except KeyboardInterrupt:
        return 0
    finally:
        signal.signal(signal.SIGINT, earlier)


def _noting(interrupted: list[int]) -> Callable[[int, object], None]:
    """Raises as Python does, and notes it: Python drops an exception that is raised while it frees an object."""

    def note(number: int, frame: object) -> None:
        interrupted.append(number)
        raise KeyboardInterrupt

    return note


def _check(check: Callable[[], Watched], watched: Watched) -> Watched:
    try:
        return check()
    except Problem as problem:
        say(f"error: {problem}")
        return watched
    finally:
        sys.stdout.flush()


def _next_change(watched: Watched, known: Stamps, interrupted: list[int]) -> set[Path]:
    """Waits until files differ from what is known of them, and then until they stay as they are."""
    settled = known
    for look in itertools.count():
        start = time.process_time()
        if interrupted:
            raise KeyboardInterrupt
        now = watched.stamps()
        if now != known and now == settled:
            return {path for path, _ in now.items() ^ known.items()}
        settled = now
        if look == _QUIET:
            gc.collect()  # the trees of the last check, while nobody waits
        enough = _SETTLING if now != known else _INTERVAL
        time.sleep(min(max(enough, (time.process_time() - start) / _SHARE), _LONGEST))
    raise AssertionError


def _announce(changed: Iterable[Path], root: Path, console: Console) -> None:
    settings = set(settings_files(root))
    paths = sorted(changed, key=lambda path: (path not in settings, path))
    names = ", ".join(os.path.relpath(path) for path in paths[:_SHOWN])
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    again = "; the settings are read again" if settings.intersection(paths) else ""
    if sys.stdout.isatty():
        console.clear()
    console.print(f"Changed: {names}{more}{again}", style="bold")
