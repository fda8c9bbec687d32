"""Runs processes for tests. None is stopped by wall-clock time: a slow machine makes no test fail.

A process is stuck if it has used no CPU time for very long, or a very large amount of it without finishing.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[1]
# Runs `mypy` with workers, or `mypy.dmypy`, which otherwise give up on slow starts.
PATIENTLY = (sys.executable, str(ROOT / "tests" / "patient.py"))

# The seconds between two looks at a process, and how many looks in a row may find it idle. A process that waits for a
# CPU gets some CPU time meanwhile, however busy the machine is.
_LOOK, _IDLE_LOOKS = 2.0, 300
# Seconds of CPU time; less counts as idle, because a waiting process may poll.
_IDLE = 0.5
# Seconds of CPU time that a test's process may use; the longest needs a fiftieth of it.
_PLENTY = 3600.0


class Unfinished(AssertionError):
    """A process did not finish: it was stuck, and was killed with everything that it had started."""


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    text: str = "",
    cpu_seconds: float = _PLENTY,
) -> subprocess.CompletedProcess[str]:
    """Runs a command with `text` on its standard input.

    Raises:
        Unfinished: it uses no CPU time, or more than `cpu_seconds`; or something else kills it.
    """
    arguments = list(map(str, command))
    with tempfile.TemporaryFile("w+") as file:  # output in a pipe can be lost when `communicate` times out
        file.write(text)
        file.seek(0)
        # A new session, so that everything it started can be killed with it.
        process = subprocess.Popen(
            arguments,
            cwd=cwd,
            env=env,
            stdin=file,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
    why = ""
    try:
        output, errors, why = _communicate(process, _looks(process.pid, cpu_seconds))
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    if process.returncode < 0:
        why = why or f"killed by signal {-process.returncode}"
        raise Unfinished(f"{why}: {' '.join(arguments)}\n{output}{errors}")
    return subprocess.CompletedProcess(arguments, process.returncode, output, errors)


def run_python(program: str, *arguments: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a program with this interpreter in the root of the checkout."""
    return run([sys.executable, "-c", program, *arguments], cwd=ROOT, env=env)


def _communicate(process: subprocess.Popen[str], looks: Iterator[str]) -> tuple[str, str, str]:
    """Returns the output of the process, and why it was killed, if it was."""
    while True:
        with suppress(subprocess.TimeoutExpired):
            return *process.communicate(timeout=_LOOK), ""
        if why := next(looks):
            started = _children(process.pid)
            os.killpg(process.pid, signal.SIGKILL)
            said = process.communicate()
            psutil.wait_procs(started)
            return *said, why


def _looks(pid: int, cpu_seconds: float) -> Iterator[str]:
    """Yields, at each look, why the process is stuck, or nothing."""
    since, idle = 0.0, 0
    while True:
        used = _cpu_time(pid)
        since, idle = (since, idle + 1) if abs(used - since) < _IDLE else (used, 0)
        if used > cpu_seconds:
            yield f"no end after {used:.0f} seconds of CPU time"
        elif idle > _IDLE_LOOKS:
            yield f"no CPU time used for {_LOOK * _IDLE_LOOKS:.0f} seconds"
        else:
            yield ""


def _cpu_time(pid: int) -> float:
    """Returns the CPU seconds that the process and its children have used so far."""
    with suppress(psutil.NoSuchProcess):
        return sum(map(_own_cpu_time, [psutil.Process(pid), *_children(pid)]))
    return 0.0


def _children(pid: int) -> list[psutil.Process]:
    with suppress(psutil.NoSuchProcess):
        return list(psutil.Process(pid).children(recursive=True))
    return []


def _own_cpu_time(process: psutil.Process) -> float:
    with suppress(psutil.NoSuchProcess):
        return float(sum(process.cpu_times()[:4]))  # on Linux this includes finished children
    return 0.0
