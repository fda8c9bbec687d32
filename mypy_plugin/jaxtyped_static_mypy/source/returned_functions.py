"""What callers do with a function, or an object, that a call returns: a program may use it once, and drop it.

Only names are compared, so that the answer is the same in a file that mypy has not analysed.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    FuncDef,
    FuncItem,
    MemberExpr,
    NameExpr,
    Node,
    ReturnStmt,
    TupleExpr,
)

from ..knowledge import naming
from ..memory import once_per_run
from ..syntax.assignments import targets_of
from ..syntax.names import function_of, last_name
from ..syntax.trees import nodes_below, statements
from .checked_file import CheckedFile
from .making_functions import makes_functions
from .surroundings import nodes_around, parents_below, repeats

WHOLE: Final = -1  # what a call returns, and no item of it


def place_returned(around: Sequence[Node]) -> int | None:
    """At which place of its result a function returns a name; None if it does not. `around`: of the name, it first."""
    match around[1:3]:
        case [ReturnStmt(), *_]:
            return WHOLE
        case [TupleExpr() as items, ReturnStmt()]:
            return items.items.index(around[0]) if around[0] in items.items else None
    return None


def places_called_once(around: Sequence[Node]) -> tuple[int, ...]:
    """The places of what a call returns at which the code around only calls it, outside of loops, or has it compiled.

    `around`: the nodes around the call, innermost first, and itself first.
    """
    call, parent = around[0], around[1] if len(around) > 1 else None
    if isinstance(parent, CallExpr):
        is_called = parent.callee is call or naming.compiles(last_name(parent.callee))
        return (WHOLE,) if is_called else ()
    if not isinstance(parent, AssignmentStmt) or len(parent.lvalues) != 1:
        return ()
    target, scope = parent.lvalues[0], _scope(around)
    items = target.items if isinstance(target, TupleExpr) else [target]
    first = 0 if isinstance(target, TupleExpr) else WHOLE
    return tuple(place for place, item in enumerate(items, first) if _is_called_once(item, parent, scope))


def is_only_used(around: Sequence[Node]) -> bool:
    """Whether the code around a call that makes an object only calls methods of it, on the same pass, and drops it."""
    parent = around[1] if len(around) > 1 else None
    if isinstance(parent, MemberExpr):
        return len(around) > 2 and isinstance(around[2], CallExpr) and around[2].callee is parent
    target = parent.lvalues[0] if isinstance(parent, AssignmentStmt) and len(parent.lvalues) == 1 else None
    scope = _scope(around)
    if not isinstance(target, NameExpr) or not isinstance(parent, AssignmentStmt) or around[0] is not parent.rvalue:
        return False
    if not isinstance(scope, FuncItem):
        return False  # a name of the module, which others may use
    names = _names_in(scope)
    found = [name for name in names.named.get(target.name, ()) if name is not target]
    if not found or not names.bound.isdisjoint(found):
        return False
    reads = [names.parents.get(use) for use in found]
    return all(isinstance(read, MemberExpr) and _is_call(read, parent, names.parents) for read in reads)


def _scope(around: Sequence[Node]) -> Node:
    return next((node for node in around if isinstance(node, FuncItem)), around[-1])


def _is_called_once(target: Expression, made: AssignmentStmt, scope: Node) -> bool:
    if not isinstance(target, NameExpr):
        return False
    names = _names_in(scope)
    found = names.named.get(target.name, ())
    uses = [name for name in found if name not in names.bound]
    return len(uses) == len(found) - 1 > 0 and all(_is_call(use, made, names.parents) for use in uses)


def returned_function(call: CallExpr, file: CheckedFile) -> FuncItem | None:
    """The nested function, or the lambda, that a function of the file returns in each case."""
    maker = call.callee.node if isinstance(call.callee, NameExpr) else None
    return returned_by(maker) if file.defines(maker) else None


def returned_by(maker: FuncDef) -> FuncItem | None:
    """The same of the function that makes it."""
    if not makes_functions(maker):
        return None
    body = statements(maker.body.body, into_definitions=False)
    returned = {function_of(node.expr) for node in body if isinstance(node, ReturnStmt) and node.expr is not None}
    return returned.pop() if len(returned) == 1 else None


class _Names(NamedTuple):
    """The names in a function, or a file."""

    named: Mapping[str, list[NameExpr]]
    bound: AbstractSet[Node]
    parents: Mapping[Node, Node]


@once_per_run
def _names_in(scope: Node) -> _Names:
    named: dict[str, list[NameExpr]] = {}
    bound: set[Node] = set()
    for node in nodes_below(scope):
        bound.update(targets_of(node))
        if isinstance(node, NameExpr):
            named.setdefault(node.name, []).append(node)
    return _Names(named, bound, parents_below(scope))


def _is_call(use: Expression, made: AssignmentStmt, parents: Mapping[Node, Node]) -> bool:
    """Whether a name is called, on no other pass of a loop than the one that makes what it holds."""
    call = parents.get(use)
    if not isinstance(call, CallExpr):
        return False
    if call.callee is not use:
        return naming.compiles(last_name(call.callee))
    around = nodes_around(use, parents)
    loops = [outer for inner, outer in pairwise(around) if repeats(inner, outer)]
    inside = set(nodes_around(made, parents))
    return not any(isinstance(node, FuncDef) for node in around if node not in inside) and inside.issuperset(loops)
