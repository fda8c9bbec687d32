"""The ways mypy is run over a source tree that changes from visit to visit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.rules.tree import Files, write

_DAEMON = Path(__file__).with_name("daemon_child.py")
_FLAGS = (
    *("--no-color-output", "--no-error-summary", "--hide-error-context", "--no-pretty"),
    *("--soft-error-limit=-1", "--show-traceback"),
)
# What is printed in place of mypy's output when it does not come to an end.
UNFINISHED = "mypy did not finish in {seconds:.0f} seconds"
# These would change what the runs below mean.
_UNSET = ("MYPYPATH", "MYPY_CACHE_DIR", "MYPY_NUM_WORKERS", "MYPY_CONFIG_FILE_DIR")


@dataclass(frozen=True)
class Workspace:
    """Where one mode of one group of programs runs."""

    tree: Path
    config: Path
    cache: Path
    patience: float

    def flags(self) -> list[str]:
        return [*_FLAGS, "--config-file", str(self.config), "--cache-dir", str(self.cache), "--cache-fine-grained"]


def build(workspace: Workspace, visits: Sequence[Files], *flags: str) -> list[str]:
    """`mypy .` after each visit, each time a new process. Returns what each one printed."""
    outputs = []
    for files in visits:
        write(workspace.tree, files)
        done = _run([sys.executable, "-m", "mypy", *workspace.flags(), *flags, "."], workspace)
        outputs.append(done.stdout + done.stderr)
    return outputs


def build_in_parallel(workspace: Workspace, visits: Sequence[Files]) -> list[str]:
    return build(workspace, visits, "-n", "2")


def serve(workspace: Workspace, visits: Sequence[Files]) -> list[str]:
    """A daemon that starts without a cache and is asked again after each visit."""
    return _serve(workspace, visits, workspace.flags())


def serve_from_cache(workspace: Workspace, visits: Sequence[Files]) -> list[str]:
    """A build of the first visit, and a daemon that starts from its cache when the second is already there."""
    first, *rest = visits
    return [*build(workspace, [first]), *_serve(workspace, rest, [*workspace.flags(), "--use-fine-grained-cache"])]


def _serve(workspace: Workspace, visits: Sequence[Files], flags: list[str]) -> list[str]:
    request = {"tree": str(workspace.tree), "flags": flags, "visits": list(visits)}
    done = _run([sys.executable, str(_DAEMON)], workspace, json.dumps(request))
    try:
        answers: list[str] = json.loads(done.stdout)
    except json.JSONDecodeError:
        return [done.stdout + done.stderr]
    return answers


def _run(command: list[str], workspace: Workspace, request: str = "") -> subprocess.CompletedProcess[str]:
    workspace.tree.mkdir(parents=True, exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if name not in _UNSET}
    # A session of its own: mypy's parallel workers have to go with it.
    process = subprocess.Popen(
        command,
        cwd=workspace.tree,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(request, timeout=workspace.patience)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        output, errors = "", f"{UNFINISHED.format(seconds=workspace.patience)}\n"
    return subprocess.CompletedProcess(command, process.returncode, output, errors)
