"""Answers that the plugin keeps between two calls of its hooks, and the one place where they are forgotten.

mypy (2.4.1) gives hooks nothing that lives as long as a run, so answers live as long as the process. Its daemon changes
files and classes in place: so all is forgotten when a file is parsed, when a class is analysed that an answer depends
on, and when other registrations come into sight.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final, ParamSpec, TypeVar, cast

P = ParamSpec("P")
AnswerT = TypeVar("AnswerT")

_FORGET: Final[list[Callable[[], None]]] = []  # one for each decorated function
_FORGET_FILE: Final[list[Callable[[], None]]] = []  # those of functions whose answers only one file needs
_NAMES: Final[set[str]] = set()  # full names of the classes and aliases that answers depend on


def once_per_run(compute: Callable[P, AnswerT]) -> Callable[P, AnswerT]:
    """Decorates a function of hashable arguments: keeps each answer until all are forgotten.

    A function without parameters that returns a new table is a table that is emptied then.
    """
    return _kept(compute, None)


def until_next_file(compute: Callable[P, AnswerT]) -> Callable[P, AnswerT]:
    """Decorates such a function of the nodes of a file: keeps the answers until mypy begins to check another file.

    mypy lets go of the tree of a file that it has checked, which an answer would keep alive.
    """
    kept = once_per_run(compute)
    _FORGET_FILE.append(_FORGET[-1])
    return kept


def keep_last(compute: Callable[P, AnswerT]) -> Callable[P, AnswerT]:
    """Decorates a function that is asked many times in a row for the same arguments: keeps the last answer only."""
    return _kept(compute, 1)


def _kept(compute: Callable[P, AnswerT], number: int | None) -> Callable[P, AnswerT]:
    kept = lru_cache(number)(compute)
    _FORGET.append(kept.cache_clear)
    return cast("Callable[P, AnswerT]", kept)  # typeshed gives it any hashable arguments


def depend_on(fullnames: Iterable[str]) -> None:
    """Notes classes and aliases that an answer which is being kept depends on."""
    _NAMES.update(fullnames)


def forget(fullname: str) -> None:
    """Called when a class is analysed: forgets all answers if one of them depends on it."""
    if fullname in _NAMES:
        clear()


def begin_file() -> None:
    """Called when mypy begins to check a file: forgets the answers about the nodes of others."""
    for forget_answers in _FORGET_FILE:
        forget_answers()


def clear() -> None:
    """Forgets all answers."""
    _NAMES.clear()
    for forget_answers in _FORGET:
        forget_answers()
