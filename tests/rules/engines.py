"""Runs mypy in different ways over a source tree that changes from visit to visit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests import processes
from tests.processes import PATIENTLY, Unfinished
from tests.rules.tree import Files, write

# Without garbage collection, which takes a tenth of the time of a process that ends before it needs the memory; mypy
# turns it on again between its steps.
_UNCOLLECTED = "import gc; gc.disable(); gc.enable = int; from mypy.__main__ import console_entry; console_entry()"
_MYPY = (sys.executable, "-c", _UNCOLLECTED)
_PARALLEL_MYPY = (*PATIENTLY, "mypy", "-n", "2")
_DAEMON = (sys.executable, str(Path(__file__).with_name("daemon_child.py")))
_FLAGS = (
    *("--no-color-output", "--no-error-summary", "--hide-error-context", "--no-pretty"),
    *("--soft-error-limit=-1", "--show-traceback"),
)
# mypy's message if a worker does not start, after long attempts (see `patient.py`).
_NO_WORKER = "Failed to establish connection with worker"
# These would affect the runs below.
_UNSET = ("MYPYPATH", "MYPY_CACHE_DIR", "MYPY_NUM_WORKERS", "MYPY_CONFIG_FILE_DIR")


@dataclass(frozen=True)
class Workspace:
    """The folder in which one mode of one group of programs runs, and its limit of CPU seconds."""

    tree: Path
    config: Path
    cache: Path
    patience: float

    def flags(self) -> list[str]:
        return [*_FLAGS, "--config-file", str(self.config), "--cache-dir", str(self.cache), "--cache-fine-grained"]


# An engine runs mypy after each visit, and returns the output of each run. It raises `Unfinished` if a run does not
# finish.


def build(workspace: Workspace, visits: Sequence[Files]) -> list[str]:
    """Runs `mypy .`, each time in a new process."""
    return [_build(workspace, files, *_MYPY) for files in visits]


def build_in_parallel(workspace: Workspace, visits: Sequence[Files]) -> list[str]:
    outputs = [_build(workspace, files, *_PARALLEL_MYPY) for files in visits]
    if failed := next((output for output in outputs if _NO_WORKER in output), None):
        raise Unfinished(f"a worker of mypy does not start:\n{failed}")
    return outputs


def _build(workspace: Workspace, files: Files, *command: str) -> str:
    write(workspace.tree, files)
    done = _run([*command, *workspace.flags(), "."], workspace)
    return done.stdout + done.stderr


def serve(workspace: Workspace, visits: Sequence[Files]) -> list[str]:
    """Runs a daemon that starts without a cache."""
    return _serve(workspace, visits, workspace.flags())


def serve_from_cache(workspace: Workspace, visits: Sequence[Files]) -> list[str]:
    """Builds the first visit, and runs a daemon that starts from its cache with the second one in place."""
    first, *rest = visits
    return [*build(workspace, [first]), *_serve(workspace, rest, [*workspace.flags(), "--use-fine-grained-cache"])]


def _serve(workspace: Workspace, visits: Sequence[Files], flags: list[str]) -> list[str]:
    request = {"tree": str(workspace.tree), "flags": flags, "visits": list(visits)}
    done = _run(_DAEMON, workspace, json.dumps(request))
    try:
        answers: list[str] = json.loads(done.stdout)
    except json.JSONDecodeError:
        return [done.stdout + done.stderr]
    return answers


def _run(command: Sequence[str], workspace: Workspace, request: str = "") -> subprocess.CompletedProcess[str]:
    workspace.tree.mkdir(parents=True, exist_ok=True)
    return processes.run(command, cwd=workspace.tree, env=_environment(), text=request, cpu_seconds=workspace.patience)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in _UNSET}
