"""Kinds of compilations as small programs, and what `record` must say of each; JAX's own events are the truth.

A program is text. What is above its line `# recorded:` runs first; what is below runs in `record()`. A mark at the end
of a line says what is prepared when that line asks, in order: `#: first f`, `#: again f <- a piece of the reason`.

    first, again, traced    of a function of the program, by its name there (`Model.step`) or its label
    operation               outside of jit; its name is a regular expression
    operations              any number of operations, but at least one
    several                 at least one program of a function, and as many as JAX compiles
    maybe traced            may be there or not
    is                      not a preparation: labels the function that the line defines

`x3` after a name means three of the same; `{>=0.9}` at the end limits a mark to releases of JAX. A function that no
line of the program defines is written with a star: `*apply`.

Run as a program: `python tests/runtime/recorded_kinds.py [NAME...]`; with `--unrecorded`, only JAX's own truth is held
against the marks.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=4"

from tests.runtime.kinds_of_compilations import (
    ahead_of_time,
    arguments,
    callers,
    devices,
    functions,
    libraries,
    loops,
    memory,
    odd_static_arguments,
    outside_of_jit,
    settings,
    static_arguments,
    structures,
    transformed,
    while_traced,
)
from tests.runtime.kinds_of_compilations.kind import Kind, applies
from tests.runtime.kinds_of_compilations.running import failures_of

KINDS: tuple[Kind, ...] = (
    *arguments.KINDS,
    *structures.KINDS,
    *static_arguments.KINDS,
    *odd_static_arguments.KINDS,
    *functions.KINDS,
    *callers.KINDS,
    *transformed.KINDS,
    *while_traced.KINDS,
    *outside_of_jit.KINDS,
    *loops.KINDS,
    *settings.KINDS,
    *devices.KINDS,
    *ahead_of_time.KINDS,
    *libraries.KINDS,
    *memory.KINDS,
)


class Counts(NamedTuple):
    """How many kinds were run, and what became of them."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0


def is_possible(kind: Kind) -> bool:
    """Returns whether this environment has what a kind needs."""
    return applies(kind.releases) and all(importlib.util.find_spec(library) for library in kind.libraries)


def run_all(names: Sequence[str], *, recorded: bool) -> Iterator[tuple[Kind, list[str] | None]]:
    """Runs the kinds with these names, or all; None for one that is not possible here."""
    for kind in KINDS:
        if not names or kind.name in names:
            yield kind, failures_of(kind, recorded=recorded) if is_possible(kind) else None


def main(arguments_given: Sequence[str]) -> int:
    """Prints each failure, and a count."""
    names = [name for name in arguments_given if name != "--unrecorded"]
    unknown = set(names) - {kind.name for kind in KINDS}
    if unknown:
        print(f"no such kind: {', '.join(sorted(unknown))}")
        return 2
    passed = failed = skipped = 0
    for kind, failures in run_all(names, recorded="--unrecorded" not in arguments_given):
        passed += failures == []
        failed += bool(failures)
        skipped += failures is None
        for failure in failures or ():
            print(f"{kind.name}: {failure}", flush=True)
    print(f"{passed} passed, {failed} failed, {skipped} not possible here")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
