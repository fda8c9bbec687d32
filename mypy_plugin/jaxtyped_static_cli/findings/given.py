"""Findings in compiled functions that hold where a call gives a parameter which others leave to its default."""

from collections.abc import Iterable, Iterator

from jaxtyped_static_mypy.facts.objects.conditions import Given
from jaxtyped_static_mypy.reporting.evidence.wording import listed
from jaxtyped_static_mypy.reporting.finding import Asked, Evidence, Question

from ..mypy_runs.modules import relative
from .effects import Effect
from .places import Place
from .program import ProgramUses
from .repetition_told import with_evidence


def with_given(effects: Iterable[Effect], program: ProgramUses) -> Iterator[Effect]:
    """The effects, without those of parameters that no call of the program gives."""
    for effect in effects:
        asked = next((one for one in effect.reported.questions if one.asked is Asked.GIVEN), None)
        if asked is None:
            yield effect
        elif places := [*dict.fromkeys(_giving(asked, program))]:
            yield _answered(effect, asked, places)


def _giving(question: Question, program: ProgramUses) -> Iterator[tuple[str, int]]:
    """Where code that is no test gives a parameter; JAX refuses a text, and leaves None as it is."""
    name, position = question.among
    for place in program.runs.uses(question.cls).calls:
        path = relative(program.modules[place.module], program.root)
        given = _given(place, (name, int(position)))
        if given is None or program.is_in_test(path) or program.never_runs(path, place.use.line):
            continue
        if given.value != (None,) and not any(isinstance(one, str) for one in given.value):
            yield path, place.use.line


def _given(place: Place, keys: tuple[str, int]) -> Given | None:
    return next((given for given in place.use.passed or () if given.key in keys), None)


def _answered(effect: Effect, question: Question, places: list[tuple[str, int]]) -> Effect:
    path, line = places[0]
    verb = "gives" if len(places) == 1 else "give"
    text = question.answered(f"{listed(f'{where}:{at}' for where, at in places)} {verb}")
    others = tuple(one for one in effect.reported.questions if one is not question)
    without = effect._replace(reported=effect.reported._replace(questions=others))
    return with_evidence(without, None, Evidence(question.label, path, line, text))
