"""Tells functions that compute nothing: JAX compiles them in no time, so nobody minds that it does so again."""

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    LambdaExpr,
    ListExpr,
    NameExpr,
    Node,
    ReturnStmt,
    TupleExpr,
)

from ..knowledge.full_names import MOVING
from ..syntax.names import callee_name
from ..syntax.stand_ins import first_statement


def hands_on(made: Node) -> bool:
    """Whether a function returns what it gets, as one does to move arrays (`out_shardings`), or their collective."""
    result = _result(made)
    if isinstance(result, CallExpr) and callee_name(result) in MOVING and result.args:
        result = result.args[0]
    parts = result.items if isinstance(result, (TupleExpr, ListExpr)) else [result]
    return bool(parts) and all(isinstance(part, NameExpr) for part in parts)


def _result(made: Node) -> Expression | None:
    """What a function returns, if it does nothing else."""
    if isinstance(made, LambdaExpr):
        return made.expr()
    function = made.func if isinstance(made, Decorator) else made
    if not isinstance(function, FuncDef):
        return None
    first = first_statement(function)
    return first.expr if isinstance(first, ReturnStmt) else None
