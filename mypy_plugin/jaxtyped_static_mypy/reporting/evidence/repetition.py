"""Why code runs again and again: what a note says of it, and what the whole program is asked."""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from mypy.nodes import FuncDef, Node

from ...reach.program import Cause
from ...reach.runs import Running, receivers, whole_name
from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ..finding import PLACES, Asked, Evidence, Question
from ..harm import Harm
from .wording import listed

REPEATED: Final = "runs again and again"
BATCHED: Final = "batched"  # runs for one item of a batch, as below `jax.vmap`
SHORT: Final = "short"  # runs: they have another branch
USERS: Final = "users"  # calls of those who use a library
EXPERIMENTS: Final = "experiments"  # runs that train, or of a loop over experiments

_LOOP: Final = "The loop begins at line {line}"
_FAR: Final = 10  # lines, over which nobody sees which loop is meant
_PLACES: Final = PLACES.replace("{", "{{").replace("}", "}}")
_AGAIN: Final = f'"{{function}}" runs again and again: {_PLACES}'
_EAGERLY: Final = f'"{{function}}" runs, and not in a trace: {_PLACES}'
_EAGERLY_AGAIN: Final = f'"{{function}}" runs again and again, and not in a trace: {_PLACES}'


def shown_loop(loop: Node, node: Node, file: CheckedFile) -> Iterator[Evidence]:
    """The note that says where the loop around a node begins, if that is far away."""
    if node.line - loop.line > _FAR:
        yield Evidence(REPEATED, file.tree.path, loop.line, _LOOP.format(line=loop.line))


def shown_repetition(running: Running, node: Node, file: CheckedFile) -> Iterator[Evidence]:
    """The note that says why the function around a node runs again; none where a loop is around the node itself."""
    own = surroundings(node, file).function
    if running.is_again and isinstance(own, FuncDef) and isinstance(running.function, FuncDef):
        called = _named(running.function, own)
        lines = [place.line for place in running.places] or [running.function.line]
        why = (
            why_again(running.cause, called, _at(lines), len(lines), receivers(running, file))
            or f"nothing in this file calls {called}, so users do"
        )
        text = _AGAIN.format(function=own.name).replace(PLACES, why)
        yield Evidence(REPEATED, file.tree.path, lines[0], text)


def question_of_repetition(
    running: Running,
    node: Node,
    file: CheckedFile,
    shows: Harm | None = Harm.RECOMPILES,
    *,
    without: tuple[str, ...] = (),
) -> Iterator[Question]:
    """What other modules may show of how often the function around a node runs. `shows`: what it does then.

    `without`: what of that does not count.
    """
    found = _questions(Asked.RUNS_AGAIN, running, node, file, shows)
    return (question._replace(without=without) for question in found)


def question_of_loops(running: Running, node: Node, file: CheckedFile, *, is_short: bool) -> Iterator[Question]:
    """Which loop in other modules may run the function around a node. `is_short`: it counts in an experiment, too."""
    without = () if is_short else (EXPERIMENTS,)
    found = _questions(Asked.RUNS_IN_LOOP, running, node, file, Harm.RECOMPILES)
    return (question._replace(without=without) for question in found)


def _questions(asked: Asked, running: Running, node: Node, file: CheckedFile, shows: Harm | None) -> Iterator[Question]:
    own = surroundings(node, file).function
    if running.is_open and isinstance(own, FuncDef):
        yield Question(asked, whole_name(own, file), REPEATED, _AGAIN.format(function=own.name), shows=shows)


def harm_of_running(running: Running, harm: Harm | None = None) -> Harm | None:
    """Potential if the code hardly runs again; else `harm`, which is None for that of all errors of a kind."""
    return Harm.POTENTIAL if running.is_potential else harm


def shown_eager_runs(running: Running, node: Node, file: CheckedFile) -> Iterator[Evidence]:
    """The note that says why the function around a node runs outside of jit again; none where a loop is in it."""
    own = surroundings(node, file).function
    if isinstance(own, FuncDef) and isinstance(running.function, FuncDef):
        lines = [place.line for place in running.places]
        called = _named(running.function, own)
        to = receivers(running, file)
        if (why := why_again(running.cause, called, _at(lines), len(lines), to)) is not None:
            text = _EAGERLY_AGAIN.format(function=own.name).replace(PLACES, why)
            yield Evidence(REPEATED, file.tree.path, lines[0], text)


def _named(function: FuncDef, own: FuncDef) -> str:
    return "it" if function is own else f'"{function.name}"'


def _at(lines: list[int]) -> str:
    return f"line{'' if len(lines) == 1 else 's'} {listed(map(str, lines))}"


def question_of_eager_runs(function: FuncDef, file: CheckedFile, *, is_looped: bool) -> Question:
    """What other modules may show of how a function runs. `is_looped`: it has the loop itself."""
    asked = Asked.RUNS_EAGERLY if is_looped else Asked.RUNS_EAGERLY_AGAIN
    text = (_EAGERLY if is_looped else _EAGERLY_AGAIN).format(function=function.name)
    return Question(asked, whole_name(function, file), REPEATED, text, shows=Harm.RECOMPILES)


def without_some(question: Question, *some: str) -> Question:
    """A question of how often a function runs, which leaves some runs out; nothing that is empty."""
    return question._replace(without=(*question.without, *filter(None, some)))


def why_again(
    cause: Cause | None, called: str, places: str, count: int, to: AbstractSet[str] = frozenset()
) -> str | None:
    """`line 40 calls it in a loop`; None if no place shows it. `count`: of the places, which `places` lists. `to`: who
    is handed the function there.
    """
    if cause not in _SAID:
        return None
    verb, rest = _SAID[cause]
    if cause in _HANDED and len(to) == 1 and (name := next(iter(to))):
        verb, rest = _HANDED[cause][0], _HANDED[cause][1].format(name=name)
    return f"{places} {verb}{'s' if count == 1 else ''} {called}{rest}"


_SAID: Final[Mapping[Cause | None, tuple[str, str]]] = {
    None: ("call", ""),  # it runs once
    Cause.LOOP: ("call", " in a loop"),
    Cause.CALLERS: ("call", ""),
    Cause.RECURSION: ("call", ", which runs it again"),
    Cause.HANDED_ON: ("hand", " on"),
    Cause.RETURNED: ("hand", " on"),
    Cause.REQUESTS: ("call", " for each request"),
    Cause.LISTED: ("put", " into a dict"),
    Cause.SHOWN: ("call", ", as users do"),
    Cause.TESTED: ("call", ", as users may do"),
}
# If it is one function that gets it.
_HANDED: Final[Mapping[Cause | None, tuple[str, str]]] = {
    Cause.LOOP: ("hand", ' to "{name}", which calls it for each item'),
    Cause.HANDED_ON: ("hand", ' to "{name}"'),
}
