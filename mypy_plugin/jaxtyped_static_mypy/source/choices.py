"""Variables that stand for one of several functions: `fn = f if c else g`, or a table of them, `FNS[name]`."""

from collections.abc import Callable, Sequence
from typing import Final

from mypy.nodes import (
    CallExpr,
    ConditionalExpr,
    DictExpr,
    Expression,
    IndexExpr,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    SliceExpr,
    TupleExpr,
)

from ..knowledge.full_names import PARTIAL
from ..syntax.literals import is_none
from .handing import NameOf

_ASKING: Final = "get"


def is_choice(value: Expression | None, is_function: Callable[[RefExpr], bool], name_of: NameOf) -> bool:
    """Whether a value is one of the functions that the source names, or None.

    Not what another function makes: a variable that is given `jax.jit(fn)` later holds no more what it held.
    """
    match value:
        case None:
            return False
        case LambdaExpr():
            return True
        case ConditionalExpr():
            return all(is_choice(part, is_function, name_of) for part in (value.if_expr, value.else_expr))
        case NameExpr() | MemberExpr():
            return is_none(value) or is_function(value)
        case CallExpr(args=[function, *_]) if name_of(value.callee) == PARTIAL:
            return is_choice(function, is_function, name_of)
    return False


def is_table(value: Node | None) -> bool:
    return isinstance(value, DictExpr | ListExpr | TupleExpr)


def taken_from(around: Sequence[Node]) -> Expression | None:
    """What code takes from a table: `FNS[name]`, `FNS.get(name)`. `around`: the table, and the nodes around it."""
    table, *outer = around
    match outer:
        case [IndexExpr() as item, *_] if item.base is table:
            return item if not isinstance(item.index, SliceExpr) else None
        case [MemberExpr(name=name) as method, CallExpr() as call, *_] if name == _ASKING and call.callee is method:
            return call
    return None
