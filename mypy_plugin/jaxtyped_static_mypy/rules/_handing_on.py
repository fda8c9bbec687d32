"""Tells functions that compute nothing: JAX compiles them in no time, so nobody minds that it does so again."""

from typing import Final

from mypy.nodes import (
    CallExpr,
    Context,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    ListExpr,
    NameExpr,
    Node,
    ReturnStmt,
    SymbolNode,
    TupleExpr,
)

from ..knowledge.full_names import MOVING
from ..syntax.arguments import keyword_argument
from ..syntax.names import callee_name
from ..syntax.stand_ins import first_statement

_TO: Final = "out_shardings"


def hands_on(made: Node, context: Context) -> bool:
    """Whether a function returns what it gets, as one does to move arrays, or their collective.

    What it captures is compiled in, and moved by `out_shardings` alone. `context`: what compiles it.
    """
    result = _result(made)
    if isinstance(result, CallExpr) and callee_name(result) in MOVING and result.args:
        result = result.args[0]
    parts = result.items if isinstance(result, (TupleExpr, ListExpr)) else [result]
    own = _parameters(made)
    moves = isinstance(context, CallExpr) and keyword_argument(context, _TO) is not None
    return bool(parts) and all(isinstance(part, NameExpr) and (moves or part.node in own) for part in parts)


def _parameters(made: Node) -> set[SymbolNode | None]:
    function = made.func if isinstance(made, Decorator) else made
    return {one.variable for one in function.arguments} if isinstance(function, FuncItem) else set()


def _result(made: Node) -> Expression | None:
    """What a function returns, if it does nothing else."""
    if isinstance(made, LambdaExpr):
        return made.expr()
    function = made.func if isinstance(made, Decorator) else made
    if not isinstance(function, FuncDef):
        return None
    first = first_statement(function)
    return first.expr if isinstance(first, ReturnStmt) else None
