"""What the language server's worker needs after an edit, over `jaxtyped-static check` after the same edit.

    python -m benchmarks.editor                      # a script of 300 lines, and a copy of Equinox
    python -m benchmarks.editor PROJECT --python .venv

Each edit adds a function at the end of a file, in another file each time, and is sent as an editor sends it. The CPU
time is that of the worker from the edit to its answer; the first answer includes the start of Python. `check` reads
the same edit from the disk, of a copy, with its cache. Both begin with what the machine knows of JAX.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import equinox
import psutil

AIMS: Final = {"script": 0.3, "equinox": 1.0}  # seconds of CPU time after an edit
_FUNCTION: Final = """

def _added_{number}(x: int) -> int:
    return x + {number}
"""
_SCRIPT: Final = """
@jax.jit
def step_{number}(y: jax.Array, rate: float) -> jax.Array:
    if rate > 0:
        return y * rate
    return y


class Model_{number}:
    def __init__(self, width: int) -> None:
        self.width = width
        self.weights = jnp.ones(width)

    def __call__(self, x: jax.Array) -> jax.Array:
        return step_{number}(self.weights @ x, 0.1)
"""


class Worker:
    """A worker, and what it has said."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._serial = 0
        self._used = psutil.Process(process.pid)

    def send(self, texts: dict[str, str | None]) -> float:
        """Returns the CPU time until the answer."""
        self._serial += 1
        before = self._seconds()
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"texts": texts, "serial": self._serial}) + "\n")
        self._process.stdin.write(json.dumps({"ask": "actions", "id": self._serial, **_NOWHERE}) + "\n")
        self._process.stdin.flush()
        for line in self._process.stdout:  # an answer that is as before is not told, but a question is answered
            if json.loads(line).get("id") == self._serial:
                return self._seconds() - before
        raise RuntimeError("the worker ended")

    @property
    def megabytes(self) -> float:
        return float(self._used.memory_info().rss / 2**20)

    def _seconds(self) -> float:
        times = self._used.cpu_times()
        return float(times.user + times.system)


_NOWHERE: Final[dict[str, Any]] = {
    "path": "/nowhere.py",
    "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
}


class Measured(NamedTuple):
    first: float
    edits: list[float]
    checks: list[float]
    megabytes: float


@contextmanager
def worker(project: Path, python: str) -> Iterator[Worker]:
    command = [sys.executable, "-P", "-m", "jaxtyped_static_server.worker", str(project), "--python", python]
    with subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=project) as process:
        yield Worker(process)
        process.kill()


def measure(project: Path, python: str, count: int) -> Measured:
    check(project, python)  # what the machine knows of JAX, and this project's cache
    files = [path for path in sorted(project.rglob("*.py")) if path.stat().st_size and ".venv" not in path.parts]
    chosen = [files[number * len(files) // count] for number in range(count)]
    edits, checks = [], []
    with worker(project, python) as started:
        first = started.send({str(path): path.read_text() for path in chosen[:1]})
        for number, path in enumerate(chosen):
            text = path.read_text() + _FUNCTION.format(number=number)
            started.send({str(path): path.read_text()})  # opened, and prepared while nobody types
            edits.append(started.send({str(path): text}))
        megabytes = started.megabytes
    for number, path in enumerate(chosen):
        path.write_text(path.read_text() + _FUNCTION.format(number=number))
        checks.append(check(project, python))
    return Measured(first, edits, checks, megabytes)


def check(project: Path, python: str) -> float:
    command = [str(Path(sys.executable).parent / "jaxtyped-static"), "check", "--exit-zero", "--python", python]
    process = subprocess.Popen(command, cwd=project, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return usage.ru_utime + usage.ru_stime


def report(name: str, measured: Measured) -> None:
    ratios = [edit / whole for edit, whole in zip(measured.edits, measured.checks, strict=True)]
    print(
        f"{name}: first answer {measured.first:.1f} s, then {statistics.median(measured.edits):.2f} s after an edit "
        f"({min(measured.edits):.2f} to {max(measured.edits):.2f}); "
        f"{statistics.median(ratios):.2f} of check ({min(ratios):.2f} to {max(ratios):.2f}); "
        f"{measured.megabytes:.0f} MB" + (f"; aim: {AIMS[name]} s" if name in AIMS else "")
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", nargs="?", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--edits", type=int, default=8)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        if given.project is not None:
            shutil.copytree(given.project, folder / "copy", ignore=shutil.ignore_patterns(".venv", ".git", ".*cache*"))
            report(str(given.project), measure(folder / "copy", given.python, given.edits))
            return
        (folder / "script").mkdir()
        (folder / "script" / "pyproject.toml").touch()
        text = "import jax\nimport jax.numpy as jnp\n" + "\n".join(_SCRIPT.format(number=n) for n in range(18))
        (folder / "script" / "main.py").write_text(text)
        report("script", measure(folder / "script", given.python, given.edits))
        shutil.copytree(Path(equinox.__file__).parent, folder / "tree" / "equinox")
        (folder / "tree" / "pyproject.toml").touch()
        report("equinox", measure(folder / "tree", given.python, given.edits))


if __name__ == "__main__":
    main()
