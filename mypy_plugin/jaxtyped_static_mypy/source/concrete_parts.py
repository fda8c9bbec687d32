"""What code asks of its values that has to be no tracer: conditions, and the bounds of slices."""

from collections.abc import Iterator

from mypy.nodes import (
    ComparisonExpr,
    ConditionalExpr,
    Expression,
    IfStmt,
    IndexExpr,
    MemberExpr,
    NameExpr,
    Node,
    SliceExpr,
    StrExpr,
    UnaryExpr,
)

from ..syntax.literals import is_none


def concrete_parts(node: Node) -> Iterator[Expression]:
    """The expressions of a node that it needs concrete values of."""
    match node:
        case IndexExpr(index=SliceExpr() as part):
            yield from (bound for bound in (part.begin_index, part.end_index) if bound is not None)
        case IfStmt():
            yield from (asked for condition in node.expr if (asked := asked_by(condition)) is not None)
        case ConditionalExpr() if (asked := asked_by(node.cond)) is not None:
            yield asked


def asked_by(condition: Expression) -> Expression | None:
    """What a condition asks that is a flag or a text; None if it may compare numbers."""
    match condition:
        case UnaryExpr(op="not"):
            return asked_by(condition.expr)
        case NameExpr() | MemberExpr():
            return condition
        case ComparisonExpr(operands=[asked, other]) if isinstance(other, StrExpr) or is_none(other):
            return asked
    return None
