"""Statements that compute the next value of a variable or attribute from the one before."""

from mypy.nodes import AssignmentStmt, Expression, MemberExpr, NameExpr, Node, OperatorAssignmentStmt, OpExpr

from ...syntax.assignments import targets_of


def value_assigned(statement: Node) -> Expression | None:
    """What a statement assigns to a single name first; None for any other statement."""
    is_plain = isinstance(statement, AssignmentStmt) and isinstance(statement.lvalues[0], NameExpr)
    return statement.rvalue if is_plain and isinstance(statement, AssignmentStmt) else None


def updating_operator(statement: Node, use: NameExpr | MemberExpr) -> str | None:
    """The operator of `i += 1`, or of `i = i + 1`; `use`: the variable or attribute, read elsewhere."""
    if isinstance(statement, OperatorAssignmentStmt):
        return statement.op
    value = statement.rvalue if isinstance(statement, AssignmentStmt) else None
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
