"""The cost of `jaxtyped-static check` against mypy with the plugin, on the same files.

    python -m benchmarks.command                  # about 10 minutes
    python -m benchmarks.command --only evosax --cold 1 --warm 3

The states: `cold` has no cache; `second` has none either, but another project was checked on the same machine; `edited`
is a run after a change of one file, and `warm` one after none. Runs of both alternate, and each pair gives one ratio;
this prints the median of the ratios and their range. `after` compares two runs of the command, neither after a change:
the first one after that of `edited`, and one more.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import jaxtyped_static_cli
import jaxtyped_static_mypy
from benchmarks.plugin_overhead import PROGRAMS
from tests.real.invocation import invocation
from tests.real.packages import Package
from tests.real.workspace import interpreter, programs

AIMS: Final = {"cold": 1.0, "second": 1.0, "edited": 1.3, "warm": 1.0, "after": 1.1}


class Cost(NamedTuple):
    seconds: float
    cpu_seconds: float


def measured(command: list[str], folder: Path, environment: Mapping[str, str]) -> Cost:
    """Raises RuntimeError if the command breaks down."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, env=dict(environment), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime)


class Bench:
    """A copy of a package, and both commands with caches of their own."""

    def __init__(self, package: Package, scratch: Path) -> None:
        (program,) = programs(package)
        tree = scratch / "tree"
        shutil.copytree(program.tree / package.module, tree / package.module)
        (tree / "pyproject.toml").touch()
        self._scratch, self._program = scratch, program._replace(tree=tree)
        self._file = min(tree.rglob("*.py"), key=lambda file: (abs(file.stat().st_size - 3000), file))
        self._environment = {**os.environ, "XDG_CACHE_HOME": str(scratch / "user")}
        for source in (jaxtyped_static_cli.__path__, jaxtyped_static_mypy.__path__):  # as where they are installed
            compileall.compile_dir(source[0], quiet=1)

    def mypy(self) -> Cost:
        call = invocation(self._program, self._scratch, settings={})
        return measured(list(call.command), call.folder, call.environment)

    def check(self) -> Cost:
        options = [f"--python={interpreter()}", f"--cache-dir={self._scratch / 'check'}", "--format=concise"]
        command = [sys.executable, "-m", "jaxtyped_static_mypy", "check", *options]
        return measured(command, self._program.tree, self._environment)

    def prepare(self, state: str, number: int) -> None:
        """Brings the caches into a state, from that of a complete run."""
        if state in ("cold", "second"):
            shutil.rmtree(self._scratch / "cache", ignore_errors=True)
            shutil.rmtree(self._scratch / "check", ignore_errors=True)
        if state == "cold":
            shutil.rmtree(self._scratch / "user", ignore_errors=True)
        if state in ("edited", "after"):
            with self._file.open("a") as file:
                file.write(f"\n# {number}\n")

    def pair(self, state: str) -> tuple[Cost, Cost]:
        """What the baseline costs in a state, and what is compared with it."""
        if state != "after":
            return self.mypy(), self.check()
        self.check()
        after = self.check()
        return self.check(), after


def report(name: str, state: str, pairs: list[tuple[Cost, Cost]]) -> None:
    """Prints the ratios of one package in one state."""
    baseline = statistics.median(first.seconds for first, _ in pairs)
    print(f"{name}, {state}: {len(pairs)} pairs, baseline {baseline:.2f} s; aim: CPU time x{AIMS[state]:.2f}")
    for quantity, label in (("seconds", "time"), ("cpu_seconds", "CPU time")):
        ratios = [getattr(second, quantity) / getattr(first, quantity) for first, second in pairs]
        print(f"  {label:<10} x{statistics.median(ratios):.2f}   ({min(ratios):.2f} to {max(ratios):.2f})", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    packages = {program.package.name: program.package for program in PROGRAMS if program.package.name != "sqlalchemy"}
    parser.add_argument("--only", choices=list(packages), nargs="+", default=["evosax", "dynamax"])
    parser.add_argument("--cold", type=int, default=2, metavar="PAIRS", help="default: %(default)s")
    parser.add_argument("--warm", type=int, default=7, metavar="PAIRS", help="default: %(default)s")
    arguments = parser.parse_args()
    for name in arguments.only:
        with tempfile.TemporaryDirectory(prefix="command-") as folder:
            bench = Bench(packages[name], Path(folder))
            for state in AIMS:
                pairs = []
                for number in range(arguments.cold if state in ("cold", "second") else arguments.warm):
                    bench.prepare(state, number)
                    pairs.append(bench.pair(state))
                report(name, state, pairs)


if __name__ == "__main__":
    main()
