"""Decides whether the function that starts a trace assigns anew what the trace has stored, before anything reads it.

`xs, _ = lax.scan(step, self.x, ...); self.x = xs`, where `step` assigns `self.x`: then no tracer is left. Nor does
anybody see one in an object that the result of the trace replaces: `state = lax.cond(...)`.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from mypy.nodes import AssignmentStmt, Block, CallExpr, ExpressionStmt, FuncItem, MemberExpr, NameExpr, Node, Statement

from ...knowledge.function_rows import Effect
from ...libraries import known_function
from ...reach.layers import name_called
from ...reach.roots import Root
from ...reach.uses import uses_of
from ...source.bindings import names_bound_by
from ...source.nested_functions import Functions
from ...source.surroundings import surroundings
from ...syntax.assignments import known_pairs
from ...syntax.changes import Change, ChangeKind
from ...syntax.names import function_of
from ...syntax.trees import nodes_below
from .access_paths import AccessPath, access_path
from .clearing import place_of
from .leaks import Leaks

_PLAIN: Final = (AssignmentStmt, ExpressionStmt)


def is_overwritten(change: Change, accessed: AccessPath, crossed: list[Root], functions: Functions) -> bool:
    """Whether each place that starts the only trace around a change is followed by another assignment."""
    if change.kind is not ChangeKind.ATTRIBUTE or len(crossed) != 1 or accessed.root not in functions.owners:
        return False
    place = place_of(change, accessed, functions)
    leaks = Leaks([root._replace(stages=False) for root in crossed], functions)  # the trace has ended there
    starts = list(_starts(crossed[0].function, functions))
    return bool(starts) and all(
        start is not None and _is_assigned_after(start, place, leaks, functions) for start in starts
    )


def _starts(function: FuncItem, functions: Functions) -> Iterator[CallExpr | None]:
    """The calls that run a function in a trace; None for one that makes another function, to be called anywhere."""
    for call, _ in uses_of(functions.file, function).handing_over:
        row = known_function(name_called(call.callee, functions.file.tree))
        is_run = row.calls is not None and row.new is None and Effect.WRAPS not in row.effects
        yield call if is_run else functions.file.calls_by_callee.get(call)


def _is_assigned_after(start: CallExpr, place: AccessPath, leaks: Leaks, functions: Functions) -> bool:
    for child, parent in pairwise(surroundings(start, functions.file).around):
        if isinstance(parent, Block) and isinstance(child, Statement):
            bound = [name for name, _ in names_bound_by(child)]
            inside = {*nodes_below(start), *bound}
            rest = [node for node in nodes_below(child) if node not in inside]
            if not isinstance(child, _PLAIN) or _may_read(rest, child, place, functions):
                return False
            if any(name.node is place.root for name in bound):
                return True  # `state = lax.cond(...)`: the object that has the tracer is left behind
            return _is_assigned_in(parent.body[parent.body.index(child) + 1 :], place, leaks, functions)
    return False


def _is_assigned_in(body: list[Statement], place: AccessPath, leaks: Leaks, functions: Functions) -> bool:
    for statement in body:
        if not isinstance(statement, _PLAIN) or _may_read(nodes_below(statement), statement, place, functions):
            return False
        pairs = known_pairs(statement) if isinstance(statement, AssignmentStmt) else ()
        values = [value for target, value in pairs if access_path(target, functions) == place]
        if values:
            return not leaks.may_hold(values)
    return False


def _may_read(nodes: Sequence[Node], statement: Node, place: AccessPath, functions: Functions) -> bool:
    """Whether code has the object other than to assign one of its attributes, or calls a function that may have it."""
    targets = [target for target, _ in known_pairs(statement)] if isinstance(statement, AssignmentStmt) else []
    assigned = {target.expr for target in targets if isinstance(target, MemberExpr)}
    return any(_has(node, place, functions) for node in nodes if node not in assigned)


def _has(node: Node, place: AccessPath, functions: Functions) -> bool:
    if isinstance(node, NameExpr):
        found = access_path(node, functions)  # `before` in `before = self.x` holds what the trace did not store
        return found is not None and found.root is place.root and len(found.path) < len(place.path)
    return isinstance(node, FuncItem) or (isinstance(node, CallExpr) and function_of(node.callee) in functions.parents)
