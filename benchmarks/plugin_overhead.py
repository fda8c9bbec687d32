"""The cost of the plugin: mypy with it against mypy without it, cold and warm, in time and in peak memory.

    python -m benchmarks.plugin_overhead                  # about 20 minutes
    python -m benchmarks.plugin_overhead --quick          # about 5 minutes, rough
    python -m benchmarks.plugin_overhead --only evosax

The programs are unchanged from PyPI: TORAX, the largest; three for which mypy takes about as long as for jax alone; and
SQLAlchemy, a large typed package that never imports JAX. Runs with and without the plugin alternate, and each pair
gives one ratio, so a machine that slows down meanwhile slows both. This prints the median of the ratios and their
range.
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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import jaxtyped_static_mypy
from tests.real.invocation import Settings, invocation
from tests.real.packages import PACKAGES, SETTINGS, Package
from tests.real.workspace import programs


@dataclass(frozen=True)
class Program:
    """A package, and the aim for the ratio of CPU times with and without the plugin, without a cache."""

    package: Package
    aim: float
    settings: Settings


@dataclass(frozen=True)
class Cost:
    """The cost of one run of mypy; on a shared machine, CPU time is less noisy than the clock."""

    seconds: float
    cpu_seconds: float
    peak_megabytes: float


Pair = tuple[Cost, Cost]  # without the plugin, with it

WARM_AIM = 1.04
MEMORY_AIM = 1.03


def _published(name: str) -> Package:
    return next(package for package in PACKAGES if package.name == name)


PROGRAMS = (
    Program(_published("torax"), aim=1.03, settings=SETTINGS),
    *(Program(_published(name), aim=1.06, settings={}) for name in ("evosax", "tinygp", "dynamax")),
    Program(Package("sqlalchemy", "2.1.9", "sqlalchemy"), aim=1.03, settings={}),
)
QUANTITIES = {"seconds": "time", "cpu_seconds": "CPU time", "peak_megabytes": "peak memory"}


def run(program: Program, scratch: Path, with_plugin: bool) -> Cost:
    """Checks the package once, with the cache in `scratch`; raises RuntimeError if mypy breaks down."""
    (tree,) = programs(program.package)
    call = invocation(tree, scratch, with_plugin=with_plugin, settings=program.settings)
    log = scratch / "log"
    with log.open("w") as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            call.command,
            cwd=call.folder,
            env={name: value for name, value in call.environment.items() if name != "PYTHONDONTWRITEBYTECODE"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        end = f"mypy on {program.package.name} ended with {process.returncode}"
        raise RuntimeError(f"{end}:\n{log.read_text()[-2000:]}")
    # ru_maxrss is in kilobytes on Linux and in bytes on macOS.
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


def pair(program: Program, folder: Path, plugin_first: bool) -> Pair:
    """One run without and one with the plugin, each with its own cache."""
    costs = {}
    for with_plugin in (plugin_first, not plugin_first):
        scratch = folder / ("with" if with_plugin else "without")
        scratch.mkdir(exist_ok=True)
        costs[with_plugin] = run(program, scratch, with_plugin)
    return costs[False], costs[True]


def measure(program: Program, pairs: int, warm: bool) -> Iterator[Pair]:
    """Measures pairs of runs: each without a cache, or each with the caches of a first, unmeasured pair."""
    with tempfile.TemporaryDirectory(prefix="overhead-") as name:
        folder = Path(name)
        if warm:
            pair(program, folder, plugin_first=False)
        for number in range(pairs):
            if not warm:
                shutil.rmtree(folder)
                folder.mkdir()
            yield pair(program, folder, plugin_first=bool(number % 2))


def ratios(pairs: Sequence[Pair], quantity: str) -> list[float]:
    return [getattr(with_plugin, quantity) / getattr(without, quantity) for without, with_plugin in pairs]


def report(program: Program, state: str, pairs: Sequence[Pair]) -> None:
    """Prints the program's ratios in one state of the cache."""
    without = statistics.median(cost.seconds for cost, _ in pairs)
    print(f"{program.package.requirement}, {state}: {len(pairs)} pairs, {without:.2f} s without the plugin")
    for quantity, label in QUANTITIES.items():
        values = ratios(pairs, quantity)
        median = statistics.median(values)
        aims = {"peak_megabytes": MEMORY_AIM, "cpu_seconds": WARM_AIM if state == "warm" else program.aim}
        verdict = f"   aim <= {aims[quantity]:.2f}" if quantity in aims else ""
        print(f"  {label:<12} x{median:.3f}   ({min(values):.3f} to {max(values):.3f}){verdict}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [program.package.name for program in PROGRAMS]
    parser.add_argument("--quick", action="store_true", help="one cold pair and five warm ones")
    parser.add_argument("--cold", type=int, default=5, metavar="PAIRS", help="default: %(default)s")
    parser.add_argument("--warm", type=int, default=30, metavar="PAIRS", help="default: %(default)s")
    parser.add_argument("--only", choices=names, nargs="+", default=names, help="measure these (default: all)")
    arguments = parser.parse_args()
    counts = {"cold": 1, "warm": 5} if arguments.quick else {"cold": arguments.cold, "warm": arguments.warm}
    # Byte code exists where the plugin is installed, and compiling takes longer than the rest of an import.
    compileall.compile_dir(Path(jaxtyped_static_mypy.__file__).parent, quiet=1)
    for program in PROGRAMS:
        if program.package.name not in arguments.only:
            continue
        for state, count in counts.items():
            pairs: list[Pair] = []
            for costs in measure(program, count, warm=state == "warm"):
                pairs.append(costs)
                progress = f"  {program.package.name} {state} {len(pairs)}/{count}"
                print(f"{progress}: x{ratios([costs], 'seconds')[0]:.3f}", file=sys.stderr, flush=True)
            if pairs:
                report(program, state, pairs)


if __name__ == "__main__":
    main()
