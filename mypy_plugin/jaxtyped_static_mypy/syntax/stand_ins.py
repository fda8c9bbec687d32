"""Functions that only stand for those of subclasses."""

from mypy.nodes import (
    CallExpr,
    EllipsisExpr,
    ExpressionStmt,
    FuncDef,
    PassStmt,
    RaiseStmt,
    ReturnStmt,
    Statement,
    StrExpr,
)

from .literals import is_none
from .names import is_named


def stands_in(function: FuncDef) -> bool:
    """Whether a method does nothing, or only raises `NotImplementedError`: subclasses override it."""
    first = first_statement(function)
    if first is None or isinstance(first, PassStmt) or only_raises(function):
        return True
    if isinstance(first, ReturnStmt):
        return first.expr is None or is_none(first.expr)
    return isinstance(first, ExpressionStmt) and isinstance(first.expr, EllipsisExpr)


def only_raises(function: FuncDef) -> bool:
    """Whether a method only raises `NotImplementedError`, so that a subclass has to override it."""
    first = first_statement(function)
    raised = first.expr if isinstance(first, RaiseStmt) else None
    return is_named(raised.callee if isinstance(raised, CallExpr) else raised, "NotImplementedError")


def is_text(node: object) -> bool:
    """Whether a statement is a text alone, such as a docstring."""
    return isinstance(node, ExpressionStmt) and isinstance(node.expr, StrExpr)


def first_statement(function: FuncDef) -> Statement | None:
    """The first statement after the docstring."""
    body = function.body.body
    if body and is_text(body[0]):
        body = body[1:]
    return body[0] if body else None
