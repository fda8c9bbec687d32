"""What a function does that trains a model: it learns, in a loop of its own or in what that calls."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Expression, ForStmt, IntExpr, MemberExpr, NameExpr, Node, WhileStmt

from ..knowledge import naming
from ..syntax.arguments import argument
from ..syntax.names import last_name

_FEWEST_STEPS: Final = 16  # of a loop that trains: of fewer passes, written as a number, it takes longer to compile
_RANGE: Final = "range"
# Where loops of JAX have the number of their passes.
_LENGTHS: Final = {"scan": (3, "length"), "fori_loop": (1, "upper")}


class Learning(NamedTuple):
    """What the nodes of a function say of this."""

    learns: bool = False  # it follows gradients
    loops: bool = False  # in Python or in JAX, for more than a few passes


def learning(nodes: Iterable[Node]) -> Learning:
    learns, looping, short = False, set[Node](), set[Node]()
    for node in nodes:
        if isinstance(node, (NameExpr, MemberExpr)):
            learns = learns or naming.learns(node.name)
            looping |= {node} if naming.loops(node.name) else set()
        elif isinstance(node, WhileStmt) or (isinstance(node, ForStmt) and not _is_short_range(node.expr)):
            looping.add(node)
        elif isinstance(node, CallExpr) and _is_short(node):
            short.add(node.callee)
    return Learning(learns, bool(looping - short))


def _is_short(call: CallExpr) -> bool:
    length = _LENGTHS.get(last_name(call.callee))
    return length is not None and _is_few(argument(call, *length))


def _is_short_range(node: Expression) -> bool:
    return (
        isinstance(node, CallExpr)
        and last_name(node.callee) == _RANGE
        and bool(node.args)
        and all(map(_is_few, node.args))
    )


def _is_few(node: Expression | None) -> bool:
    return isinstance(node, IntExpr) and node.value < _FEWEST_STEPS
