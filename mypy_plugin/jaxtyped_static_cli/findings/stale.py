"""Findings about old values in compiled code, which the program shows never to be used."""

from collections.abc import Iterable, Iterator
from typing import Final

from jaxtyped_static_mypy.knowledge import naming
from jaxtyped_static_mypy.reporting.evidence.wording import CHANGED
from jaxtyped_static_mypy.reporting.finding import Evidence
from jaxtyped_static_mypy.reporting.harm import Harm

from ..files import sources
from .effects import Effect, as_potential, last_name
from .lives import ends_before
from .program import ProgramUses
from .unreached.code import Code, code_of

_OF_METHODS: Final = "jit-bound-method"
_CODES: Final = frozenset({"jit-bound-method", "static-dynamic", "static-mutable"})


def without_fresh(effects: Iterable[Effect], program: ProgramUses) -> Iterator[Effect]:
    """The effects, of which those are potential that leave no old value behind where the program uses it."""
    for effect in effects:
        is_asked = effect.reported.code in _CODES and effect.reported.harm in (Harm.WRONG, Harm.POTENTIAL)
        if not is_asked or not _is_fresh(effect, program):
            yield effect
        elif not effect.reported.is_asked:
            yield _as_potential(effect)


def _is_fresh(effect: Effect, program: ProgramUses) -> bool:
    if _is_of_test(effect, program) or program.is_stale_nowhere(effect.reported.questions):
        return True
    return effect.reported.code == _OF_METHODS and _ends_before_changes(effect, program)


def _ends_before_changes(effect: Effect, program: ProgramUses) -> bool:
    """Whether what compiles the method is gone whenever the object changes."""
    changes = [(program.module_at(one.file), one.line) for one in _changes(effect, program) if one.line is not None]
    module, line = program.module_at(effect.path), effect.diagnostic.span.line
    if not (changes and effect.scope and all(name for name, _ in changes)):
        return False
    return ends_before(changes, effect.path, line, f"{module}.{effect.scope}", program)


def _changes(effect: Effect, program: ProgramUses) -> list[Evidence]:
    answers = (answer.evidence for answer in program.answers(effect.reported.questions, ()))
    return [one for one in (*effect.reported.evidence, *answers) if one.label == CHANGED and one.line is not None]


def _is_of_test(effect: Effect, program: ProgramUses) -> bool:
    """Whether an object is a test's own, and what changes objects of its class is code that the test does not name."""
    code = code_of(program.root / effect.path) if program.is_in_test(effect.path) else None
    if code is None:
        return False
    shown = _changes(effect, program)
    return bool(shown) and not any(_may_be_run_by(code, one, program) for one in shown)


def _may_be_run_by(code: Code, change: Evidence, program: ProgramUses) -> bool:
    """Whether a test runs a change, as far as the names tell."""
    function = last_name(sources.scope(program.root / change.file, change.line or 0))
    is_named = any(unit.words.have(function) for unit in code.units)
    return not function or naming.is_special(function) or is_named or program.is_in_test(change.file)


def _as_potential(effect: Effect) -> Effect:
    """The effect without what it says of changes."""
    effect = as_potential(effect, CHANGED)
    questions = tuple(question for question in effect.reported.questions if question.shows is not Harm.WRONG)
    return effect._replace(reported=effect.reported._replace(questions=questions))
