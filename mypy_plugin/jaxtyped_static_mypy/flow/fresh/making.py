"""Decides whether a new callable costs anything: only if the code that makes it runs again and again.

Not if it is made before the loop in which it is used, or kept: then it is made once for many uses.
"""

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Context,
    Expression,
    ForStmt,
    FuncDef,
    FuncItem,
    MemberExpr,
    NameExpr,
    Node,
    ReturnStmt,
    SymbolNode,
    TupleExpr,
    TypeInfo,
)
from mypy.types import Instance

from ...reach.callers import callers_of
from ...reach.file_program import is_in_test
from ...reach.program import Runs
from ...reach.runs import is_constructed_once, is_in_loop, running_at, runs_at
from ...source.bindings import bound_by, mentions
from ...source.checked_file import CheckedFile
from ...source.local_bindings import bindings_of_local
from ...source.surroundings import Surroundings, surroundings
from ...syntax.names import base_of, is_self
from ...syntax.partials import is_partial
from ...syntax.trees import assignment_targets, nodes_below
from .attributes import is_global, may_change
from .origins import FreshKind, Origin, Reader

_Seen = frozenset[FuncItem]  # functions whose callers are being looked at


def is_made_again(origin: Origin, use: Expression, reader: Reader) -> bool:
    """Whether the callable is made again for the same use: in a loop, or with each call of an ordinary function."""
    made = maker_of(origin, use)
    if origin.kind is FreshKind.BOUND_METHOD and isinstance(made, MemberExpr):
        return _is_method_made_again(made, use, reader)
    return _runs_again(made, use, reader.file)


def may_be_made_again(origin: Origin, use: Expression, reader: Reader) -> bool:
    """Whether the file has no code that runs again and makes the callable, but other modules may."""
    made = maker_of(origin, use)
    is_method = origin.kind is FreshKind.BOUND_METHOD and isinstance(made, MemberExpr)
    found = running_at(reader.file, made)
    return not is_method and not found.is_again and found.is_open and not is_used_in_later_loop(made, use, reader.file)


def _is_method_made_again(method: MemberExpr, use: Expression, reader: Reader) -> bool:
    """Bound methods of one object are equal. If the object changes, they stay equal, but behave differently."""
    own = _class_of_self(method, reader.file)
    if own is not None and is_constructed_once(own, reader.file):
        return False
    if is_global(method.expr) or any(_runs_again(maker, use, reader.file) for maker in _makers(method, reader)):
        return True
    typ = reader.type_of(method.expr)
    return isinstance(typ, Instance) and may_change(typ, reader) and bool(surroundings(use, reader.file).repeating)


def _class_of_self(method: MemberExpr, file: CheckedFile) -> TypeInfo | None:
    """The class of `self`, if the method is one of that."""
    function = surroundings(method, file).function
    if not (isinstance(method.expr, NameExpr) and is_self(method.expr) and isinstance(function, FuncDef)):
        return None
    return function.info or None


def is_made_in_function(origin: Origin, use: Expression, reader: Reader) -> bool:
    """Whether the callable, or the object of a bound method, is made in a function, not at module level."""
    return surroundings(maker_of(origin, use), reader.file).function is not None


def maker_of(origin: Origin, use: Context) -> Node:
    """The node that makes the callable."""
    made = origin.made.defn if isinstance(origin.made, TypeInfo) else origin.made
    assert isinstance(use, Node)
    return made if isinstance(made, Node) else use


def can_be_made_before_loop(made: Node, file: CheckedFile) -> bool:
    """Whether a loop makes the callable, although it depends on nothing that the loop binds."""
    loops = surroundings(made, file).repeating
    if not loops:
        return False
    bound = _bound_below(loops[-1]) - _bound_below(made)
    return not mentions(made, bound)


def _bound_below(node: Node) -> set[SymbolNode]:
    return {variable for part in nodes_below(node) for variable, _ in bound_by(part)}


def is_object_made_again(origin: Origin, argument: Expression, reader: Reader) -> bool:
    """Whether the callable is made again together with an object that holds it: follows what the constructor makes.

    An optimiser belongs to the state of one training run, so it counts as made again only if a loop is seen to make it.
    """
    if origin.kind is FreshKind.OPTIMISER and not is_in_loop(maker_of(origin, argument), reader.file):
        return False
    call = next((node for node in surroundings(argument, reader.file).around[1:] if isinstance(node, CallExpr)), None)
    return is_made_again(origin, argument, reader) and not (call is not None and is_kept_for_loop(call, reader.file))


def _runs_again(maker: Node, use: Expression, file: CheckedFile) -> bool:
    if surroundings(maker, file).repeating and not is_in_test(maker.line, file):
        return True
    return runs_at(maker, file) is Runs.AGAIN and not is_used_in_later_loop(maker, use, file)


def _makers(node: Node, reader: Reader) -> list[Node]:
    """The nodes that make the object of which this is an attribute.

    None for `self.solver.step`: what `self` holds lives as long as that.
    """
    holder, node = node.expr if isinstance(node, MemberExpr) else node, base_of(node)
    if holder is not node and isinstance(node, NameExpr) and is_self(node):
        return []
    statements = (binding.statement for binding in bindings_of_local(reader.file, node))
    return [item.body if isinstance(item, (FuncItem, ForStmt)) else item for item in statements] or [node]


# Made before a loop, or kept


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
    later = (loop for loop in place.loops if loop not in maker.loops)
    return any(not mentions(use, {variable for variable, _ in bound_by(loop)}) for loop in later)


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
