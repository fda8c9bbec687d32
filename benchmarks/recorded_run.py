"""The cost of recording a whole program: `jaxtyped-static run` over Python, in turn.

Without a program of your own, it is one with a million calls and ten thousand compilations, to see what the recorder
keeps: JAX keeps each program, and the recorder must keep little beside that, and nothing for a call.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

_CALLS: Final = 1_000_000
_COMPILATIONS: Final = 10_000
_LONG: Final = f"""
import jax
import jax.numpy as jnp

step = jax.jit(lambda x: x + 1)
x = jnp.ones(1000)
for _ in range({_CALLS}):
    step(x)
for number in range({_COMPILATIONS}):
    jax.jit(lambda x, number=number: x + number)(x)
"""


class Cost(NamedTuple):
    """What a process took.

    Attributes:
        processor: seconds of CPU time, of all threads.
        clock: seconds that passed.
        memory: the peak of its memory, in MiB.
    """

    processor: float
    clock: float
    memory: float


def cost(command: list[str]) -> Cost:
    """Runs a command to its end.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss / 1024)


def compare(program: list[str], rounds: int, python: str, file: Path) -> None:
    """Prints the costs of each pair of runs, and the medians of their ratios."""
    command = [str(Path(sys.executable).with_name("jaxtyped-static")), "run", "--quiet", "--python", python]
    pairs = []
    for _ in range(rounds):
        pairs.append((cost([*command, "--file", str(file), *program]), cost([python, *program])))
        for name, one in zip(("recorded", "as it is"), pairs[-1], strict=True):
            print(
                f"{name}   {one.processor:7.1f} s of CPU time   {one.clock:7.1f} s   {one.memory:6.0f} MiB", flush=True
            )
    for place, name in enumerate(("CPU time", "clock", "memory")):
        ratios = sorted(recorded[place] / plain[place] for recorded, plain in pairs)
        print(f"{name:10}{statistics.median(ratios):.3f}   ({ratios[0]:.3f} to {ratios[-1]:.3f})")
    print(f"the file has {file.stat().st_size / 1e6:.2f} MB")


def main() -> None:
    """Runs a program both ways."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="pairs of runs (default: 3)")
    parser.add_argument("--python", default=sys.executable, help="runs the program (default: this one)")
    parser.add_argument("program", nargs=argparse.REMAINDER, help="a program and its arguments")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        long = Path(folder) / "long.py"
        long.write_text(_LONG)
        compare(options.program or [str(long)], options.rounds, options.python, Path(folder) / "run.jsonl")


if __name__ == "__main__":
    main()
