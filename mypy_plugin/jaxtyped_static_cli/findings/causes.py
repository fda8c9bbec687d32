"""Findings: one for each cause. A class that breaks the contract in twenty positions is one of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from jaxtyped_static_mypy.knowledge.full_names import INSTALLED
from jaxtyped_static_mypy.reporting import finding as data

from ..files import sources
from ..mypy_runs.diagnostics import Diagnostic, Span
from ..mypy_runs.runs import Checked
from .program import ProgramUses

# A class that holds arrays is right as it is: what is wrong is each place that makes it static.
_CAUSED_BY_POSITION: Final = frozenset({"static-dynamic"})


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
    reported: data.Finding  # at its first position

    @property
    def key(self) -> tuple[str, str, str]:
        """Identifies the finding after edits elsewhere in its file."""
        return self.span.path, self.code, self.subject

    @property
    def message(self) -> str:
        return f"{self.problem}; {self.advice}" if self.advice else self.problem


class _Class(NamedTuple):
    """The class that is the cause of an error."""

    name: str
    path: Path
    line: int | None


class _Effect(NamedTuple):
    """A diagnostic, and what it says."""

    diagnostic: Diagnostic
    reported: data.Finding
    culprit: _Class | None

    @property
    def cause(self) -> tuple[object, ...]:
        """Equal for effects of one cause. The advice may depend on the position."""
        span, reported = self.diagnostic.span, self.reported
        if self.culprit is not None:
            return reported.code, self.culprit.path, self.culprit.name, reported.kind, reported.values
        if reported.path:
            return reported.code, span.path, reported.path
        return reported.code, span, reported


def find_causes(checked: Checked, root: Path) -> list[Finding]:
    """Groups what the rules report by its cause."""
    causes: dict[tuple[object, ...], list[_Effect]] = {}
    for diagnostic in filter(lambda diagnostic: diagnostic.is_ours, checked.diagnostics):
        effect = _Effect(diagnostic, diagnostic.reported, _culprit(diagnostic, root, checked.modules))
        causes.setdefault(effect.cause, []).append(effect)
    names = {path: name for name, path in checked.modules.items()}
    program = ProgramUses(checked.modules, root)
    return [_finding(effects, root, names, program) for effects in causes.values()]


def _culprit(diagnostic: Diagnostic, root: Path, modules: Mapping[str, Path]) -> _Class | None:
    """The class at fault, if its file is known."""
    declared = diagnostic.reported.declared
    if declared is None or not declared.is_at_fault or diagnostic.code in _CAUSED_BY_POSITION:
        return None
    path = root / diagnostic.span.path if declared.line is not None else modules.get(declared.module)
    return _Class(declared.name, path, declared.line) if path is not None else None


def _finding(effects: list[_Effect], root: Path, names: Mapping[Path, str], program: ProgramUses) -> Finding:
    first = effects[0]
    reported = first.reported
    at_class = _span_of(first.culprit, root)
    positions = tuple(_position(effect, root) for effect in effects if effect.reported.position is not None)
    notes = _with_answers(
        tuple(dict.fromkeys(note for effect in effects for note in effect.diagnostic.notes)), effects, root, program
    )
    if at_class is not None:  # there is no need to say where that is
        declared = tuple(effect.reported.declared.text for effect in effects if effect.reported.declared is not None)
        notes = tuple(note for note in notes if not note.startswith(declared))
    span, subject = at_class or first.diagnostic.span, _subject(first, root, names)
    return Finding(reported.code, reported.problem, reported.advice_text, span, subject, positions, notes, reported)


def _with_answers(notes: tuple[str, ...], effects: list[_Effect], root: Path, program: ProgramUses) -> tuple[str, ...]:
    """The notes, with what the whole program shows instead of what a module's imports do."""
    evidence = [shown for effect in effects for shown in effect.reported.evidence]
    seen = {root / shown.file for shown in evidence if shown.line is not None}
    answers = program.answers(effects[0].reported.questions, seen)
    without_line = {shown.text for shown in evidence if shown.line is None}
    return (*(note for note in notes if note not in without_line), *(answer.text for answer in answers))


def _position(effect: _Effect, root: Path) -> Position:
    span = effect.diagnostic.span
    description = ": ".join(str(part) for part in (effect.reported.position, effect.reported.path) if part)
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
    if effect.reported.path:
        return effect.reported.path
    span, position = effect.diagnostic.span, effect.reported.position
    of_position = (position.name, position.owner) if position is not None else ()
    named = dict.fromkeys(filter(None, (*of_position, *effect.reported.names)))
    return ": ".join(filter(None, (sources.scope(root / span.path, span.line), ", ".join(named))))


def _last(name: str) -> str:
    return name.rpartition(".")[2]
