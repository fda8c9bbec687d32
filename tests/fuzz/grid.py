"""Every special form of `typing` and `typing_extensions`, around a marker and inside one, wherever a type can stand.

Plain mypy reads a marker as an alias. So there is one more requirement here: no error of plain mypy may be hidden.
"""

from __future__ import annotations

import random
import typing
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count, product
from pathlib import Path
from types import ModuleType

import typing_extensions

from tests.fuzz.checking import checker_in
from tests.fuzz.kinds import Failure
from tests.fuzz.oracle import problems
from tests.fuzz.shrinking import smaller_program
from tests.fuzz.vocabulary import IMPORTS_AND_TYPES, ODDITIES, POSITIONS, SPELLINGS, WRAPPINGS


@dataclass(frozen=True)
class Case:
    name: str
    type: str

    def program(self) -> dict[str, str]:
        """Returns a program with one type in each position."""
        positions = (
            position.format(t=self.type, q=repr(self.type), n=number) for number, position in enumerate(POSITIONS)
        )
        return {"main.py": "\n".join([IMPORTS_AND_TYPES, *positions, ""])}


@cache
def types() -> list[str]:
    """Returns every form, in every spelling, in every wrapping."""
    names = [
        *_names("typing", typing),
        *_names("typing_extensions", typing_extensions),
        *("dataclasses.InitVar", "type", "tuple"),
        *(f"oddities.{name}" for name in ODDITIES),
    ]
    return [wrapping.format(spelling.format(name)) for name, spelling, wrapping in product(names, SPELLINGS, WRAPPINGS)]


def _names(prefix: str, module: ModuleType) -> list[str]:
    """Returns the names that a module exports; for `typing_extensions`, without those from `typing`."""
    return [
        f"{prefix}.{name}"
        for name in sorted(module.__all__)
        if module is typing or getattr(typing, name, None) is not getattr(module, name)
    ]


def cases(seed: int) -> Iterator[Case]:
    chosen = random.Random(seed)
    for number in count():
        yield Case(f"grid-{seed}-{number}", chosen.choice(types()))


def run(cases: Sequence[Case], folder: Path) -> Iterator[Failure]:
    programs = [case.program() for case in cases]
    for problem in problems(programs, checker_in(folder), hides_nothing=True):
        yield Failure(cases[problem.number].name, problem.cause, problem.details, programs[problem.number])


def smallest(failure: Failure, folder: Path) -> Failure:
    return smaller_program(failure, checker_in(folder), hides_nothing=True)
