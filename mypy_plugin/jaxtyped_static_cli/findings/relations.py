"""Where relations lead: of modules that import others, classes that derive from others, names that stand for others."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

T = TypeVar("T", bound=Hashable)
S = TypeVar("S", bound=Hashable)


def inverted(leading: Mapping[T, Iterable[S]]) -> Mapping[S, set[T]]:
    """What leads to each."""
    found = defaultdict[S, set[T]](set)
    for one, others in leading.items():
        for other in others:
            found[other].add(one)
    return found


def reached(start: Iterable[T], leading: Callable[[T], Iterable[T]]) -> frozenset[T]:
    """Some, all that they lead to, and so on."""
    found, pending = set(start), list(start)
    while pending:
        more = set(leading(pending.pop())) - found
        found |= more
        pending += more
    return frozenset(found)


def steps_of(leading: Mapping[T, Iterable[T]]) -> Callable[[T], Iterable[T]]:
    """Where each leads by itself; nowhere if it is not mentioned."""
    return lambda one: leading.get(one, ())
