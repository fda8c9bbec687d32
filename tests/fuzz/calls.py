"""Calls every function and class that the checker knows by name with odd arguments, wherever a call can stand."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

from jaxtyped_static_mypy import libraries
from jaxtyped_static_mypy.knowledge import full_names as names
from jaxtyped_static_mypy.knowledge.jax_functions import JAX_FUNCTIONS
from tests.fuzz.checking import Program, checker_in
from tests.fuzz.kinds import Failure
from tests.fuzz.oracle import problems
from tests.fuzz.parsing import compiles
from tests.fuzz.shrinking import smaller_program
from tests.fuzz.vocabulary import ARGUMENTS, IMPORTS_AND_OBJECTS, ODDITIES, USES

_TABLES: Final = (
    *(libraries.JIT_FUNCTIONS, libraries.FUNCTIONS, libraries.KEY_TYPES, names.CACHES),
    *(libraries.PYTREE_DECORATORS, libraries.PYTREE_BASES, libraries.STATIC_DECORATORS, libraries.STATIC_SPECIFIERS),
)
# Modules of jax that are part of its public API; names of other modules are taken from `jax` itself.
_PUBLIC: Final = ("image", "lax", "nn", "numpy", "ops", "random")


@dataclass(frozen=True)
class Case:
    name: str
    called: str
    arguments: str

    def program(self) -> Program:
        """Returns a program with all uses for which the arguments are not a syntax error."""
        module, _, name = self.called.rpartition(".")
        uses = (use.replace("{a}", self.arguments).replace("{n}", str(number)) for number, use in enumerate(USES))
        opening = [IMPORTS_AND_OBJECTS, f"from {module} import {name} as named"]
        return {"main.py": "\n".join([*opening, *filter(compiles, uses), ""])}


@cache
def known_names() -> list[str]:
    """Returns full names, each in a module that it can be imported from."""
    found = {name for table in _TABLES for name in table} | {f"oddities.{name}" for name in ODDITIES}
    return sorted(found | {_public(name) for name in JAX_FUNCTIONS})


def _public(name: str) -> str:
    area, _, short = name.partition(".")
    return f"jax.{name}" if area in _PUBLIC else f"jax.{short}"


def cases(seed: int) -> Iterator[Case]:
    chance = random.Random(seed)
    for number in count():
        yield Case(f"calls-{seed}-{number}", chance.choice(known_names()), chance.choice(ARGUMENTS))


def run(cases: Sequence[Case], folder: Path) -> Iterator[Failure]:
    programs = [case.program() for case in cases]
    for problem in problems(programs, checker_in(folder)):
        yield Failure(cases[problem.number].name, problem.cause, problem.details, programs[problem.number])


def smallest(failure: Failure, folder: Path) -> Failure:
    return smaller_program(failure, checker_in(folder))
