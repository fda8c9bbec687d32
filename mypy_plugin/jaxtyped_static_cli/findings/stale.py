"""Findings about old values in compiled code, which the program shows never to be used."""

from collections.abc import Iterable, Iterator
from typing import Final

from jaxtyped_static_mypy.reporting.evidence.wording import CHANGED
from jaxtyped_static_mypy.reporting.harm import Harm

from .effects import Effect, as_potential
from .program import ProgramUses

_CODES: Final = frozenset({"jit-bound-method", "static-mutable"})


def without_fresh(effects: Iterable[Effect], program: ProgramUses) -> Iterator[Effect]:
    """The effects, of which those are potential that leave no old value behind where the program uses it."""
    for effect in effects:
        is_asked = effect.reported.code in _CODES and effect.reported.harm in (Harm.WRONG, Harm.POTENTIAL)
        if not (is_asked and program.is_stale_nowhere(effect.reported.questions)):
            yield effect
        elif not effect.reported.is_asked:
            yield _as_potential(effect)


def _as_potential(effect: Effect) -> Effect:
    """The effect without what it says of changes."""
    effect = as_potential(effect, CHANGED)
    questions = tuple(question for question in effect.reported.questions if question.shows is not Harm.WRONG)
    return effect._replace(reported=effect.reported._replace(questions=questions))
