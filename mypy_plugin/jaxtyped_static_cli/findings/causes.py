"""Findings: one for each cause. A class that breaks the contract in twenty positions is one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from jaxtyped_static_mypy.knowledge.full_names import INSTALLED
from jaxtyped_static_mypy.reporting import finding as data
from jaxtyped_static_mypy.reporting.evidence.wording import CHANGED, REFUSED
from jaxtyped_static_mypy.reporting.harm import Harm, rank, worst

from ..files import sources
from ..mypy_runs.diagnostics import Span
from ..mypy_runs.modules import relative
from ..mypy_runs.runs import Checked
from .callers import at_parameter
from .copies import together
from .effects import OF_CHANGE, OF_LEAKS, Class, Effect, Line, grouped, last_name, read_effect
from .one_call import of_one_call

if TYPE_CHECKING:
    from .program import Answer, ProgramUses

_COULD_BE_ASSIGNED: Final = '"{}" can be assigned'
# How messages name one attribute of several, by their kinds.
_NAMING_ONE: Final = {"assignable-attribute": _COULD_BE_ASSIGNED, "assigned-later": 'a method assigns "{}" later'}


# Which value of a message names the function that a position is about, by kind: other messages name it first.
_NAMES_FUNCTION: Final = {"decorator-dropped": "function", "neither-pytree-nor-static": "method"}
# Where the places of one cause need it for different things, and the message begins with what is there.
_SAYS_WHAT_IS_THERE: Final = frozenset({"static-traced"})
# What the whole program uses: it is one cause, wherever the first use is.
_OF_PROGRAM: Final = frozenset({"jax-removed", "jax-missing"})


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
    harm: Harm = Harm.CONTRACT
    evidence: tuple[data.Evidence, ...] = ()  # lines of the program that show it, with paths from the root

    @property
    def order(self) -> tuple[object, ...]:
        """The worst first, then as they stand in the files."""
        return rank(self.harm), self.span, self.code

    @property
    def key(self) -> tuple[str, str, str]:
        """Identifies the finding after edits elsewhere in its file."""
        return self.span.path, self.code, self.subject

    @property
    def message(self) -> str:
        return f"{self.problem}; {self.advice}" if self.advice else self.problem


def find_causes(rounds: Iterable[Checked], root: Path) -> list[Finding]:
    """Groups what the rules report by its cause. Files that mypy checked in several rounds may share one."""
    found: dict[tuple[object, ...], list[Finding]] = {}
    for finding in (finding for checked in rounds for finding in _in_round(checked, root)):
        found.setdefault(_cause(finding), []).append(finding)
    return [_without_own(_joined(findings)) for findings in found.values()]


def _cause(finding: Finding) -> tuple[object, ...]:
    """Equal for what several rounds show of one cause."""
    if finding.code in _OF_PROGRAM:
        return finding.code, finding.subject
    is_of_class = finding.reported.declared is not None and finding.reported.declared.is_at_fault
    return (finding.span, *finding.key) if is_of_class else (finding.span, *finding.key, finding.message)


def _without_own(finding: Finding) -> Finding:
    """What the whole program uses has its first use as a position, too, which says nothing if it is the only one."""
    is_alone = finding.code in _OF_PROGRAM and len(finding.positions) == 1
    return finding._replace(positions=()) if is_alone else finding


def _joined(findings: list[Finding]) -> Finding:
    first = min(findings, key=lambda finding: (rank(finding.harm), finding.span))
    shown = [finding for finding in findings if not finding.harm.is_potential] or findings
    return first._replace(
        positions=tuple(sorted({position for finding in shown for position in finding.positions})),
        notes=tuple(dict.fromkeys(note for finding in shown for note in finding.notes)),
        evidence=tuple(dict.fromkeys(evidence for finding in shown for evidence in finding.evidence)),
    )


def _in_round(checked: Checked, root: Path) -> list[Finding]:
    ours = [diagnostic for diagnostic in checked.diagnostics if diagnostic.is_ours]
    if not ours:
        return []
    from .contradicted import without_contradicted
    from .given import with_given
    from .masked import without_masked
    from .older_python import with_older_python
    from .program import ProgramUses  # loads half of the checker, like the others
    from .repetition import EAGERLY, in_program
    from .stale import without_fresh
    from .unreturned import without_unreturned

    asked = (question for diagnostic in ours for question in diagnostic.reported.questions)
    compiling = frozenset(question.cls for question in asked if question.asked in EAGERLY)
    program = ProgramUses(checked.modules, root, checked.left_out, compiling)
    read = (read_effect(diagnostic, root, checked.modules) for diagnostic in ours)
    effects = with_older_python(with_given(without_contradicted(read, program), program), program)
    effects = in_program(effects, program)
    effects = (_with_changes(effect, root, program) for effect in without_fresh(effects, program))
    names = {path: name for name, path in checked.modules.items()}
    groups = grouped(without_masked(without_unreturned([*effects]), program))
    groups = of_one_call(together(groups, root), root)
    return [_finding(group, root, names, program) for group in groups]


def _with_changes(effect: Effect, root: Path, program: ProgramUses) -> Effect:
    """The effect with the changes of the object that it is about: all that one of them leaves behind has one cause."""
    if effect.reported.code not in OF_CHANGE:
        return effect
    shown = (*effect.reported.evidence, *(answer.evidence for answer in _answers([effect], root, program)))
    return effect._replace(changes=tuple(one for one in shown if one.label == CHANGED and one.line is not None))


def _finding(effects: list[Effect], root: Path, names: Mapping[Path, str], program: ProgramUses) -> Finding:
    answers, all_effects = _answers(effects, root, program), effects
    effects, harm = _doing_harm(effects, answers)
    first = effects[0]
    reported = first.reported
    at_class, origin = _span_of(first.culprit, root), first.origin
    is_elsewhere = len(effects) > 1 or origin is not None or reported.code in _OF_PROGRAM
    placed = [effect for effect in effects if is_elsewhere or effect.reported.position is not None]
    positions = tuple(dict.fromkeys(_position(effect, first) for effect in placed))
    evidence = _evidence(effects, answers, root)
    notes = (*_notes_of_others(first, all_effects), *_notes(effects, answers, evidence))
    if at_class is not None:  # there is no need to say where that is
        declared = tuple(effect.reported.declared.text for effect in effects if effect.reported.declared is not None)
        notes = tuple(note for note in notes if not note.startswith(declared))
    span, subject = at_class or _span_at(origin, root) or first.diagnostic.span, _subject(first, names)
    problem, advice = _problem(reported, answers), reported.advice_text
    if (of_callers := at_parameter(effects, root, program.modules)) is not None:
        span, subject, problem, advice = of_callers
        reported = reported._replace(advice=())  # what would mend one caller
    return Finding(reported.code, problem, advice, span, subject, positions, notes, reported, harm, evidence)


def _problem(reported: data.Finding, answers: list[Answer]) -> str:
    """What is wrong: it names an attribute that the program assigns, where any of several could be."""
    shown = any(evidence.label == CHANGED for evidence in reported.evidence)
    assigned = [name for answer in answers if answer.evidence.label == CHANGED for name in answer.attributes]
    told = _NAMING_ONE.get(reported.kind)
    if told is None or shown or not assigned or reported.value("detail") in assigned:
        return reported.problem
    return reported.problem.replace(told.format(reported.value("detail")), _COULD_BE_ASSIGNED.format(assigned[0]))


def _answers(effects: list[Effect], root: Path, program: ProgramUses) -> list[Answer]:
    """What the whole program shows, besides the evidence that mypy found: what shows the harm comes first."""
    questions = dict.fromkeys(question for effect in effects for question in effect.reported.questions)
    evidence = [shown for effect in effects for shown in effect.reported.evidence]
    answers = program.answers(
        questions, {(shown.label, root / shown.file) for shown in evidence if shown.line is not None}
    )
    return sorted(answers, key=lambda answer: answer.question.shows is None)


def _doing_harm(effects: list[Effect], answers: list[Answer]) -> tuple[list[Effect], Harm]:
    """The effects that the program shows to do harm, or else all, with one of the worst first, and what that does."""
    shown = {answer.question for answer in answers}
    harms = [_harm(effect, shown) for effect in effects]
    pairs = sorted(zip(harms, effects, strict=True), key=lambda pair: rank(pair[0]))
    harmful = [effect for harm, effect in pairs if not harm.is_potential]
    return harmful or effects, worst(harms)


def _harm(effect: Effect, answered: set[data.Question]) -> Harm:
    shown = (question.shows for question in effect.reported.questions if question in answered)
    return worst([effect.reported.harm, *filter(None, shown)])


def _evidence(effects: list[Effect], answers: list[Answer], root: Path) -> tuple[data.Evidence, ...]:
    """The lines that show the harm, before those that the advice is about; of one line what says most."""
    seen = (shown for effect in effects for shown in effect.reported.evidence if shown.line is not None)
    found = sorted((*seen, *(answer.evidence for answer in answers)), key=lambda shown: shown.label == REFUSED)
    kept: dict[tuple[object, ...], data.Evidence] = {}
    for shown in (shown._replace(file=relative(root / shown.file, root)) for shown in found):
        place = shown.label, shown.file, shown.line
        kept[place] = max(kept.get(place, shown), shown, key=lambda evidence: len(evidence.text))
    return tuple(kept.values())


def _notes(effects: list[Effect], answers: list[Answer], kept: tuple[data.Evidence, ...]) -> tuple[str, ...]:
    """The notes, with what the whole program shows instead of what a module's imports do.

    `kept`: the evidence of the finding; what else one of its lines shows of other positions says no more.
    """
    notes = dict.fromkeys(note for effect in effects for note in effect.diagnostic.notes)
    told = {shown.text for effect in effects for shown in effect.reported.evidence}
    texts = dict.fromkeys(answer.evidence.text for answer in answers)
    shown = {evidence.text for evidence in kept}
    return tuple(note for note in (*notes, *texts) if note in shown or note not in told.union(texts))


def _notes_of_others(first: Effect, effects: list[Effect]) -> list[str]:
    """What else is wrong with the same class, or in the same call."""
    told = {first.reported.message, first.reported.problem, *first.reported.also}
    others = [effect.reported for effect in effects if effect.reported.code != first.reported.code]
    in_call = [effect.reported.message for effect in effects if first.reported.code in _OF_PROGRAM]
    said = dict.fromkeys([*(other.problem for other in others), *in_call])
    return [f"Also: {problem}" for problem in said if problem not in told]


def _position(effect: Effect, first: Effect) -> Position:
    described = effect.reported.position, effect.reported.path
    values = dict(effect.reported.values)
    named = next(iter(effect.reported.names), values.get("subject", ""))
    if effect.reported.code in _SAYS_WHAT_IS_THERE:
        named = ""
    if (name := _NAMES_FUNCTION.get(effect.reported.kind)) is not None:
        named = values[name]
    if (effect.reported.code, effect.reported.kind) in OF_LEAKS:
        named = values["written"]  # all that one statement assigns
    said = f'"{named}"' if named else _said_there(effect, first)
    description = ": ".join(str(part) for part in described if part) or said
    error = values.get("error")
    if error is not None and error != dict(first.reported.values).get("error"):
        description += f": {error}"  # `from jax import tree_map` raises another one than `jax.tree_map`
    return Position(effect.diagnostic.span, effect.scope, description)


def _said_there(effect: Effect, first: Effect) -> str:
    """What a place that nothing names has to do with the finding."""
    if effect.diagnostic.span == first.diagnostic.span:
        return "here"
    return "here, too" if effect.reported.problem == first.reported.problem else effect.reported.problem


def _span_of(culprit: Class | None, root: Path) -> Span | None:
    """The name of a class in its statement; None for a class of an installed package, which users do not change."""
    if culprit is None or any(folder in str(culprit.path) for folder in INSTALLED):
        return None
    found = sources.class_name(culprit.path, last_name(culprit.name), culprit.line)
    if found is None:
        return None
    return Span(relative(culprit.path, root), *found)


def _span_at(line: Line | None, root: Path) -> Span | None:
    """All of a line."""
    lines = sources.lines(line.path) if line is not None else ()
    text = lines[line.number - 1].rstrip() if line is not None and line.number <= len(lines) else ""
    if line is None or not text:
        return None
    start = len(text) - len(text.lstrip()) + 1
    return Span(relative(line.path, root), line.number, start, line.number, len(text) + 1)


def _subject(effect: Effect, names: Mapping[Path, str]) -> str:
    if effect.culprit is not None:
        return f"{names.get(effect.culprit.path, effect.culprit.path.stem)}.{effect.culprit.name}"
    if effect.reported.path:
        return effect.reported.path
    if effect.reported.code in _OF_PROGRAM:
        return ": ".join(effect.reported.names)
    position = effect.reported.position
    of_position = (position.name, position.owner) if position is not None else ()
    named = dict.fromkeys(filter(None, (*of_position, *effect.reported.names)))
    return ": ".join(filter(None, (effect.scope, ", ".join(named))))
