"""What is made anew for each pytree of a class: it harms where the program, or who uses it, makes several of these."""

from jaxtyped_static_mypy.reporting.evidence.wording import MADE, MADE_WITH
from jaxtyped_static_mypy.reporting.harm import Harm

from .effects import Effect
from .program import ProgramUses


def of_several_pytrees(effect: Effect, program: ProgramUses) -> Effect:
    """The effect without this evidence, if the program makes such a pytree once."""
    reported = effect.reported
    pytrees = [one.cls for one in reported.questions if one.label == MADE_WITH]
    if not pytrees or not all(map(program.runs.makes_once, pytrees)):
        return effect
    kept = tuple(shown for shown in reported.evidence if shown.label != MADE_WITH)
    taken = {shown.text for shown in reported.evidence} - {shown.text for shown in kept}
    notes = [note for note in effect.diagnostic.notes if note not in taken]
    is_shown = reported.harm is Harm.CONTRACT or any(shown.label == MADE for shown in kept)
    return effect._replace(
        reported=reported._replace(evidence=kept, harm=reported.harm if is_shown else Harm.POTENTIAL),
        diagnostic=effect.diagnostic._replace(notes=tuple(notes)),
    )
