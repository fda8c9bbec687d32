"""Statements that compute the next value of a variable or attribute from the one before."""

from typing import Final

from mypy.nodes import AssignmentStmt, CallExpr, Expression, MemberExpr, NameExpr, Node, OperatorAssignmentStmt, OpExpr

from ...syntax.assignments import targets_of

_CLAMPING: Final = frozenset({"max", "min"})
_SCALING: Final = frozenset({"*", "/"})


def value_assigned(statement: Node) -> Expression | None:
    """What a statement assigns to a single name first; None for any other statement."""
    is_plain = isinstance(statement, AssignmentStmt) and isinstance(statement.lvalues[0], NameExpr)
    return statement.rvalue if is_plain and isinstance(statement, AssignmentStmt) else None


def updating_operator(statement: Node, use: NameExpr | MemberExpr) -> str | None:
    """The operator of `i += 1`, or of `i = i + 1`; `use`: the variable or attribute, read elsewhere.

    Also of `rate = max(0.1, rate * 0.9)`, but a clamped counter takes few values.
    """
    if isinstance(statement, OperatorAssignmentStmt):
        return statement.op
    value = statement.rvalue if isinstance(statement, AssignmentStmt) else None
    if isinstance(value, CallExpr) and isinstance(value.callee, NameExpr) and value.callee.name in _CLAMPING:
        value = next((part for part in value.args if isinstance(part, OpExpr) and part.op in _SCALING), None)
    operands = (value.left, value.right) if isinstance(value, OpExpr) else ()
    is_update = any(_is_same(part, use) for part in operands)
    return value.op if isinstance(value, OpExpr) and is_update else None


def binds_attribute(statement: Node, read: MemberExpr) -> bool:
    """Whether a statement assigns the attribute that is read."""
    return any(_is_same(target, read) for target in targets_of(statement))


def _is_same(node: Expression, use: NameExpr | MemberExpr) -> bool:
    if isinstance(node, MemberExpr) and isinstance(use, MemberExpr):
        return node.name == use.name and isinstance(use.expr, NameExpr) and _is_same(node.expr, use.expr)
    return isinstance(node, NameExpr) and isinstance(use, NameExpr) and node.node is use.node
