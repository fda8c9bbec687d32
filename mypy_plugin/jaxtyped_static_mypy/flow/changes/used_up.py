"""Objects that the function around a trace makes for it, and does not use after it."""

from collections.abc import Mapping

from mypy.nodes import FuncItem, IfStmt, NameExpr, Node

from ...reach.roots import Root
from ...reach.uses import POSSIBLE, SYMBOL, uses_of
from ...source.nested_functions import Functions
from ...source.surroundings import are_alternatives, surroundings
from ...syntax.changes import Change, ChangeKind
from ...syntax.trees import nodes_below
from .access_paths import AccessPath


def is_used_up(accessed: AccessPath, crossed: list[Root], roots: Mapping[FuncItem, Root], functions: Functions) -> bool:
    """Whether an object is made for one trace, which reads it, and its function does not use it after that.

    A copy that JAX passes is made for the function that gets it.
    """
    owner, outermost = functions.owners.get(accessed.root), crossed[-1].function
    if owner is None or surroundings(outermost, functions.file).loops:
        return False
    is_copy = owner in roots and accessed.root in roots[owner].copied
    if not is_copy and any(argument.variable is accessed.root for argument in owner.arguments):
        return False
    given = _given_to(outermost, functions)
    inside = 0
    for function, nodes in functions.nodes.items():
        uses = [node for node in nodes if isinstance(node, NameExpr) and node.node is accessed.root]
        if any(functions.is_inside(function, root.function) for root in crossed):
            inside += len(uses)
        elif any(
            function is not owner or (node not in given and _is_after(node, outermost, functions)) for node in uses
        ):
            return False
    return inside > 1


def _given_to(function: FuncItem, functions: Functions) -> frozenset[Node]:
    """What stands in the arguments of the only call that runs a trace, which reads them before."""
    uses = uses_of(functions.file, function)
    calls = [*uses.calls(SYMBOL), *uses.calls_of_results()]
    is_only = len(uses.named(POSSIBLE)) == len(calls) == 1
    return frozenset(part for argument in calls[0].args for part in nodes_below(argument)) if is_only else frozenset()


def is_kept(change: Change, accessed: AccessPath, root: Root, functions: Functions) -> bool:
    """Whether a compiled function fills a cache of the function around it: its next trace reads what is there."""
    tests = (node for node in surroundings(change.context, functions.file).around if isinstance(node, IfStmt))
    asked = (part for test in tests for condition in test.expr for part in nodes_below(condition))
    is_asked = any(isinstance(part, NameExpr) and part.node is accessed.root for part in asked)
    return is_asked and root.transformation is None and change.kind in (ChangeKind.ITEM, ChangeKind.NAME)


def _is_after(node: Node, other: Node, functions: Functions) -> bool:
    return node.line >= other.line and not are_alternatives(node, other, functions.file)
