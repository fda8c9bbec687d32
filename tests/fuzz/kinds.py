"""A kind of case of the fuzzer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar


class Case(Protocol):
    @property
    def name(self) -> str:
        """The name with which the command runs this case alone: `grid-0-17` is the 18th of seed 0."""


@dataclass(frozen=True)
class Failure:
    """One failure."""

    case: str  # its name
    cause: str  # one line, the same for all failures that one fix would end: `crash: AssertionError at typeanal.py:812`
    details: str  # what was printed
    files: Mapping[str, str]  # the files that reproduce it, by path


CaseT = TypeVar("CaseT", bound=Case)


@dataclass(frozen=True)
class Kind(Generic[CaseT]):
    """See `tests.fuzz` for what the functions have to do."""

    about: str
    cases: Callable[[int], Iterator[CaseT]]
    run: Callable[[Sequence[CaseT], Path], Iterator[Failure]]
    smallest: Callable[[Failure, Path], Failure]
    together: int  # cases per call of `run`
    in_tests: int = 0  # cases that the tests run; 0: as many as `together`
