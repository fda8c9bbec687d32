"""Where new objects of a class are made again and again: each is another static value."""

from collections.abc import Iterator

from mypy.nodes import Node, TypeInfo

from ...classes.reasons import Fault
from ...reach.repetition import Runs
from ...reach.runs import constructions, runs_at
from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ..finding import PLACES, Asked, Evidence, Question
from ..harm import Harm
from .wording import MADE, NEW_EACH_CALL, NEW_EACH_PASS, elsewhere, places

_MADE = f"{PLACES}, and JAX compiles again for each that it gets"


def made_again(info: TypeInfo | None, file: CheckedFile) -> list[Node]:
    """The calls in the file that make objects of a class again and again; none of an unknown class."""
    calls = constructions(info, file) if info is not None else []
    return [call for call in calls if runs_at(call, file) is Runs.AGAIN]


def shown_making(fault: Fault, file: CheckedFile) -> Iterator[Evidence]:
    """Where the file being checked makes new objects again and again, of a class that is compared by identity."""
    found = made_again(fault.declared, file)
    for in_loop in (True, False):
        lines = [call.line for call in found if bool(surroundings(call, file).repeating) is in_loop]
        if lines and fault.declared is not None:
            what = NEW_EACH_PASS if in_loop else NEW_EACH_CALL
            text = _MADE.replace(PLACES, places(lines, "make", what, elsewhere(fault.declared.module_name, file)))
            yield Evidence(MADE, file.tree.path, lines[0], text)


def question_of_making(fault: Fault, shows: Harm) -> Iterator[Question]:
    if fault.declared is not None:
        yield Question(Asked.MADE_AGAIN, fault.declared.fullname, MADE, _MADE, shows=shows)
