"""Where new objects of a class are made again and again: each is another static value."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from mypy.nodes import CallExpr, ClassDef, Expression, FuncDef, Node, TypeInfo

from ...classes.class_model import is_pytree
from ...classes.reasons import Fault
from ...facts.method_facts import MAKING
from ...knowledge import naming
from ...reach.callers import constructions
from ...reach.runs import makes_anew, run_twice, running_at
from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ...syntax.arguments import keyword_argument
from ..finding import PLACES, Asked, Evidence, Question
from ..harm import Harm
from ..positions import Position
from .changes import field_of
from .wording import MADE, MADE_WITH, NEW_EACH_CALL, NEW_EACH_PASS, elsewhere, places

_MADE = f"{PLACES}, and JAX compiles again for each that it gets"
_MADE_AND_DROPPED = f"{PLACES}, which is only used there, and then dropped"


class MadeWith(NamedTuple):
    """A place that makes a new object for each pytree that users make."""

    place: Expression
    pytree: TypeInfo


def made_again(info: TypeInfo | None, file: CheckedFile) -> list[Node]:
    """The calls in the file that make objects of a class one after the other; none of an unknown class."""
    return [call for call in _made(info, file) if makes_anew(call, file)]


def made_twice(info: TypeInfo | None, file: CheckedFile) -> bool:
    """Whether the file makes at least two objects of a class."""
    return run_twice(_made(info, file), file)


def _made(info: TypeInfo | None, file: CheckedFile) -> list[CallExpr]:
    calls = constructions(info, file) if info is not None else []
    return [call for call in calls if not _is_unflattened(call, file)]


def _is_unflattened(call: Node, file: CheckedFile) -> bool:
    function = surroundings(call, file).function
    return function is not None and naming.unflattens(function.name)


def made_with_pytrees(position: Position, fault: Fault, file: CheckedFile) -> list[MadeWith]:
    """Where each object of a public pytree, which nothing in its file makes, gets an object of a class of its own.

    Then no two of these pytrees have the same structure.
    """
    info, holder = fault.declared, fault.holder or field_of(position)[0]
    if info is None or position.is_argument or naming.is_test_module(file.tree.fullname):
        return []
    named = (node for node in file.uses_by_name.get(info.name, ()) if node.node is info)
    found = ((node, _pytree_made_around(node, file)) for node in named)
    return [
        MadeWith(node, pytree)
        for node, pytree in found
        if pytree is not None and _is_for_users(pytree, file) and (holder is None or holder in pytree.mro)
    ]


def _pytree_made_around(node: Expression, file: CheckedFile) -> TypeInfo | None:
    """The pytree that is made where this class is called: by its constructor, or for a field by `default_factory`."""
    around = surroundings(node, file)
    call, function = around.parent, around.function
    if around.is_called and isinstance(function, FuncDef) and function.name in MAKING:
        found = function.info or None
    elif isinstance(call, CallExpr) and keyword_argument(call, "default_factory") is node and function is None:
        found = next((outer.info for outer in around.around if isinstance(outer, ClassDef)), None)
    else:
        return None
    return found if found is not None and is_pytree(found) else None


def _is_for_users(pytree: TypeInfo, file: CheckedFile) -> bool:
    return not pytree.name.startswith("_") and not constructions(pytree, file)


def shown_making(fault: Fault, made_with: Iterable[MadeWith], file: CheckedFile) -> Iterator[Evidence]:
    """Where the file being checked makes new objects again and again, of a class that is compared by identity."""
    if fault.declared is not None:
        yield from _shown_calls(made_again(fault.declared, file), fault.declared, file)
    yield from map(partial(_shown_with, file), made_with)


def shown_new_parts(expression: Expression, info: TypeInfo, file: CheckedFile, *, lasts: bool) -> Iterator[Evidence]:
    """Where the file makes objects again, for each of which the constructor makes a part anew, or that users do.

    `lasts`: whether one object serves a whole run, so that only a loop shows that there are several.
    """
    calls = constructions(info, file)
    looped = [call for call in calls if surroundings(call, file).repeating]
    yield from _shown_calls(looped if lasts else list(filter(partial(_runs_often, file), calls)), info, file)
    if not calls and not lasts and not info.name.startswith("_"):
        yield _shown_with(file, MadeWith(expression, info))


def questions_of_new_parts(info: TypeInfo) -> Iterator[Question]:
    yield Question(Asked.MADE_AGAIN, info.fullname, MADE, _MADE, shows=Harm.RECOMPILES)
    yield Question(Asked.MADE_AGAIN, info.fullname, MADE_WITH, _MADE)


def question_of_dropped(info: TypeInfo) -> Question:
    """Where other modules make objects of a class, for each of which the constructor compiles, and drop them."""
    return Question(Asked.DROPPED, info.fullname, MADE, _MADE_AND_DROPPED, shows=Harm.RECOMPILES)


def _runs_often(file: CheckedFile, call: CallExpr) -> bool:
    found = running_at(file, call)
    return found.is_again and not found.is_potential


def _shown_calls(calls: Iterable[Node], info: TypeInfo, file: CheckedFile) -> Iterator[Evidence]:
    found = list(calls)
    for in_loop in (True, False):
        lines = [call.line for call in found if bool(surroundings(call, file).repeating) is in_loop]
        if lines:
            what = NEW_EACH_PASS if in_loop else NEW_EACH_CALL
            text = _MADE.replace(PLACES, places(lines, "make", what, elsewhere(info.module_name, file)))
            yield Evidence(MADE, file.tree.path, lines[0], text)


def _shown_with(file: CheckedFile, made: MadeWith) -> Evidence:
    line, what = made.place.line, f'a new one for each "{made.pytree.name}"'
    return Evidence(MADE_WITH, file.tree.path, line, _MADE.replace(PLACES, places([line], "make", what)))


def questions_of_making(fault: Fault, made_with: Iterable[MadeWith], shows: Harm) -> Iterator[Question]:
    if fault.declared is not None:
        yield Question(Asked.MADE_AGAIN, fault.declared.fullname, MADE, _MADE, shows=shows)
    for _, pytree in made_with:
        yield Question(Asked.MADE_AGAIN, pytree.fullname, MADE_WITH, _MADE)
