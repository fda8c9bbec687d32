"""A process that tests run may take its time; a stuck one is killed, and the test says why."""

from __future__ import annotations

import sys
from pathlib import Path

import psutil
import pytest

from tests import processes
from tests.processes import Unfinished, run, run_python

FOREVER = "print('begun', flush=True)\nwhile True: pass"
ASLEEP = "import time\nwhile True: time.sleep(0.01)"


def test_a_process_gets_its_input_and_returns_its_output(tmp_path: Path) -> None:
    text = "x" * 1_000_000
    late = "import sys, time; time.sleep(1); print(sys.stdin.read())"
    done = run([sys.executable, "-c", late], cwd=tmp_path, text=text)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{text}\n", "")
    assert "Error: it" in run_python("raise ValueError('it')").stderr


def test_a_process_that_uses_too_much_cpu_time_is_stuck(tmp_path: Path) -> None:
    with pytest.raises(Unfinished, match=r"no end after \d+ seconds of CPU time(.|\n)*begun"):
        run([sys.executable, "-c", FOREVER], cwd=tmp_path, cpu_seconds=1.0)


def test_the_cpu_time_of_what_it_started_counts(tmp_path: Path) -> None:
    child = f"{FOREVER}  # a child"  # another test may be running the same without it
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    with pytest.raises(Unfinished, match="no end"):
        run([sys.executable, "-c", parent], cwd=tmp_path, cpu_seconds=1.0)
    assert not [process for process in psutil.process_iter(["cmdline"]) if child in (process.info["cmdline"] or [])]


def test_a_process_that_only_waits_is_stuck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_LOOK", 0.2)
    monkeypatch.setattr(processes, "_IDLE_LOOKS", 6)
    with pytest.raises(Unfinished, match="no CPU time used"):
        run([sys.executable, "-c", ASLEEP], cwd=tmp_path)


def test_a_killed_process_has_not_finished(tmp_path: Path) -> None:
    with pytest.raises(Unfinished, match="killed by signal 9"):
        run([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"], cwd=tmp_path)
