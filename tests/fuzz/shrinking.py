"""Shrinks a failing program: delta debugging over its files and lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from tests.fuzz.checking import SURROUNDINGS, Checker, Program
from tests.fuzz.kinds import Failure
from tests.fuzz.oracle import problems
from tests.fuzz.parsing import parses

T = TypeVar("T")


def fewest(items: Sequence[T], fails: Callable[[Sequence[T]], bool]) -> list[T]:
    """Returns a minimal subset of the items, in order (Zeller's ddmin, with complements only)."""
    kept, pieces = list(items), 2
    while kept:
        size = -(-len(kept) // pieces)
        starts = range(0, len(kept), size)
        smaller = next((rest for start in starts if fails(rest := kept[:start] + kept[start + size :])), None)
        if smaller is not None:
            kept, pieces = smaller, max(pieces - 1, 2)
        elif size == 1:
            break
        else:
            pieces = min(pieces * 2, len(kept))
    return kept


def smaller_program(failure: Failure, checker: Checker, *, hides_nothing: bool = False) -> Failure:
    """Returns the same failure in the smallest program found."""
    must_parse = all(map(parses, failure.files.values()))

    def fails(program: Program) -> bool:
        if not program or (must_parse and not all(map(parses, program.values()))):
            return False
        return any(one.cause == failure.cause for one in problems([program], checker, hides_nothing=hides_nothing))

    program = dict(failure.files)
    if not fails(program):
        return replace(failure, files={**program, **SURROUNDINGS})  # includes the programs beside it
    paths = fewest(list(program), lambda some: fails({path: program[path] for path in some}))
    program = {path: program[path] for path in paths}
    for path in paths:
        program[path] = _smallest_text(path, program, fails)
    return replace(failure, files={**program, **SURROUNDINGS})


def _smallest_text(path: str, program: Program, fails: Callable[[Program], bool]) -> str:
    lines = program[path].splitlines(keepends=True)
    return "".join(fewest(lines, lambda some: fails({**program, path: "".join(some)})))
