"""Reads which attributes a flatten function returns, if it has a single `return children, auxiliary`."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DictExpr,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncItem,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    ReturnStmt,
    Statement,
    TupleExpr,
)

from ..syntax.trees import assignment_targets, children, statements, walk

FLATTEN_METHODS: Final = ("tree_flatten", "tree_flatten_with_keys")
_CONSTANTS: Final = ("None", "True", "False")


def read_flatten(function: FuncItem) -> list[list[str]] | None:
    """`[children, static]`: attributes among the children, and those that are auxiliary data as they are."""
    body = list(statements(function.body.body, into_definitions=False))
    returned = [node.expr for node in body if isinstance(node, ReturnStmt)]
    pair = returned[0] if len(returned) == 1 else None
    if not function.arguments or not isinstance(pair, TupleExpr) or len(pair.items) != 2:
        return None
    name, local = function.arguments[0].variable.name, _bound(body)
    made, auxiliary = (_expand(item, local) for item in pair.items)
    data = _children(made, name, local) if isinstance(made, (TupleExpr, ListExpr)) else None
    return None if data is None else [data, [kept for kept in _kept(auxiliary, name, local, set()) if kept not in data]]


_Local = dict[str, Expression | None]


def _bound(body: list[Statement]) -> _Local:
    """The value of each local name; None if there are several assignments."""
    bound: _Local = {}
    for node in body:
        for name, value in _bindings(node):
            bound[name] = None if name in bound else value
    return bound


def _bindings(node: Statement) -> Iterator[tuple[str, Expression | None]]:
    if isinstance(node, ForStmt):
        yield from ((part.name, None) for part in walk(node.index) if isinstance(part, NameExpr))
    elif isinstance(node, ExpressionStmt) and isinstance(node.expr, CallExpr):
        yield from ((name, None) for name in _root(node.expr.callee))  # `children.append(...)`
    for target in assignment_targets(node):
        if isinstance(target, NameExpr):
            whole = isinstance(node, AssignmentStmt) and target in node.lvalues
            yield target.name, node.rvalue if whole and isinstance(node, AssignmentStmt) else None
        else:
            yield from ((name, None) for name in _root(target))


def _root(node: Expression) -> list[str]:
    """The name at the root of `name.part` or `name[part]`."""
    while isinstance(node, (MemberExpr, IndexExpr)):
        node = node.expr if isinstance(node, MemberExpr) else node.base
    return [node.name] if isinstance(node, NameExpr) else []


def _expand(node: Expression, local: _Local) -> Expression:
    return (local.get(node.name) or node) if isinstance(node, NameExpr) else node


def _children(node: Node, of: str, local: _Local) -> list[str] | None:
    """Every attribute of a name in the children; None if they depend on something that is not followed."""
    found: list[str] = []
    pending, followed = [node], set[str]()
    while pending:
        part = pending.pop(0)
        below = _below(part, of, local)
        if below is None:
            return None
        if isinstance(part, MemberExpr) and is_attribute(part, of):
            found.append(part.name)
        elif not isinstance(part, NameExpr) or part.name not in followed:
            if isinstance(part, NameExpr):
                followed.add(part.name)
            pending += below
    return list(dict.fromkeys(found))


def _below(node: Node, of: str, local: _Local) -> list[Node] | None:
    """The parts of a part of the children; None if unknown: the object itself, the variable of a loop."""
    if isinstance(node, NameExpr):
        value = local.get(node.name)
        return [value] if value is not None else [] if node.name in _CONSTANTS else None
    if isinstance(node, MemberExpr) and is_attribute(node, of):
        return None if node.name.startswith("__") else []
    if isinstance(node, CallExpr):
        if is_attribute(node.callee, of):
            return None
        if not {of, *local}.intersection(_root(node.callee)):
            return [*node.args]  # a function from elsewhere
    return children(node)


def _kept(node: Expression, of: str, local: _Local, followed: set[str]) -> Iterator[str]:
    """Attributes that are items of a tuple, list or dict; not what is computed from one."""
    if isinstance(node, NameExpr):
        value = local.get(node.name) if node.name not in followed else None
        followed.add(node.name)
        if value is not None:
            yield from _kept(value, of, local, followed)
    elif isinstance(node, MemberExpr) and is_attribute(node, of):
        yield node.name
    elif isinstance(node, (TupleExpr, ListExpr)):
        for item in node.items:
            yield from _kept(item, of, local, followed)
    elif isinstance(node, DictExpr):
        for _, value in node.items:
            yield from _kept(value, of, local, followed)


def is_attribute(node: object, of: str) -> bool:
    return isinstance(node, MemberExpr) and isinstance(node.expr, NameExpr) and node.expr.name == of
