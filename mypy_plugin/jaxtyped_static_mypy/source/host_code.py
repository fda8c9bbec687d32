"""Code that no trace runs: it shows progress, reads the clock, writes files, or asks arrays for their values."""

from collections.abc import Iterable, Sequence

from mypy.nodes import CallExpr, FuncItem, MemberExpr, Node

from ..knowledge import naming
from ..syntax.trees import parts_of
from .asked_arrays import NameOf, asks_for_values


def is_of_host(function: FuncItem, nodes: Sequence[Node], name_of: NameOf) -> bool:
    """Whether a function does such a thing. `nodes`: its own. `name_of`: the full name of what is called."""
    return _calls_host(nodes, name_of) or asks_for_values(function, nodes, name_of)


def _calls_host(nodes: Iterable[Node], name_of: NameOf) -> bool:
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
