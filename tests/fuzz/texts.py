"""Existing programs with changes: cut off, duplicated, swapped, replaced by garbage."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from tests.fuzz.checking import Program, checker_in
from tests.fuzz.kinds import Failure
from tests.fuzz.mutations import mutated
from tests.fuzz.oracle import problems
from tests.fuzz.parsing import compiles
from tests.fuzz.shrinking import smaller_program
from tests.fuzz.sources import installed_files, own_cases
from tests.fuzz.vocabulary import IMPORTS
from tests.rules import cases as rules
from tests.rules.split import split

_CHANGES: Final = 4  # at most
_TRIES: Final = 8  # attempts to make one that compiles: mypy stops at any other
_APART: Final = 0.3  # the share of programs that are split into two files
_OWN: Final = 0.7  # the share of the project's own cases


@dataclass(frozen=True)
class Case:
    name: str
    program: Program


def cases(seed: int) -> Iterator[Case]:
    for number in count():
        yield Case(f"texts-{seed}-{number}", _program(random.Random(f"{seed}-{number}")))


def _program(chance: random.Random) -> Program:
    source = chance.choice(own_cases() if chance.random() < _OWN else installed_files())
    other = chance.choice(own_cases())
    for _ in range(_TRIES):
        program = dict(source)
        path = chance.choice(sorted(program))
        text = with_imports(program[path])
        for _ in range(chance.randint(1, _CHANGES)):
            text = mutated(text, "".join(other.values()), chance)
        program[path] = text
        if compiles(text):
            return apart(program) if chance.random() < _APART else program
    return program


def apart(program: Program) -> Program:
    """Moves the classes to a second file if possible, because mypy's cache keeps less of them."""
    state = {path: rules.Module(text, (), "") for path, text in program.items()}
    halves = split(rules.Program("", (state,)))
    return {path: module.text for path, module in halves.states[0].items()} if halves is not None else program


def with_imports(text: str) -> str:
    """Adds imports below those from `__future__`, which have to come first."""
    lines = text.splitlines(keepends=True)
    future = [number for number, line in enumerate(lines, 1) if line.startswith("from __future__")]
    at = future[-1] if future else 0
    return "".join([*lines[:at], IMPORTS, *lines[at:]])


def run(cases: Sequence[Case], folder: Path) -> Iterator[Failure]:
    programs = [case.program for case in cases]
    for problem in problems(programs, checker_in(folder)):
        yield Failure(cases[problem.number].name, problem.cause, problem.details, programs[problem.number])


def smallest(failure: Failure, folder: Path) -> Failure:
    return smaller_program(failure, checker_in(folder))
