"""Reads which attributes a flatten function returns, if it has a single `return children, auxiliary`.

Its body is run in order, on symbolic values, up to that `return`.
"""

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any, Final, TypedDict

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

from ..syntax.assignments import assigned_pairs, targets_of
from ..syntax.trees import nodes_below, statements
from .flatten_expressions import FlattenScope, evaluate, loop_values, merged, root, without_key
from .flatten_values import UNKNOWN, either, sequence


class FlattenFacts(TypedDict):
    """The attributes that the children depend on, and those that become auxiliary data unchanged."""

    data: list[str] | None  # None if it is unknown what the children depend on
    static: list[str]
    static_without: list[str] | None  # if all other attributes are static: those that are not


def read_flatten(function: FuncItem) -> FlattenFacts | None:
    """The facts of a flatten function; None if nothing is known of what it returns."""
    body = statements(function.body.body, into_definitions=False)
    returned = [node.expr for node in body if isinstance(node, ReturnStmt)]
    pair = returned[0] if len(returned) == 1 else None
    if not function.arguments or not isinstance(pair, TupleExpr) or len(pair.items) != 2:
        return None
    scope = FlattenScope(function.arguments[0].variable.name)
    _run(function.body.body, scope)
    children, auxiliary = scope.returned or (UNKNOWN, UNKNOWN)
    data = sorted(children.sources) if children.sources is not None and children.is_sequence else None
    if data is None and not auxiliary.kept and auxiliary.without is None:
        return None
    without = sorted(auxiliary.without) if auxiliary.without is not None else None
    return {"data": data, "static": sorted(auxiliary.kept.difference(data or ())), "static_without": without}


def _run(body: Iterable[Statement], scope: FlattenScope) -> None:
    for node in body:
        _STEPS.get(type(node), _skip)(node, scope)


def _assign(node: AssignmentStmt, scope: FlattenScope) -> None:
    """`u, n = self.u, self.n`, `aux["n"] = self.n`: all values are evaluated before the first name is bound."""
    pairs = list(assigned_pairs(node))
    values = {part: evaluate(part, scope) for part in dict.fromkeys(value or node.rvalue for _, value in pairs)}
    for target, value in pairs:
        known = values[value] if value is not None else UNKNOWN
        if isinstance(target, NameExpr):
            scope.names[target.name] = known
        elif isinstance(target, IndexExpr) and isinstance(target.base, NameExpr):
            name, key = target.base.name, evaluate(target.index, scope).text
            scope.names[name] = scope.names.get(name, UNKNOWN).with_item(key, known) if key is not None else UNKNOWN
        else:
            _forget([target], scope)


def _forget(targets: Iterable[Expression], scope: FlattenScope) -> None:
    """Forgets the names that may be bound or changed: all those in `(a if b else c)[key]`."""
    for target in targets:
        name = root(target)
        names = (part.name for part in nodes_below(target) if isinstance(part, NameExpr))
        scope.names.update(dict.fromkeys([name] if name is not None else names, UNKNOWN))


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
        ends.append(scope.inner())
    scope.returned = next((end.returned for end in ends if end.returned is not None), None)
    for name in {name for end in ends for name in end.names}:
        scope.names[name] = reduce(either, (end.names[name] for end in ends if name in end.names))


def _run_apart(body: Block, scope: FlattenScope) -> FlattenScope:
    inner = scope.inner()
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
        _forget(targets_of(statement), scope)
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
