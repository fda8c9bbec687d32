"""Functions that the source lists for one loop, which calls each of them once.

`checks = [("numpy", check_numpy), ("jax", check_jax)]`, and then `for name, check in checks: check()`.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    Block,
    CallExpr,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncItem,
    GeneratorExpr,
    NameExpr,
    Node,
    WhileStmt,
)

from ..syntax.names import last_name
from ..syntax.trees import nodes_below

_COUNTING: Final = "enumerate"
_MEASURING: Final = "len"
_REPEATING: Final = (DictionaryComprehension, ForStmt, FuncItem, GeneratorExpr, WhileStmt)


def is_called_in_turn(around: Sequence[Node]) -> bool:
    """Whether a list is there for one loop of a function. `around`: the nodes around it, innermost first, from what
    gets the list on. The loop is in the same block, and so runs as often as the list is made.
    """
    holder, block = around[0], around[1] if len(around) > 1 else None
    if not isinstance(holder, AssignmentStmt) or not isinstance(block, Block) or len(holder.lvalues) != 1:
        return False
    name, function = holder.lvalues[0], next((node for node in around if isinstance(node, FuncItem)), None)
    if not isinstance(name, NameExpr) or function is None:
        return False
    loops = [node for node in block.body if isinstance(node, ForStmt) and _goes_over(node.expr, name.name)]
    uses = [node for node in nodes_below(function) if isinstance(node, NameExpr) and node.name == name.name]
    measured = [node for node in nodes_below(function) if isinstance(node, CallExpr) and _measures(node, name.name)]
    return len(loops) == 1 and len(uses) == 2 + len(measured) and _calls_each(loops[0])


def _goes_over(items: Expression, name: str) -> bool:
    while isinstance(items, CallExpr) and last_name(items.callee) == _COUNTING and items.args:
        items = items.args[0]
    return isinstance(items, NameExpr) and items.name == name


def _measures(call: CallExpr, name: str) -> bool:
    return last_name(call.callee) == _MEASURING and len(call.args) == 1 and _goes_over(call.args[0], name)


def _calls_each(loop: ForStmt) -> bool:
    """Whether each pass of a loop calls its item, or a part of that, and does nothing else with what it calls."""
    targets = {node.name for node in nodes_below(loop.index) if isinstance(node, NameExpr)}
    called = {node.callee for node in nodes_below(loop.body) if isinstance(node, CallExpr)}
    functions = {node.name for node in called if isinstance(node, NameExpr) and node.name in targets}
    again = {use for node in nodes_below(loop.body) if isinstance(node, _REPEATING) for use in _named(node, functions)}
    return bool(functions) and not again and called.issuperset(_named(loop.body, functions))


def _named(node: Node, names: set[str]) -> Iterator[NameExpr]:
    return (part for part in nodes_below(node) if isinstance(part, NameExpr) and part.name in names)
