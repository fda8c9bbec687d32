"""Runs the body of a flatten function in order, up to its `return`."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from mypy.nodes import (
    AssignmentStmt,
    Block,
    CallExpr,
    DelStmt,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncItem,
    IfStmt,
    IndexExpr,
    MemberExpr,
    NameExpr,
    ReturnStmt,
    Statement,
    TupleExpr,
)

from ..syntax.assignments import values_of_items
from ..syntax.trees import assignment_targets, single_targets, statements, walk
from .flatten_expressions import FlattenScope, evaluate, loop_values, merged, root, without_key
from .flatten_values import UNKNOWN, FlattenValue, either, sequence


def run(function: FuncItem) -> tuple[FlattenValue, FlattenValue]:
    """Returns the values of the children and of the auxiliary data that the function's only `return` has."""
    scope = FlattenScope(function.arguments[0].variable.name)
    _run(function.body.body, scope)
    return scope.returned or (UNKNOWN, UNKNOWN)


def _run(body: Iterable[Statement], scope: FlattenScope) -> None:
    for node in body:
        _STEPS.get(type(node), _skip)(node, scope)


def _assign(node: AssignmentStmt, scope: FlattenScope) -> None:
    value = evaluate(node.rvalue, scope)
    for target in node.lvalues:
        if isinstance(target, NameExpr):
            scope.names[target.name] = value
        elif isinstance(target, IndexExpr) and isinstance(target.base, NameExpr):
            _set_item(target.base.name, target.index, value, scope)
        elif isinstance(target, TupleExpr) and isinstance(node.rvalue, TupleExpr):
            _assign_items(target.items, node.rvalue, scope)
        else:
            _forget(single_targets(target), scope)


def _set_item(name: str, index: Expression, value: FlattenValue, scope: FlattenScope) -> None:
    """`aux["n"] = self.n`."""
    key = evaluate(index, scope).text
    scope.names[name] = scope.names.get(name, UNKNOWN).with_item(key, value) if key is not None else UNKNOWN


def _assign_items(targets: list[Expression], value: TupleExpr, scope: FlattenScope) -> None:
    """`u, n = self.u, self.n`: all values are evaluated before the first name is bound."""
    values = {item: evaluate(item, scope) for item in value.items}
    _forget(targets, scope)
    for target, item in zip(targets, values_of_items(targets, value), strict=True):
        if isinstance(target, NameExpr) and item is not None:
            scope.names[target.name] = values[item]


def _forget(targets: Iterable[Expression], scope: FlattenScope) -> None:
    """Forgets the names that may be bound or changed: all those in `(a if b else c)[key]`."""
    for target in targets:
        name = root(target)
        parts = [name] if name is not None else [part.name for part in walk(target) if isinstance(part, NameExpr)]
        scope.names.update(dict.fromkeys(parts, UNKNOWN))


def _return(node: ReturnStmt, scope: FlattenScope) -> None:
    if isinstance(node.expr, TupleExpr) and len(node.expr.items) == 2:
        children, auxiliary = node.expr.items
        scope.returned = evaluate(children, scope), evaluate(auxiliary, scope)


def _call(node: ExpressionStmt, scope: FlattenScope) -> None:
    """`aux.pop("x")`, `aux.update(n=self.n)`, `aux.append(self.n)`; any other call may change what it gets."""
    call = node.expr
    evaluate(call, scope)
    if not isinstance(call, CallExpr):
        return
    _forget((argument for argument in call.args if isinstance(argument, NameExpr)), scope)
    callee = call.callee
    if not isinstance(callee, MemberExpr) or callee.name == "pop":
        return
    name = callee.expr.name if isinstance(callee.expr, NameExpr) else ""
    if name in scope.names and callee.name == "update":
        scope.names[name] = merged(scope.names[name], call, scope)
    elif name in scope.names and callee.name == "append":
        added = sequence(evaluate(argument, scope) for argument in call.args)
        scope.names[name] = sequence([scope.names[name].as_items(), added.as_items()])._replace(sources=None)
    else:
        _forget([callee.expr], scope)


def _delete(node: DelStmt, scope: FlattenScope) -> None:
    """`del aux["x"]`."""
    target = node.expr
    if isinstance(target, IndexExpr) and isinstance(target.base, NameExpr):
        known = scope.names.get(target.base.name, UNKNOWN)
        scope.names[target.base.name] = without_key(known, [target.index], scope)
    else:
        _forget([target], scope)


def _branch(node: IfStmt, scope: FlattenScope) -> None:
    bodies = [*node.body, *([node.else_body] if node.else_body is not None else [])]
    ends = [_run_apart(body, scope) for body in bodies]
    if node.else_body is None:
        ends.append(scope.copy())
    scope.returned = next((end.returned for end in ends if end.returned is not None), None)
    for name in {name for end in ends for name in end.names}:
        values = [end.names[name] for end in ends if name in end.names]
        found = values[0]
        for value in values[1:]:
            found = either(found, value)
        scope.names[name] = found


def _run_apart(body: Block, scope: FlattenScope) -> FlattenScope:
    inner = scope.copy()
    _run(body.body, inner)
    return inner


def _loop(node: ForStmt, scope: FlattenScope) -> None:
    values = loop_values(node.index, node.expr, scope)
    if values is None:
        _skip(node, scope)
        return
    for names in values:
        scope.names.update(names)
        _run(node.body.body, scope)


def _skip(node: Statement, scope: FlattenScope) -> None:
    """Forgets all names that a statement may change, and goes on to a `return` inside it."""
    inside = statements([node], into_definitions=False)
    for statement in inside:
        _forget(assignment_targets(statement), scope)
        if isinstance(statement, ForStmt):
            _forget((part for part in walk(statement.index) if isinstance(part, NameExpr)), scope)
        if isinstance(statement, ExpressionStmt) and isinstance(statement.expr, CallExpr):
            _forget([statement.expr.callee, *statement.expr.args], scope)
    _run((statement for statement in inside if isinstance(statement, ReturnStmt)), scope)


_STEPS: Final[dict[type[Statement], Callable[[Any, FlattenScope], None]]] = {
    AssignmentStmt: _assign,
    DelStmt: _delete,
    ExpressionStmt: _call,
    ForStmt: _loop,
    IfStmt: _branch,
    ReturnStmt: _return,
}
