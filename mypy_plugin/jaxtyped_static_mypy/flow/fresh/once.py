"""Finds code that a program runs once: at module level, in `main`, in tests, and in what only these call.

Only the uses in the same file count, so that the answer is the same in every mode of mypy.
"""

from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    Expression,
    ExpressionStmt,
    FuncDef,
    FuncItem,
    IfStmt,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    ReturnStmt,
    SymbolNode,
    TupleExpr,
    TypeInfo,
)

from ...jit.signatures import is_partial
from ...knowledge.full_names import CACHES
from ...source.bindings import bound_by, mentions
from ...source.checked_file import CheckedFile
from ...source.functions import functions_around
from ...source.surroundings import Surroundings, surroundings
from ...syntax.trees import assignment_targets, nodes_below

_MAIN: Final = ("main", "_main")
_TEST_CASE: Final = "unittest.case.TestCase"

_Seen = frozenset[FuncItem]  # functions whose callers are being looked at


def runs_once(function: FuncItem, file: CheckedFile, seen: _Seen = frozenset()) -> bool:
    """Whether a program runs a function once: `main`, a test, a fixture, a memoised one, or one only these call."""
    around = functions_around(function.line, file)
    if any(_is_of_test(item.node) for item in around):
        return True
    own = next((item for item in around if item.node is function), None)
    if own is None or function in seen:
        return False
    if own.node.name in _MAIN or any(map(_is_cache_or_fixture, own.decorators)):
        return True
    calls = calls_of(own.node, file)
    return calls is not None and all(is_run_once(call, file, seen | {function}) for call in calls)


def is_run_once(node: Node, file: CheckedFile, seen: _Seen = frozenset()) -> bool:
    """Whether the code at a node runs once: not in a loop, unless the source fixes the number of passes."""
    place = surroundings(node, file)
    return not place.repeating and (place.function is None or runs_once(place.function, file, seen))


def is_in_loop(node: Node, file: CheckedFile, seen: _Seen = frozenset()) -> bool:
    """Whether a loop of the file runs the code at a node, also through calls of the function around it."""
    place = surroundings(node, file)
    if place.repeating or not isinstance(place.function, FuncDef) or place.function in seen:
        return bool(place.repeating)
    calls = calls_of(place.function, file) or ()
    return any(is_in_loop(call, file, seen | {place.function}) for call in calls)


def is_constructed_once(info: TypeInfo, file: CheckedFile) -> bool:
    """Whether the file constructs objects of a class, and only in code that runs once."""
    uses = (use.expression for use in file.uses_by_name.get(info.name, ()))
    calls = [node for node in uses if node.node is info and surroundings(node, file).is_called]
    return bool(calls) and all(is_run_once(call, file) for call in calls)


def calls_of(function: FuncDef, file: CheckedFile) -> list[Node] | None:
    """The calls of a function; None if there are none, or if it is used in another way. Methods are found by name."""
    if function.info and function.name.startswith("__"):
        return None
    decorator = file.decorators.get(function)
    symbols = (function, decorator, decorator.var) if decorator is not None else (function,)
    uses = file.uses_by_name.get(function.name, ()) if function.name else ()
    places = [surroundings(use.expression, file) for use in uses if _may_be(use.expression, symbols, function)]
    calls = [place.parent for place in places if place.parent is not None and (place.is_called or _is_started(place))]
    return calls if calls and len(calls) == len(places) else None


def _may_be(node: RefExpr, symbols: tuple[SymbolNode | None, ...], function: FuncDef) -> bool:
    return node.node in symbols or (bool(function.info) and isinstance(node, MemberExpr))


def _is_started(place: Surroundings) -> bool:
    """Whether the program starts by running the function: `app.run(train)`, below `if __name__ == "__main__"`."""
    call, *outer = place.around[1:]
    is_argument = isinstance(call, CallExpr) and place.around[0] in call.args
    is_whole = bool(outer) and isinstance(outer[0], ExpressionStmt)
    return is_argument and is_whole and any(isinstance(node, IfStmt) and _asks_for_main(node) for node in outer)


def _asks_for_main(node: IfStmt) -> bool:
    conditions = (part for part in node.expr if isinstance(part, ComparisonExpr))
    names = (part for condition in conditions for part in condition.operands if isinstance(part, NameExpr))
    return any(name.name == "__name__" for name in names)


def _is_of_test(function: FuncDef) -> bool:
    bases = function.info.mro if function.info else []
    return function.name.startswith("test") or any(base.fullname == _TEST_CASE for base in bases)


def _is_cache_or_fixture(decorator: Expression) -> bool:
    named = decorator.callee if isinstance(decorator, CallExpr) else decorator
    return isinstance(named, RefExpr) and (named.fullname in CACHES or "fixture" in named.fullname)


# Made before the loop in which it is used


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
    calls = calls_of(function, file) or ()
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
    calls = calls_of(function, file) if isinstance(function, FuncDef) and function not in seen else None
    below = seen | {function}
    return calls is not None and all(is_run_once(call, file) or is_kept_for_loop(call, file, below) for call in calls)
