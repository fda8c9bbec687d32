"""Code in a loop that hardly any pass runs, or for which nobody waits: a person takes longer."""

from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    ExpressionStmt,
    IfStmt,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    TryStmt,
    UnaryExpr,
    WhileStmt,
)

from ..syntax.names import last_name

_INPUT: Final = "input"
_ASKING_ALL: Final = frozenset({"all", "any", "bool"})
_FAILED: Final = frozenset({"isinf", "isnan"})
_FINE: Final = frozenset({"isfinite"})


def is_after_failure(child: Node, parent: Node) -> bool:
    """Whether a part of a statement runs only after something has gone wrong: an `except`, or a number that is none."""
    if isinstance(parent, TryStmt):
        return child in parent.handlers
    if not isinstance(parent, IfStmt):
        return False
    branches = zip(parent.expr, parent.body, strict=True)
    return any(body is child and _says_failed(condition, is_asked=True) for condition, body in branches)


def _says_failed(condition: Expression, *, is_asked: bool) -> bool:
    """`np.isnan(loss) and tries < 3`, `not jnp.isfinite(x).all()`. `is_asked`: not below a `not`."""
    if isinstance(condition, UnaryExpr):
        return condition.op == "not" and _says_failed(condition.expr, is_asked=not is_asked)
    if isinstance(condition, OpExpr):
        of_any = condition.op == ("and" if is_asked else "or")
        sides = [_says_failed(side, is_asked=is_asked) for side in (condition.left, condition.right)]
        return any(sides) if of_any else all(sides)
    if not isinstance(condition, CallExpr):
        return False
    name = last_name(condition.callee)
    if name in _ASKING_ALL:
        inner = condition.args[0] if condition.args else condition.callee
        inner = inner.expr if inner is condition.callee and isinstance(inner, MemberExpr) else inner
        return _says_failed(inner, is_asked=is_asked)
    return name in (_FAILED if is_asked else _FINE)


def waits_for_somebody(loop: Node) -> bool:
    """Whether each pass of a loop begins or ends with what a person types: `move = input("Your move: ")`."""
    statements = loop.body.body if isinstance(loop, WhileStmt) else []
    values = (
        statement.rvalue if isinstance(statement, AssignmentStmt) else statement.expr
        for statement in statements
        if isinstance(statement, (AssignmentStmt, ExpressionStmt))
    )
    return any(map(_is_typed, values))


def _is_typed(value: Expression) -> bool:
    """`input(...)`, `int(input(...))`, `input(...).strip()`."""
    while isinstance(value, CallExpr):
        if isinstance(value.callee, NameExpr) and value.callee.name == _INPUT:
            return True
        if isinstance(value.callee, MemberExpr):
            value = value.callee.expr
        elif value.args:
            value = value.args[0]
        else:
            return False
    return False
