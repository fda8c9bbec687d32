"""`make matrix`: runs a part of the tests with every supported release of Python, mypy and JAX, for the README's table.

The checker must report what the pages of `docs` mark, in programs that need no library but JAX. The runtime must pass
the tests that depend on JAX most.

python -m tests.matrix           # every row of the table
python -m tests.matrix 0.5 0.12  # those of some releases of JAX
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.e2e.environments import run
from tests.processes import ROOT
from tests.rules.cases import Program, load_programs
from tests.rules.modes import COLD

_FOLDER: Final = ROOT / ".cache" / "matrix"
_TESTS: Final = ("pytest", "pytest-xdist", "hypothesis", "psutil", "attrs", "immutabledict", "jaxtyping", "pydantic")
_NEEDED_BY_TESTS: Final = ("flatbuffers",)  # `jax.export`
_PAGES: Final = "docs/"
_OTHER_LIBRARY: Final = re.compile(
    r"^\s*(?:import|from) (?:chex|equinox|flax|jax_dataclasses|optax|penzai|simple_pytree)\b", re.MULTILINE
)
_RUNTIME: Final = (
    *("annotations", "assert_max_traces", "callables", "calls", "dynamic_dataclass_jit", "guard", "guard_held"),
    *("no_compilation", "options", "record", "recorded_kinds", "refusals", "signatures"),
    *("static_dataclass_jit", "views"),
)
_COUNT: Final = re.compile(r"(\d+) (passed|skipped|failed|errors?)\b")


class Row(NamedTuple):
    """One environment. The releases are minor ones; each stands for its last patch."""

    python: str
    mypy: str
    jax: str


# Each release appears at least once, in few rows. JAX from 0.11 on needs Python 3.12.
ROWS: Final = (
    Row("3.11", "2.0", "0.5"),
    Row("3.12", "2.1", "0.6"),
    Row("3.13", "2.2", "0.7"),
    Row("3.11", "2.3", "0.8"),
    Row("3.12", "2.4", "0.9"),
    Row("3.11", "2.4", "0.10"),
    Row("3.12", "2.0", "0.11"),
    Row("3.13", "2.4", "0.12"),
    Row("3.14", "2.4", "0.12"),
)


class Unavailable(Exception):
    """This machine does not have such a Python, and cannot fetch it."""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jax", nargs="*", metavar="JAX", help="only the rows of these releases of JAX (default: all)")
    wanted = parser.parse_args(arguments).jax
    if unknown := set(wanted) - {row.jax for row in ROWS}:
        parser.error(f"no row has JAX {', '.join(sorted(unknown))}")
    if shutil.which("uv") is None:
        parser.error("uv is needed: https://docs.astral.sh/uv/")
    print("| Python | mypy | JAX | checker | runtime |\n|---|---|---|---|---|", flush=True)
    failed = [row for row in ROWS if row.jax in (wanted or row.jax) and not _report(row)]
    return int(bool(failed))


def _report(row: Row) -> bool:
    """Prints a row of the table; returns whether nothing failed in it."""
    try:
        python = _environment(row)
    except Unavailable as why:
        print(f"left out: Python {row.python}: {why}", file=sys.stderr, flush=True)
        return True
    versions = [row.python, *(_version(python, package) for package in ("mypy", "jax"))]
    results = [_tested(python, _checker_tests()), _tested(python, _runtime_tests())]
    print(f"| {' | '.join([*versions, *results])} |", flush=True)
    return not any("failed" in result for result in results)


def _environment(row: Row) -> Path:
    """Returns its interpreter. Raises `Unavailable`."""
    folder = _FOLDER / f"python{row.python}-mypy{row.mypy}-jax{row.jax}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    venv = ("uv", "venv", "--quiet", "--no-project", "--allow-existing", "--python", row.python)
    made = run(*venv, folder, cwd=ROOT, check=False)
    if made.returncode:
        raise Unavailable(made.stderr.strip().partition("\n")[0])
    python = folder / "bin" / "python"
    releases = [f"mypy=={row.mypy}.*", f"jax=={row.jax}.*"]
    install = ("uv", "pip", "install", "--quiet", "--upgrade", "--python", python)
    run(*install, "-e", f"{ROOT}[mypy]", *releases, *_TESTS, *_NEEDED_BY_TESTS, cwd=ROOT)
    return python


def _version(python: Path, package: str) -> str:
    program = f"import importlib.metadata; print(importlib.metadata.version({package!r}))"
    return run(python, "-c", program, cwd=ROOT).stdout.strip()


def _checker_tests() -> Iterator[str]:
    for program in load_programs():
        if program.is_checked and program.id.startswith(_PAGES) and not _needs_library(program):
            yield f"tests/rules/test_rules.py::test_the_checker_says_what_the_case_marks[{program.id}-{COLD}]"


def _needs_library(program: Program) -> bool:
    return any(_OTHER_LIBRARY.search(module.text) for state in program.states for module in state.values())


def _runtime_tests() -> Iterator[str]:
    return (f"tests/runtime/test_{name}.py" for name in _RUNTIME)


def _tested(python: Path, tests: Iterator[str]) -> str:
    """Returns a cell of the table. Failures are printed separately."""
    done = run(python, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", *tests, cwd=ROOT, check=False)
    summary = done.stdout.rstrip().rpartition("\n")[2]
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n", file=sys.stderr)
    counts = [f"{number} {'failed' if what.startswith('error') else what}" for number, what in _COUNT.findall(summary)]
    return ", ".join(counts) or "failed"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
