"""Loops that give a call more data on each pass: all that gets those compiles again, whatever else is new there.

Only names are compared, so that the answer is the same in a file that mypy has not analysed; `flow/passes/growing`
also looks at types.
"""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise, takewhile

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    ForStmt,
    FuncItem,
    GeneratorExpr,
    IndexExpr,
    NameExpr,
    Node,
    SliceExpr,
    TupleExpr,
)

from ..syntax.assignments import loops_of, targets_of
from ..syntax.trees import nodes_below, statements
from .passes_apart import all_bound
from .surroundings import repeats


def gets_more(around: Sequence[Node]) -> bool:
    """Whether the innermost loop around a call gives it a part of something that gets longer: `fit(x[:i])`.

    `around`: the nodes around the call, innermost first, and itself first.
    """
    call, inner = around[0], list(takewhile(lambda node: not isinstance(node, FuncItem), around))
    loop = next((parent for child, parent in pairwise(inner) if repeats(child, parent)), None)
    if not isinstance(call, CallExpr) or not isinstance(loop, (ForStmt, GeneratorExpr)):
        return False
    counters = _names_in(target for target, _ in loops_of(loop))
    bound = all_bound(loop)
    return any(_is_longer(value, counters, bound) for given in call.args for value in _values(given, loop))


def _values(given: Expression, loop: Node) -> Iterator[Expression]:
    """An argument, or what the loop assigns to it."""
    yield given
    if isinstance(given, NameExpr) and isinstance(loop, ForStmt):
        for node in statements(loop.body.body, into_definitions=False):
            if isinstance(node, AssignmentStmt) and any(
                isinstance(target, NameExpr) and target.name == given.name for target in targets_of(node)
            ):
                yield node.rvalue


def _is_longer(value: Expression, counters: AbstractSet[str], bound: AbstractSet[str]) -> bool:
    """Whether this is `x[:i]` or `x[i:]`, and not a window of which both bounds move."""
    if not isinstance(value, IndexExpr):
        return False
    parts = value.index.items if isinstance(value.index, TupleExpr) else [value.index]
    for part in parts:
        bounds = (part.begin_index, part.end_index) if isinstance(part, SliceExpr) and part.stride is None else ()
        moving = [found for one in bounds if one is not None and not (found := _names_in([one])).isdisjoint(bound)]
        if len(moving) == 1 and not moving[0].isdisjoint(counters):
            return True
    return False


def _names_in(nodes: Iterable[Node]) -> set[str]:
    below = (part for node in nodes for part in nodes_below(node))
    return {part.name for part in below if isinstance(part, NameExpr)}
