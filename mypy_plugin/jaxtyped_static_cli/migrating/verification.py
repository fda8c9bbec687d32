"""Compares what the checker reads of each function before and after its migration.

The checker reads a program without running it, and by other means than the migration: it resolves names as mypy does,
across modules, and knows nothing of what was changed.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import libcst as cst

from ..editing.documents import Document
from ..editing.names import Names
from .applications import find_applications
from .planning import Migrated
from .reading import Reading, Site


class Versions(NamedTuple):
    """A file before and after."""

    path: Path
    shown: str  # the path as mypy's errors name it
    old: Document
    new: Document


def unverified(
    functions: Iterable[Migrated], before: Reading, after: Reading, file: Versions
) -> Iterator[tuple[Migrated, str, str]]:
    """Yields the functions that the checker reads differently, or newly reports, with the reason and what differs."""
    lines = _lines(file.new)
    known = Counter(_reported(before, file.shown, file.old))
    new = [error for error in _reported(after, file.shown, file.new) if known[error] < 1 or known.subtract([error])]
    for function in functions:
        was = [site for place in function.sites for site in before.sites.get((file.path, *place), ())]
        name = function.name.rpartition(".")[2]
        places = lines.get(function.number, [])
        now = [site for line in places for site in after.sites.get((file.path, line, name), ())]
        if function.below and not all(site.shows_parameters for site in (*was, *now)):
            yield function, "decorated", function.below
            continue
        problem = _difference(function, was, now, len(places))
        codes = [code for code, number, text in new if number == function.number or re.search(rf"\b{name}\b", text)]
        if problem or codes:
            yield function, "unverified", problem or f"afterwards it reports {codes[0]}"


def _difference(function: Migrated, was: list[Site], now: list[Site], count: int) -> str:
    """In words, what is not as it was; empty if nothing."""
    if count != len(function.sites) or len(now) < count:
        return "it cannot be seen afterwards"
    for site in [*was, *now]:
        if site.unread:
            return site.unread
        if site.static != frozenset(function.read_as):
            return f"static {_listed(function.read_as)} became {_listed(site.static)}"
    for site in now:
        if both := site.static & site.donated:
            return f"jit refuses to donate what is static: {_listed(both)}"  # JAX drops some donations instead
    for kind in ("dynamic", "donated") if was else ():
        before, after = ({getattr(site, kind) for site in sites} for sites in (was, now))
        if before != after:
            return f"{kind} {_listed(*before)} became {_listed(*after)}"
    return ""


def _lines(document: Document) -> dict[int, list[int]]:
    """By the number of each function, the lines in which it is compiled."""
    found, _ = find_applications(document, Names(document))
    indices = {function: index for index, function in enumerate(document.all(cst.FunctionDef))}
    lines: dict[int, list[int]] = {}
    for application in found:
        lines.setdefault(indices[application.function], []).append(application.line)
    return lines


def _reported(reading: Reading, path: str, document: Document) -> Iterator[tuple[str, int, str]]:
    """What the rules report in a file: the code, and the number of the function or else the source of the line."""
    numbers = {function: number for number, function in enumerate(document.all(cst.FunctionDef))}
    lines = document.text.splitlines()
    for diagnostic in reading.outcome.diagnostics:
        if diagnostic.is_ours and diagnostic.span.path == path:
            function = document.around(document.place(diagnostic.span.line, diagnostic.span.column), cst.FunctionDef)
            yield (
                (diagnostic.code, -1, lines[diagnostic.span.line - 1])
                if function is None
                else (diagnostic.code, numbers[function], "")
            )


def _listed(*names: Iterable[str]) -> str:
    return " or ".join(", ".join(sorted(together)) or "nothing" for together in names)
