"""Code that is there for long loops alone: a short one has a branch of its own, which makes its passes in Python."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from mypy.nodes import ComparisonExpr, Expression, ForStmt, IfStmt, Node, WhileStmt

from ..syntax.trees import nodes_below

_ORDERING: Final = frozenset({"<", "<=", ">", ">="})


def is_for_long_loops(around: Sequence[Node]) -> bool:
    """Whether a condition around a node asks how much there is to do, and its other branch loops by itself.

    `if n > 10: x = lax.scan(step, x, xs)`, `else: for y in xs: ...`. So the node may never run. `around`: the nodes
    around it, innermost first, and itself first.
    """
    return any(isinstance(outer, IfStmt) and _chooses_loop(outer, inner) for inner, outer in pairwise(around))


def _chooses_loop(choice: IfStmt, taken: Node) -> bool:
    branches = [*choice.body, *([choice.else_body] if choice.else_body is not None else [])]
    if taken not in branches or not any(map(_compares_sizes, choice.expr)):
        return False
    others = (node for branch in branches if branch is not taken for node in nodes_below(branch))
    return any(isinstance(node, (ForStmt, WhileStmt)) for node in others)


def _compares_sizes(condition: Expression) -> bool:
    return isinstance(condition, ComparisonExpr) and not _ORDERING.isdisjoint(condition.operators)
