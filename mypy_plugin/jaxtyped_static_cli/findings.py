"""Findings: one for each cause. A class that breaks the contract in twenty positions is one of them.

mypy's cache keeps the text of an error and nothing else, so the class at fault is read from the note that names it.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from jaxtyped_static_mypy.knowledge.full_names import INSTALLED
from jaxtyped_static_mypy.reporting.reading import Declaration, Said, read_declaration, read_error

from . import sources
from .diagnostics import Diagnostic, Span
from .runs import Checked

# A class that holds arrays is right as it is: what is wrong is each place that makes it static.
_CAUSED_BY_POSITION: Final = frozenset({"static-dynamic"})
_QUOTED = re.compile(r'"([^"]+)"')


class Position(NamedTuple):
    """A place that a cause affects, and what is there: `Static argument "x": Outer.inner`."""

    span: Span
    scope: str  # the function or class around it
    description: str


class Finding(NamedTuple):
    """A cause: what is wrong, where to change it, and the positions that need it to be right."""

    code: str
    problem: str
    advice: str
    span: Span
    subject: str  # names the cause, whatever its line: a class, or a function and what the message names in it
    positions: tuple[Position, ...]  # empty if only the place itself is affected
    notes: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str, str]:
        """Identifies the finding after edits elsewhere in its file."""
        return self.span.path, self.code, self.subject

    @property
    def message(self) -> str:
        return f"{self.problem}; {self.advice}" if self.advice else self.problem


class _Class(NamedTuple):
    """The class that is the cause of an error, as its note names it."""

    name: str
    path: Path
    line: int | None


class _Effect(NamedTuple):
    """A diagnostic, read."""

    diagnostic: Diagnostic
    said: Said
    culprit: _Class | None

    @property
    def cause(self) -> tuple[object, ...]:
        """Equal for effects of one cause. The advice may depend on the position."""
        one, said = self.diagnostic, self.said
        if self.culprit is not None:
            return one.code, self.culprit.path, self.culprit.name, said.problem
        if said.path:
            return one.code, one.span.path, said.path, said.problem
        return one.code, one.span, said


def find_causes(checked: Checked, root: Path) -> list[Finding]:
    """Groups what the rules report by its cause."""
    causes: dict[tuple[object, ...], list[_Effect]] = {}
    for effect in _read([one for one in checked.diagnostics if one.is_ours], root, checked.modules):
        causes.setdefault(effect.cause, []).append(effect)
    names = {path: name for name, path in checked.modules.items()}
    return [_finding(effects, root, names) for effects in causes.values()]


def _read(diagnostics: list[Diagnostic], root: Path, modules: Mapping[str, Path]) -> Iterator[_Effect]:
    """Errors at one place share their notes: mypy prints a note only once, even if it belongs to several of them."""
    declared: dict[Span, list[Declaration]] = {}
    for one in diagnostics:
        declared.setdefault(one.span, []).extend(filter(None, map(read_declaration, one.notes)))
    for one in diagnostics:
        said = read_error(one.message)
        fitting = (place for place in declared[one.span] if re.search(rf"\b{_last(place.name)}\b", said.problem))
        is_of_class = bool(said.position) and one.code not in _CAUSED_BY_POSITION
        place = next(fitting, None) if is_of_class else None
        yield _Effect(one, said, _culprit(place, root / one.span.path, modules) if place is not None else None)


def _culprit(place: Declaration, file: Path, modules: Mapping[str, Path]) -> _Class | None:
    path = modules.get(place.module) if place.module is not None else file
    return _Class(place.name, path, place.line) if path is not None else None


def _finding(effects: list[_Effect], root: Path, names: Mapping[Path, str]) -> Finding:
    first = effects[0]
    one, said, culprit = first
    at_class = _span_of(culprit, root)
    positions = tuple(_position(effect, root) for effect in effects if effect.said.position)
    notes = dict.fromkeys(note for effect in effects for note in effect.diagnostic.notes)
    if at_class is not None:
        notes = {note: None for note in notes if read_declaration(note) is None}
    subject = _subject(first, root, names)
    return Finding(one.code, said.problem, said.advice, at_class or one.span, subject, positions, tuple(notes))


def _position(effect: _Effect, root: Path) -> Position:
    span = effect.diagnostic.span
    description = f"{effect.said.position}: {effect.said.path}".removesuffix(": ")
    return Position(span, sources.scope(root / span.path, span.line), description)


def _span_of(culprit: _Class | None, root: Path) -> Span | None:
    """The name of a class in its statement; None for a class of an installed package, which users do not change."""
    if culprit is None or any(folder in str(culprit.path) for folder in INSTALLED):
        return None
    found = sources.class_name(culprit.path, _last(culprit.name), culprit.line)
    if found is None:
        return None
    path = culprit.path.relative_to(root) if culprit.path.is_relative_to(root) else culprit.path
    return Span(str(path), *found)


def _subject(effect: _Effect, root: Path, names: Mapping[Path, str]) -> str:
    if effect.culprit is not None:
        return f"{names.get(effect.culprit.path, effect.culprit.path.stem)}.{effect.culprit.name}"
    if effect.said.path:
        return effect.said.path
    span = effect.diagnostic.span
    named = _QUOTED.findall(effect.said.position) + _QUOTED.findall(effect.said.problem)
    return ": ".join(filter(None, (sources.scope(root / span.path, span.line), ", ".join(dict.fromkeys(named)))))


def _last(name: str) -> str:
    return name.rpartition(".")[2]
