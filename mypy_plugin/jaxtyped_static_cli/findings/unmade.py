"""Objects and functions that only code makes which the program never gets to: every call gives another one."""

from typing import Final

from jaxtyped_static_mypy.reporting.evidence.wording import MADE
from jaxtyped_static_mypy.reporting.finding import Asked
from jaxtyped_static_mypy.reporting.harm import Harm

from .effects import Effect
from .program import ProgramUses

_OBJECTS: Final = frozenset({"static-hash", "static-mutable"})
_OWNERS: Final = frozenset({"self", "super()"})
_CALLABLES: Final = frozenset({"static-callable"})


def is_never_made(effect: Effect, program: ProgramUses) -> bool:
    """Whether what is new each time would be made where no call leads."""
    reported = effect.reported
    if reported.harm is not Harm.RECOMPILES:
        return False
    if reported.code in _CALLABLES:
        return _is_off(effect, program) or _is_of_one_object(effect, program)
    asked = [one.cls for one in reported.questions if one.asked is Asked.MADE_AGAIN and one.label == MADE]
    if reported.code not in _OBJECTS or len(asked) != 1:
        return False
    places = program.runs.makes(asked[0])
    again = [place for place in places if program.runs.makes_anew(place)]
    return not again and any(map(program.runs.switches.is_off, places))


def _is_off(effect: Effect, program: ProgramUses) -> bool:
    """Whether the program never gets to the line that makes a callable."""
    made = dict(effect.reported.values).get("at", "")
    digits = "".join(filter(str.isdigit, made))
    path, line = effect.diagnostic.span.path, int(digits) if digits else effect.diagnostic.span.line
    conditions = program.conditions_at(path, line)
    return any(program.runs.switches.are_off(*found) for found in conditions)


def _is_of_one_object(effect: Effect, program: ProgramUses) -> bool:
    """Whether a callable is a method of `self`, and the program does not make one object of its class after the other.

    Bound methods of one object are equal. Who signs makes no object again, or leaves nobody else to do so.
    """
    owner, _, name = dict(effect.reported.values).get("subject", "").rpartition(".")
    module, (cls, _, method) = program.module_at(effect.diagnostic.span.path), effect.scope.rpartition(".")
    is_own = owner in _OWNERS and name.isidentifier() and bool(module and cls and method)
    if not is_own or program.runs.makes_again(f"{module}.{cls}"):
        return False
    return not effect.reported.is_signed or program.runs.makes_once(f"{module}.{cls}", also_in_tests=True)
