"""Joins the censuses of the programs that the files of a project form."""

from collections.abc import Iterable
from typing import TypeVar

from .model import Census, Class, Function

_T = TypeVar("_T")
Part = tuple[Iterable[Function], Iterable[Class]]


def together(files: int, parts: Iterable[Part]) -> Census:
    """A file that belongs to several programs may be used differently in each."""
    functions: dict[str, Function] = {}
    classes: dict[str, Class] = {}
    for found, described in parts:
        for function in found:
            known = functions.setdefault(function.id, function)
            functions[function.id] = known._replace(calls=_union(known.calls, function.calls))
        for cls in described:
            other = classes.setdefault(cls.id, cls)
            reasons = _union(other.reasons, cls.reasons)
            classes[cls.id] = other._replace(uses=_union(other.uses, cls.uses), reasons=reasons)
    return Census(
        files,
        tuple(sorted(functions.values(), key=lambda compiled: (compiled.place, compiled.name))),
        tuple(sorted(classes.values(), key=lambda cls: (cls.place, cls.name))),
    )


def _union(first: Iterable[_T], second: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys((*first, *second)))
