"""What one pass of a loop makes, and does not keep for another one. Only names are compared."""

from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import Final

from mypy.nodes import AssignmentStmt, CallExpr, FuncItem, MemberExpr, NameExpr, Node

from ..knowledge import naming
from ..syntax.names import dotted_name
from ..syntax.trees import nodes_below
from .surroundings import parents_below, repeats

_KEEPING: Final = frozenset({"add", "append", "appendleft", "extend", "insert", "put", "setdefault", "update"})


def ends_with_pass(around: Sequence[Node]) -> bool:
    """Whether nothing keeps what a call makes beyond the pass of the loop around it.

    The name that it is given only stands where an attribute of it is used, or as an argument of a function. `around`:
    the nodes around the call, innermost first, and itself first.
    """
    inner = list(takewhile(lambda node: not isinstance(node, FuncItem), around))
    loop = next((parent for child, parent in pairwise(inner) if repeats(child, parent)), None)
    parent = around[1] if len(around) > 1 else None
    if loop is None or isinstance(parent, MemberExpr):
        return loop is not None
    target = parent.lvalues[0] if isinstance(parent, AssignmentStmt) and len(parent.lvalues) == 1 else None
    if not isinstance(target, NameExpr):
        return False
    whole = around[len(inner)] if len(inner) < len(around) else around[-1]
    parents, in_loop = parents_below(whole), set(nodes_below(loop))
    uses = [node for node in nodes_below(whole) if isinstance(node, NameExpr) and node.name == target.name]
    return all(node in in_loop and _is_used_there(node, parents.get(node)) for node in uses if node is not target)


def _is_used_there(node: NameExpr, parent: Node | None) -> bool:
    if isinstance(parent, MemberExpr):
        return True
    called = dotted_name(parent.callee) if isinstance(parent, CallExpr) and node in parent.args else None
    name = (called or "").rpartition(".")[2]
    return name != "" and name not in _KEEPING and not naming.is_class(name)
