"""Finds values that are made before the loop in which they are used, or kept for one: made once for many uses."""

from mypy.nodes import AssignmentStmt, FuncDef, FuncItem, MemberExpr, NameExpr, Node, ReturnStmt, TupleExpr

from ...reach.runs import Runs, callers_of, runs_at
from ...source.bindings import bound_by, mentions
from ...source.checked_file import CheckedFile
from ...source.surroundings import Surroundings, surroundings
from ...syntax.partials import is_partial
from ...syntax.trees import assignment_targets, nodes_below

_Seen = frozenset[FuncItem]  # functions whose callers are being looked at


def is_used_in_later_loop(made: Node, use: Node, file: CheckedFile) -> bool:
    """Whether the use is in a loop that does not make the value again, or in a function that such a loop calls.

    A loop over new values uses each of them only once.
    """
    maker, place = surroundings(made, file), surroundings(use, file)
    while place.function is not maker.function:
        if place.function is None or (is_in_loop := _called_in_loop(place.function, maker, file)) is None:
            return False
        if is_in_loop:
            return True
        place = surroundings(place.function, file)
    return any(loop not in maker.loops and not _binds_part_of(use, loop) for loop in place.loops)


def _binds_part_of(use: Node, loop: Node) -> bool:
    return mentions(use, {variable for variable, _ in bound_by(loop)})


def _called_in_loop(function: FuncItem, maker: Surroundings, file: CheckedFile) -> bool | None:
    """Whether a nested function is called in a loop after the value was made; None if it has no name."""
    if not isinstance(function, FuncDef):
        return None
    calls = callers_of(file, function) or ()
    places = (surroundings(call, file) for call in calls)
    return any(place.function is maker.function and not set(maker.loops).issuperset(place.loops) for place in places)


def is_kept_for_loop(value: Node, file: CheckedFile, seen: _Seen = frozenset()) -> bool:
    """Whether a new object is bound to a name that a later loop uses, here or wherever its function is called."""
    place = surroundings(value, file)
    if place.repeating or place.function is None:
        return False
    statement = next((node for node in place.around[1:] if not isinstance(node, TupleExpr)), None)
    if isinstance(statement, AssignmentStmt):
        names = {variable for variable, _ in bound_by(statement)}
        uses = (node for node in nodes_below(place.function) if isinstance(node, NameExpr) and node.node in names)
        later = list(uses)
        if any(is_used_in_later_loop(value, use, file) for use in later):
            return True
        return any(_is_returned(use, file) for use in later) and _is_result_kept(place.function, file, seen)
    return isinstance(statement, ReturnStmt) and _is_result_kept(place.function, file, seen)


def is_bound_for_good(argument: Node, file: CheckedFile) -> bool:
    """Whether this is an argument of a `partial` that its function returns or stores: every call passes this object."""
    place = surroundings(argument, file)
    if not is_partial(place.parent) or place.repeating or place.function is None:
        return False
    statement = next((node for node in place.around[2:] if not isinstance(node, TupleExpr)), None)
    if not isinstance(statement, AssignmentStmt):
        return isinstance(statement, ReturnStmt)
    targets = list(assignment_targets(statement))
    names = {variable for variable, _ in bound_by(statement)}
    uses = (node for node in nodes_below(place.function) if isinstance(node, NameExpr) and node.node in names)
    return any(isinstance(target, MemberExpr) for target in targets) or any(_is_returned(use, file) for use in uses)


def _is_returned(use: Node, file: CheckedFile) -> bool:
    outer = (node for node in surroundings(use, file).around[1:] if not isinstance(node, TupleExpr))
    return isinstance(next(outer, None), ReturnStmt)


def _is_result_kept(function: FuncItem, file: CheckedFile, seen: _Seen) -> bool:
    calls = callers_of(file, function) if isinstance(function, FuncDef) and function not in seen else None
    below = seen | {function}
    again = (call for call in calls or () if runs_at(call, file) is Runs.AGAIN)
    return calls is not None and all(is_kept_for_loop(call, file, below) for call in again)
