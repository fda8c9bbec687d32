"""What a program pays once: importing the package on top of JAX, and decorating a function.

The import is measured in CPU time, each in a new process, with existing byte code. Decorating is compared with
`jax.jit` of the same functions with the list written out; the two take turns.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import jax

import jaxtyped_static

IMPORT = """\
import time, jax.numpy
start = time.process_time()
import jaxtyped_static
print(time.process_time() - start)
"""
FUNCTION = """
def step{number}(x: jax.Array, n: Static[int], rate: float) -> jax.Array:
    return x * n * rate
"""
TOGETHER = 40


def import_time() -> float:
    """Returns the CPU milliseconds of an import, in its own process."""
    done = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True)
    return 1000 * float(done.stdout)


def functions(count: int) -> list[Callable[..., Any]]:
    """Returns this many functions of one file, because `jit` looks at the contents of their module."""
    source = "import jax\nfrom jaxtyped_static import Static\n"
    source += "".join(FUNCTION.format(number=number) for number in range(count))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "steps.py")
        path.write_text(source)
        module = ModuleType("steps")
        exec(compile(source, str(path), "exec"), vars(module))
    return [getattr(module, f"step{number}") for number in range(count)]


def decorating(rounds: int) -> tuple[float, float]:
    """Returns the median microseconds per function, ours and JAX's."""
    ours: list[float] = []
    theirs: list[float] = []
    steps = functions(TOGETHER * rounds)
    for first in range(0, len(steps), TOGETHER):
        some = steps[first : first + TOGETHER]
        start = time.thread_time()
        for step in some:
            jax.jit(step, static_argnames="n")
        middle = time.thread_time()
        for step in some:
            jaxtyped_static.jit(step)
        theirs.append(middle - start)
        ours.append(time.thread_time() - middle)
    return statistics.median(ours) / TOGETHER * 1e6, statistics.median(theirs) / TOGETHER * 1e6


def main() -> None:
    """Prints times and a ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20, help="of each (default: %(default)s)")
    rounds = parser.parse_args().rounds
    import_time()  # compiles
    imports = [import_time() for _ in range(rounds)]
    print(f"import above jax  {statistics.median(imports):.0f} ms   ({min(imports):.0f} to {max(imports):.0f})")
    ours, theirs = decorating(rounds)
    print(f"decorating        x{ours / theirs:.2f}   ({ours:.0f} us over {theirs:.0f} us)")


if __name__ == "__main__":
    main()
