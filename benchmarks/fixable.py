"""How the time that `check` takes to find out what can be fixed grows with a program.

    python -m benchmarks.fixable                   # about two minutes
    python -m benchmarks.fixable --lines 50000

Every 20 lines of the program have one finding, of ten kinds in turn. It is one file, or has 50 findings in each. The
CPU time of the check without it is the unit of the ratio. The growth is an exponent: 1 is linear, 2 quadratic.
"""

from __future__ import annotations

import argparse
import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

EXPONENT_AIM: Final = 1.2
LINES: Final = 20  # for each finding
_IN_A_FILE: Final = 50  # findings, if there are several files
_LIGHT: Final = Path(__file__).parent.parent / "tests/plugin/light"

HEAD: Final = """\
import functools
from dataclasses import dataclass, field

import jax
import jax.numpy as jnp
from jaxtyped_static import Static, jit
"""
# One finding each. NNN is the number of the block.
BLOCKS: Final = (
    """
@dataclass
class SolverNNN:
    dtNNN: float
    stepsNNN: int = 1

    def half(self) -> float:
        return self.dtNNN / 2


@jit
def solveNNN(x: jax.Array, solver: Static[SolverNNN]) -> jax.Array:
    return x
""",
    """
@jit
def listNNN(x: jax.Array, sizes: Static[list[int]]) -> jax.Array:
    return x
""",
    """
@dataclass(frozen=True)
class GridNNN:
    cellsNNN: list[int]


@jit
def gridNNN(x: jax.Array, grid: Static[GridNNN]) -> jax.Array:
    return x


def readNNN(grid: GridNNN) -> int:
    return len(grid.cellsNNN) + grid.cellsNNN[0]
""",
    """
@jit
def markedNNN(x: jax.Array, n: Static[int] | None) -> jax.Array:
    return x
""",
    """
@functools.partial(jax.jit, static_argnames=("missing",))
def namedNNN(x: jax.Array, n: int) -> jax.Array:
    return x
""",
    """
@dataclass(frozen=True, eq=False)
class MeshNNN:
    n: int


@jit
def meshNNN(x: jax.Array, mesh: Static[MeshNNN]) -> jax.Array:
    return x
""",
    """
@jit
def branchNNN(x: jax.Array) -> jax.Array:
    if x > NNN:
        return x
    return -x
""",
    """
def loopNNN(x: jax.Array) -> None:
    for i in range(3):
        jit(lambda y: y + NNN)(x)
""",
    """
@dataclass(frozen=True)
class RuleNNN:
    n: int
    scaleNNN: float = field(default=1.0, compare=False)


@jit
def ruleNNN(x: jax.Array, rule: Static[RuleNNN]) -> jax.Array:
    return x
""",
    """
@dataclass(frozen=True)
class DataNNN:
    y: jax.Array


@jit
def dataNNN(x: jax.Array, data: DataNNN) -> jax.Array:
    return x
""",
)


def blocks(first: int, last: int) -> Iterator[str]:
    """Returns the parts of a program, each of twenty lines."""
    for number in range(first, last):
        text = BLOCKS[number % len(BLOCKS)].replace("NNN", str(number))
        rest = LINES - text.count("\n")
        yield text + "\n\n" + "".join(f"value_{number}_{line} = {line}\n" for line in range(rest - 2))


def write_program(folder: Path, findings: int, step: int) -> None:
    """Writes a project with this many findings, `step` of them in each file."""
    (folder / "pyproject.toml").write_text(f'[tool.mypy]\nmypy_path = ["{_LIGHT}"]\n')
    for first in range(0, findings, step):
        (folder / f"part{first}.py").write_text(HEAD + "".join(blocks(first, min(first + step, findings))))


def measure(folder: Path, *arguments: str) -> tuple[int, float, float]:
    """Returns the number of findings, and the CPU seconds of the check and of finding out what can be fixed.

    `arguments`: of the command.
    """
    # Imported here, because only the processes that measure need the command.
    from jaxtyped_static_cli.commands import check
    from jaxtyped_static_cli.editing.permission import permission
    from jaxtyped_static_cli.findings.causes import find_causes
    from jaxtyped_static_cli.fixes.running import find_fixes
    from jaxtyped_static_cli.project.interpreter import find_interpreter
    from jaxtyped_static_cli.project.roots import find_project

    parser = argparse.ArgumentParser()
    check.add_arguments(parser)
    options = parser.parse_args([str(folder), "--no-shared-cache", *arguments])
    project = find_project([folder])
    start = time.process_time()
    _, outcome, _ = check.check_project(project, find_interpreter(sys.executable, folder), options, strict=False)
    found = find_causes(outcome.checked, project.root)
    checked = time.process_time()
    fixes = find_fixes(outcome, found, project, permission(project.root, []))
    assert len(fixes) > 0.5 * len(found) > 0, (len(fixes), len(found))
    return len(found), checked - start, time.process_time() - checked


def measured(lines: int, *, in_files: bool) -> tuple[int, float, float]:
    """Measures in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="fixable-") as folder:
        findings = lines // LINES
        write_program(Path(folder), findings, _IN_A_FILE if in_files else findings)
        command = [sys.executable, "-m", "benchmarks.fixable", "--measure", folder]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found, check, fixable = said.split()[-3:]
    return int(found), float(check), float(fixable)


def report(name: str, sizes: list[int], *, in_files: bool) -> bool:
    """Prints the growth; returns whether the aims are met."""
    seconds: list[float] = []
    for lines in sizes:
        found, check, fixable = measured(lines, in_files=in_files)
        seconds.append(fixable)
        shown = f"{lines:>6} lines {found:>5} findings: check {check:>6.2f} s, fixable x{fixable / check:.2f}"
        print(f"{name:<12} {shown}", flush=True)
    logarithms = ([math.log(value) for value in values] for values in (sizes, seconds))
    exponent = statistics.linear_regression(*logarithms).slope
    print(f"{name:<12} exponent {exponent:.2f}", flush=True)
    return exponent <= EXPONENT_AIM


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=40_000, help="of the largest program (default: %(default)s)")
    parser.add_argument("--measure", type=Path, metavar="FOLDER", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        print(*measure(arguments.measure))
        return 0
    sizes = [arguments.lines // part for part in (8, 4, 2, 1)]
    met = [report("one file", sizes, in_files=False), report("many files", sizes, in_files=True)]
    print(f"aim: an exponent of at most {EXPONENT_AIM}")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
