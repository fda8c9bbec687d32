"""Runs the statements of a function that takes a pytree apart, or rebuilds it, on symbolic values."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from mypy.nodes import (
    AssertStmt,
    AssignmentStmt,
    Block,
    CallExpr,
    DelStmt,
    Expression,
    ExpressionStmt,
    FuncDef,
    FuncItem,
    IfStmt,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OperatorAssignmentStmt,
    PassStmt,
    RaiseStmt,
    ReturnStmt,
    StarExpr,
    Statement,
    StrExpr,
    TupleExpr,
)

from ...syntax.assignments import targets_of
from ...syntax.trees import nodes_below, statements
from .expressions import Made, Missing, Scope, evaluate, hand_out, set_by_call
from .values import NOTHING, UNKNOWN, Entries, Items, New, Nothing, Value


class Returned(NamedTuple):
    """What a `return` returns. `is_certain`: no condition stands before it."""

    node: ReturnStmt
    value: Value
    is_certain: bool


class Unpacked(NamedTuple):
    """`a, b = children`, where there are not two."""

    node: Expression
    names: int
    value: Value


@dataclass
class Run:
    """What a function does, by its source."""

    made: list[Made]
    missing: list[Missing]
    unpacked: list[Unpacked] = field(default_factory=list)
    returned: list[Returned] = field(default_factory=list)
    may_end: bool = False  # without a `return`
    is_read: bool = True  # all of it; not what stands in loops


def run(function: FuncItem, names: dict[str, Value]) -> Run:
    """`names`: the values of its parameters."""
    scope = Scope(names)
    found = Run(scope.made, scope.missing)
    found.may_end = _run(function.body.body, scope, found)
    return found


def _run(body: Iterable[Statement], scope: Scope, found: Run) -> bool:
    """Returns whether the end of the body may be reached."""
    return all(_STEPS.get(type(node), _skip)(node, scope, found) for node in body)


def _assign(node: AssignmentStmt, scope: Scope, found: Run) -> bool:
    value = evaluate(node.rvalue, scope)
    for target in node.lvalues:
        _bind(target, value, scope, found)
    return True


def _bind(target: Expression, value: Value, scope: Scope, found: Run) -> None:
    if isinstance(target, NameExpr):
        scope.names[target.name] = value
    elif isinstance(target, (TupleExpr, ListExpr)):
        _unpack(target, value, scope, found)
    elif isinstance(target, MemberExpr):
        owner = evaluate(target.expr, scope)
        if isinstance(owner, New):
            owner.attributes[target.name] = value
            owner.is_seen = owner.is_seen and scope.is_certain
    elif isinstance(target, IndexExpr) and isinstance(target.base, NameExpr):
        known, key = scope.names.get(target.base.name), target.index
        is_entry = isinstance(known, Entries) and isinstance(key, StrExpr)
        scope.names[target.base.name] = UNKNOWN
        if is_entry and isinstance(known, Entries) and isinstance(key, StrExpr):
            scope.names[target.base.name] = Entries({**known.values, key.value: value})
    elif isinstance(target, StarExpr):
        _bind(target.expr, UNKNOWN, scope, found)


def _unpack(target: TupleExpr | ListExpr, value: Value, scope: Scope, found: Run) -> None:
    count, has_star = len(target.items), any(isinstance(item, StarExpr) for item in target.items)
    given = len(value.values) if isinstance(value, (Items, Entries)) else 0
    fits = given >= count - 1 if has_star else given == count
    if isinstance(value, (Items, Entries, Nothing)) and not fits and scope.is_certain:
        found.unpacked.append(Unpacked(target, count, value))
    values = value.values if isinstance(value, Items) and fits and not has_star else [UNKNOWN] * count
    for item, part in zip(target.items, values, strict=True):
        _bind(item, part, scope, found)


def _expression(node: ExpressionStmt, scope: Scope, found: Run) -> bool:
    if isinstance(node.expr, CallExpr) and (pairs := list(set_by_call(node.expr, scope))):
        for made, name, value in pairs:
            made.attributes[name] = value
            made.is_seen = made.is_seen and scope.is_certain
        return True
    evaluate(node.expr, scope)
    return True


def _return(node: ReturnStmt, scope: Scope, found: Run) -> bool:
    value = evaluate(node.expr, scope) if node.expr is not None else NOTHING
    found.returned.append(Returned(node, value, scope.is_certain))
    return False


def _branches(node: IfStmt, scope: Scope, found: Run) -> bool:
    for condition in node.expr:
        evaluate(condition, scope.branch())
    bodies = [*node.body, *([node.else_body] if node.else_body is not None else [])]
    ends = [inner for body in bodies if (inner := _apart(body, scope, found)) is not None]
    if node.else_body is None:
        ends.append(scope.branch())
    scope.is_certain = scope.is_certain and len(ends) == len(bodies) + (node.else_body is None)
    scope.join(ends)
    return bool(ends)


def _apart(body: Block, scope: Scope, found: Run) -> Scope | None:
    """The scope at the end of a branch; None if the end is not reached."""
    inner = scope.branch()
    return inner if _run(body.body, inner, found) else None


def _forget(node: Statement, scope: Scope, found: Run) -> bool:
    """`x += y`, and definitions."""
    for target in targets_of(node):
        _bind(target, UNKNOWN, scope, found)
    return True


def _define(node: FuncDef, scope: Scope, found: Run) -> bool:
    scope.names[node.name] = UNKNOWN
    return True


def _skip(node: Statement, scope: Scope, found: Run) -> bool:
    """Forgets all that a loop or another block may change."""
    inside = statements([node], into_definitions=False)
    found.is_read = False
    for part in nodes_below(node):
        if isinstance(part, NameExpr) and part.name in scope.names:
            hand_out(scope.names[part.name], part, scope)
    for statement in inside:
        for target in targets_of(statement):
            _bind(target, UNKNOWN, scope, found)
        if isinstance(statement, ReturnStmt):
            found.returned.append(Returned(statement, UNKNOWN, is_certain=False))
            scope.is_certain = False
    return True


def _delete(node: DelStmt, scope: Scope, found: Run) -> bool:
    """`del aux`, `del aux["n"]`."""
    for target in targets_of(node):
        base = target.base if isinstance(target, IndexExpr) else target
        if isinstance(base, NameExpr):
            scope.names[base.name] = UNKNOWN
    return True


def _go_on(node: Statement, scope: Scope, found: Run) -> bool:
    return True


def _stop(node: RaiseStmt, scope: Scope, found: Run) -> bool:
    return False


_STEPS: Final[dict[type[Statement], Callable[[Any, Scope, Run], bool]]] = {
    AssertStmt: _go_on,
    AssignmentStmt: _assign,
    DelStmt: _delete,
    ExpressionStmt: _expression,
    FuncDef: _define,
    IfStmt: _branches,
    OperatorAssignmentStmt: _forget,
    PassStmt: _go_on,
    RaiseStmt: _stop,
    ReturnStmt: _return,
}
