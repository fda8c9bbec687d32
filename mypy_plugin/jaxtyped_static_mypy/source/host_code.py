"""Code that no trace runs: it shows progress, reads the clock, writes files, or asks arrays for their values."""

from collections.abc import Callable, Iterable

from mypy.nodes import CallExpr, Expression, FuncItem, MemberExpr, Node

from ..knowledge import naming
from ..syntax.trees import parts_of


def is_of_host(nodes: Iterable[Node], name_of: Callable[[Expression], str | None]) -> bool:
    """Whether one of the nodes of a function calls such a thing. `name_of`: the full name of what is called."""
    for node in nodes:
        if isinstance(node, CallExpr):
            method = node.callee.name if isinstance(node.callee, MemberExpr) else ""
            if naming.asks_arrays(method) or naming.is_of_host(name_of(node.callee) or ""):
                return True
    return False


def own_nodes(function: FuncItem) -> Iterable[Node]:
    """The nodes of a function, without those of functions that it defines."""
    pending = list(parts_of(function))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, FuncItem):
            pending += parts_of(node)
