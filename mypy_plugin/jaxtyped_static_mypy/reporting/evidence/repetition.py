"""Why code runs again and again: what a note says of it, and what the whole program is asked."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import FuncDef, Node

from ...reach.repetition import Cause
from ...reach.runs import Running, whole_name
from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ..finding import PLACES, Asked, Evidence, Question
from ..harm import Harm
from .wording import listed

REPEATED: Final = "runs again and again"
_AGAIN: Final = '"{function}" runs again and again: ' + PLACES.replace("{", "{{").replace("}", "}}")


def shown_repetition(running: Running, node: Node, file: CheckedFile) -> Iterator[Evidence]:
    """The note that says why the function around a node runs again; none where a loop is around the node itself."""
    own = surroundings(node, file).function
    if running.is_again and isinstance(own, FuncDef) and isinstance(running.function, FuncDef):
        called = "it" if running.function is own else f'"{running.function.name}"'
        lines = [place.line for place in running.places] or [running.function.line]
        text = _AGAIN.format(function=own.name).replace(PLACES, _why(running.cause, called, lines))
        yield Evidence(REPEATED, file.tree.path, lines[0], text)


def question_of_repetition(running: Running, node: Node, file: CheckedFile) -> Iterator[Question]:
    """What other modules may show of how often the function around a node runs."""
    own = surroundings(node, file).function
    if running.is_open and isinstance(own, FuncDef):
        yield Question(
            Asked.RUNS_AGAIN, whole_name(own, file), REPEATED, _AGAIN.format(function=own.name), shows=Harm.RECOMPILES
        )


def _why(cause: Cause | None, called: str, lines: list[int]) -> str:
    """`line 40 calls it in a loop`."""
    if cause is None or cause is Cause.INTERFACE:
        return f"nothing in this file calls {called}, so users do"
    is_one = len(lines) == 1
    verb, rest = _SAID[cause]
    return f"line{'' if is_one else 's'} {listed(map(str, lines))} {verb}{'s' if is_one else ''} {called}{rest}"


_SAID: Final = {
    Cause.LOOP: ("call", " in a loop"),
    Cause.CALLERS: ("call", ""),
    Cause.RECURSION: ("call", ", which runs it again"),
    Cause.HANDED_ON: ("hand", " on"),
}
