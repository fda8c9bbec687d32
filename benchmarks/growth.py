"""How the plugin's time grows with the size of a program: families of programs, one for each construct it analyses.

    python -m benchmarks.growth                  # all families, about 20 minutes
    python -m benchmarks.growth nested_ cycle    # those whose names contain one of these words

mypy checks each size without and with the plugin, in CPU time; the time for a program of only imports is subtracted.
For each family this prints the largest size, mypy's time for it, the plugin's additional time, the ratio of the two,
and the growth of the plugin's part as an exponent (1 is linear, 2 quadratic). If the size is a depth, the time for the
greatest depth counts: a time that doubles with each level would never get there.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.growth_programs import DEEP, DOUBLING, FAMILIES, HEAD, Source

EXPONENT_AIM = 1.2
RATIO_AIM = 3.0
DEPTH_AIM = 0.5  # seconds
NOTICEABLE = 0.1  # seconds: below this, neither an exponent nor a ratio is meaningful

_DEPTHS = (5, 10, 20, 40)
_SIZES = (25, 50, 100, 200, 400, 800, 1_600)
_ENOUGH = 1.5  # seconds for one check, after which the sizes stop growing
_PATIENCE = 60  # seconds of CPU time for all sizes of a family


@dataclass(frozen=True)
class Cost:
    """mypy's time for one size of a family, and the plugin's additional time, beyond the empty program."""

    size: int
    alone: float
    plugin: float

    @property
    def ratio(self) -> float:
        return self.plugin / max(self.alone, 1e-3)


def check(source: Path, folder: Path, *, with_plugin: bool) -> float:
    """Returns the CPU seconds that mypy takes in this process; its cache has jax but not the program."""
    import mypy.api  # only the processes that measure need it

    name = "with" if with_plugin else "without"
    config = folder / f"{name}.ini"
    config.write_text("[mypy]\npython_version = 3.12\n" + ("plugins = jaxtyped_static_mypy\n" if with_plugin else ""))
    start = time.process_time()
    options = ["--config-file", str(config), "--cache-dir", str(folder / name)]
    output, errors, status = mypy.api.run([*options, str(source)])
    if status == 2 or errors:
        raise RuntimeError((output + errors)[:2_000])
    return time.process_time() - start


def measure(name: str, source: Source, sizes: Sequence[int], folder: Path) -> Iterator[Cost]:
    """Measures increasing sizes until one takes long enough to be meaningful."""

    def pair(size: int, program: str) -> tuple[float, float]:
        path = folder / f"{name}_{size}.py"
        path.write_text(HEAD + program)
        alone = check(path, folder, with_plugin=False)
        return alone, check(path, folder, with_plugin=True) - alone

    pairs = [pair(0, f"# {number}\n") for number in range(4)][1:]  # the first one imports
    empty = [statistics.median(values) for values in zip(*pairs, strict=True)]
    for size in sizes:
        alone, plugin = (value - base for value, base in zip(pair(size, source(size)), empty, strict=True))
        yield Cost(size, alone, plugin)
        if alone + plugin > _ENOUGH:
            break


def fill_caches(folder: Path) -> None:
    """Checks jax once without and once with the plugin."""
    command = [sys.executable, "-m", "benchmarks.growth", "--measure", "nothing", str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def measured(name: str, folder: Path) -> list[Cost]:
    """Runs `measure` in its own process, with a time limit."""
    command = [sys.executable, "-m", "benchmarks.growth", "--measure", name, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{name}: {done.stderr[-1_000:] or f'stopped after {_PATIENCE} s'}", flush=True)
    return [Cost(**json.loads(line)) for line in done.stdout.splitlines()]


def exponent(costs: Sequence[Cost]) -> float | None:
    """Returns the slope of the logarithms over the largest sizes; None if the plugin takes too little time."""
    told = [cost for cost in costs if cost.plugin > NOTICEABLE / 4][-3:]
    if len(told) < 2 or told[-1].plugin < NOTICEABLE:
        return None
    sizes, seconds = [math.log(cost.size) for cost in told], [math.log(cost.plugin) for cost in told]
    return statistics.linear_regression(sizes, seconds).slope


def misses(name: str, costs: Sequence[Cost]) -> list[str]:
    """Returns the aims that a family misses."""
    if not costs:
        return ["no size was checked"]
    last = costs[-1]
    if name in DEEP:
        depth = _DEPTHS[1 if name in DOUBLING else -1]
        return [] if last.size == depth and last.plugin <= DEPTH_AIM else [f"aim: {DEPTH_AIM} s at depth {depth}"]
    growth = exponent(costs)
    found = [f"aim: an exponent of {EXPONENT_AIM}"] if growth is not None and growth > EXPONENT_AIM else []
    if last.plugin > NOTICEABLE and last.ratio > RATIO_AIM:
        found.append(f"aim: x{RATIO_AIM:.0f}")
    return found


def report(name: str, costs: Sequence[Cost]) -> bool:
    found = misses(name, costs)
    if costs:
        last, growth = costs[-1], exponent(costs)
        shown = f"{growth:>5.2f}" if growth is not None else "    -"
        row = f"{last.size:>6} {last.alone:>8.2f} s {last.plugin:>7.2f} s  x{last.ratio:>5.1f} {shown}"
        print(f"{name:<44} {row}   {'; '.join(found)}", flush=True)
    return not found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="measure only families whose names contain one of these")
    parser.add_argument("--measure", nargs=2, metavar=("FAMILY", "FOLDER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    families: dict[str, tuple[Source, Sequence[int]]] = {
        "nothing": (str, ()),
        **{name: (source, _DEPTHS[: 2 if name in DOUBLING else None]) for name, source in DEEP.items()},
        **{name: (source, _SIZES) for name, source in FAMILIES.items()},
    }
    if arguments.measure:
        name, folder = arguments.measure
        if families[name][1]:
            resource.setrlimit(resource.RLIMIT_CPU, (_PATIENCE, _PATIENCE))
        for cost in measure(name, *families[name], Path(folder)):
            print(json.dumps(cost.__dict__), flush=True)
        return 0
    names = [name for name in (*DEEP, *FAMILIES) if any(word in name for word in arguments.words or [""])]
    with tempfile.TemporaryDirectory() as folder:
        fill_caches(Path(folder))
        print(f"{'family':<44} {'size':>6} {'mypy alone':>10} {'plugin':>9}  {'ratio':>6} {'growth':>5}")
        met = [report(name, measured(name, Path(folder))) for name in names]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
