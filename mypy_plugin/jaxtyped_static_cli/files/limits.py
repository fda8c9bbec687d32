"""A limit to the CPU time of what a checkout decides, such as a pattern that takes longer than anybody waits.

Python's regular expressions and its walks over folders can be interrupted by a signal, so a timer stops them.
"""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


class TooLong(Exception):
    """Something takes longer than it may."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raises TooLong after so much CPU time. Where there is no such timer, as on Windows, there is no limit."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong

    earlier = signal.signal(signal.SIGPROF, stop)
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, earlier)
