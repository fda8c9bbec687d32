"""What a function does that trains a model: it learns, in a loop of its own or in what that calls."""

from collections.abc import Iterable
from typing import NamedTuple

from mypy.nodes import ForStmt, MemberExpr, NameExpr, Node, WhileStmt

from ..knowledge import naming


class Learning(NamedTuple):
    """What the nodes of a function say of this."""

    learns: bool = False  # it follows gradients
    loops: bool = False  # in Python or in JAX


def learning(nodes: Iterable[Node]) -> Learning:
    learns = loops = False
    for node in nodes:
        if isinstance(node, (NameExpr, MemberExpr)):
            learns, loops = learns or naming.learns(node.name), loops or naming.loops(node.name)
        elif isinstance(node, (ForStmt, WhileStmt)):
            loops = True
    return Learning(learns, loops)
