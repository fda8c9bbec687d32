"""Functions that the program hands to what calls them again and again, each time with other arguments."""

from collections.abc import Iterator

from mypy.nodes import CallExpr, FuncDef, LambdaExpr, MemberExpr, Node

from ...knowledge.calling_functions import searches
from ...reach.uses import SYMBOL, uses_of
from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ...syntax.imports import full_name
from ...syntax.partials import is_partial


def is_searched_over(function: FuncDef, file: CheckedFile) -> bool:
    """`study.optimize(train, n_trials=10)`, `wandb.agent(sweep, partial(train, data))`, and a lambda that calls it."""
    if function.info:
        return False
    places: list[Node | None] = []
    for use in uses_of(file, function).named(SYMBOL):
        around = surroundings(use.call, file).function if use.call is not None else None
        places.append(use.expression if use.call is None else around if isinstance(around, LambdaExpr) else None)
    return any(_is_searching(taking, file) for place in places if place is not None for taking in _taking(place, file))


def _taking(given: Node, file: CheckedFile) -> Iterator[CallExpr]:
    """The call that gets a function, below `partial`."""
    parent = surroundings(given, file).parent
    while isinstance(parent, CallExpr) and is_partial(parent):
        parent = surroundings(parent, file).parent
    if isinstance(parent, CallExpr) and parent.callee is not given:
        yield parent


def _is_searching(call: CallExpr, file: CheckedFile) -> bool:
    method = call.callee.name if isinstance(call.callee, MemberExpr) else ""
    return searches(full_name(call.callee, file.tree), method, call.arg_names)
