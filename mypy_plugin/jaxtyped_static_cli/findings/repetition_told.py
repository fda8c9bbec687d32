"""What a note says of how often the whole program runs a function, or its users do."""

from pathlib import Path
from typing import Final

from jaxtyped_static_mypy.reach.program import Cause
from jaxtyped_static_mypy.reporting.evidence.repetition import why_again
from jaxtyped_static_mypy.reporting.evidence.wording import listed
from jaxtyped_static_mypy.reporting.finding import Evidence, Question

from ..mypy_runs.modules import relative
from .effects import Effect
from .places import Place
from .program import ProgramUses
from .running import Running

_Position = tuple[str, int]  # a path and a line

_DO: Final = "{who} calls {called}, so users do"
_HANDED_ON: Final = "{places} hand{s} {called} on: this matters where it is called outside of jit"
_MAY: Final = "{who} calls {called}: this matters where users call it outside of jit"


def evidence_of(question: Question, running: Running, program: ProgramUses, before: Evidence | None) -> Evidence | None:
    """What shows it; None if the program has nothing to add to what the file shows."""
    function = running.function or question.cls
    called = _called(function, question)
    if running.places:
        places = [*dict.fromkeys(_position(place, program) for place in running.places)]
        to = {place.use.to for place in running.places if place.use.is_call or running.cause is Cause.HANDED_ON}
        text = why_again(running.cause, called, _listed(places), len(places), to)
        path, line = places[0]
        return Evidence(question.label, path, line, question.answered(text)) if text is not None else None
    if before is not None and program.runs.is_left_to_users(function):
        return before._replace(text=question.answered(_DO.format(who=_others(function, program), called=called)))
    return None


def said_of_users(question: Question, running: Running, program: ProgramUses, *, is_certain: bool) -> str:
    """What a note says of a function that nothing but users runs outside of jit, surely or perhaps."""
    function = running.function or question.cls
    if is_certain:
        return question.answered(_DO.format(who=_others(function, program), called=_called(function, question)))
    named = f'"{function.rpartition(".")[2]}"'
    if running.places:
        places = [*dict.fromkeys(_position(place, program) for place in running.places)]
        return _HANDED_ON.format(places=_listed(places), s="s" if len(places) == 1 else "", called=named)
    who = _others(function, program)
    return _MAY.format(who=f"{who[0].upper()}{who[1:]}", called=named)


def _called(function: str, question: Question) -> str:
    """What a sentence calls a function that runs the one it is about."""
    return "it" if function == question.cls else f'"{function.rpartition(".")[2]}"'


def _others(function: str, program: ProgramUses) -> str:
    """Who calls a function that is left to users."""
    uses = program.runs.uses(function)
    if not (uses.calls or uses.compiled or uses.perhaps) and all(map(program.runs.is_alias, uses.handed_on)):
        return "nothing in the project"
    return "no code but that of examples" if program.runs.is_shown(function) else "no code but that of tests"


def _listed(places: list[_Position]) -> str:
    """`train.py:40 and 52`, or `train.py:40 and run.py:7`."""
    path, _ = places[0]
    if all(other == path for other, _ in places):
        return f"{path}:{listed(str(line) for _, line in places)}"
    return listed(f"{path}:{line}" for path, line in places)


def _position(place: Place, program: ProgramUses) -> _Position:
    path: Path = program.modules[place.module]
    return relative(path, program.root), place.use.line


def with_evidence(effect: Effect, before: Evidence | None, after: Evidence) -> Effect:
    """The effect with other evidence of how often its function runs, also in its notes."""
    reported, diagnostic = effect.reported, effect.diagnostic
    others = tuple(shown for shown in reported.evidence if shown != before)
    notes = [note for note in diagnostic.notes if before is None or note != before.text]
    return effect._replace(
        reported=reported._replace(evidence=(*others, after), is_asked=False),
        diagnostic=diagnostic._replace(notes=(*notes, after.text)),
    )
