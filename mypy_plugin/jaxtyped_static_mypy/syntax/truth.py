"""What code asks of a value without reading more of it: whether it is true, or None."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    AssertStmt,
    ComparisonExpr,
    ConditionalExpr,
    Expression,
    IfStmt,
    Node,
    OpExpr,
    UnaryExpr,
    WhileStmt,
)

from .literals import is_none

# The kinds of nodes that may test anything.
TESTING: Final = frozenset({AssertStmt, ComparisonExpr, ConditionalExpr, IfStmt, UnaryExpr, WhileStmt})


def tested_by(node: Node) -> Iterator[Expression]:
    """The expressions of which a node reads no more than this: the `x` of `if not x` and of `x is None`."""
    match node:
        case IfStmt(expr=conditions):
            for condition in conditions:
                yield from _parts(condition)
        case WhileStmt(expr=condition) | AssertStmt(expr=condition) | ConditionalExpr(cond=condition):
            yield from _parts(condition)
        case UnaryExpr(op="not", expr=condition):
            yield from _parts(condition)
        case ComparisonExpr(operators=["is" | "is not"], operands=[asked, other]) if is_none(other):
            yield asked


def _parts(condition: Expression) -> Iterator[Expression]:
    if isinstance(condition, OpExpr) and condition.op in ("and", "or"):
        yield from (*_parts(condition.left), *_parts(condition.right))
    else:
        yield condition
