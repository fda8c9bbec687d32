"""Runs a module of mypy without its short time-outs: `python tests/patient.py mypy -n 2 main.py`

mypy gives a worker three seconds of wall-clock time to start, and its daemon five, and has no setting for either. On a
busy machine that is not enough. So here a thread's clock slows down while the thread sleeps, which mypy's threads do
only to wait for something.
"""

from __future__ import annotations

import runpy
import sys
import threading
import time
from typing import Final, SupportsIndex

_SLOWER: Final = 100
_real_time, _real_sleep = time.time, time.sleep
_left_out = threading.local()


def patient_sleep(seconds: SupportsIndex | float, /) -> None:
    start = _real_time()
    _real_sleep(seconds)
    _left_out.seconds = _seconds_left_out() + (_real_time() - start) * (1 - 1 / _SLOWER)


def patient_time() -> float:
    return _real_time() - _seconds_left_out()


def _seconds_left_out() -> float:
    seconds: float = getattr(_left_out, "seconds", 0.0)
    return seconds


if __name__ == "__main__":
    time.time, time.sleep = patient_time, patient_sleep
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
