"""Finds callbacks that compiled code leaves out, because nothing uses what they return."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import AssignmentStmt, CallExpr, Expression, ExpressionStmt, NameExpr, Node

from ...knowledge.jax_functions import jax_name
from ...knowledge.pure_functions import REMOVED_CALLBACKS
from ...reach.roots import Root, traced_code
from ...source.nested_functions import Functions
from ...syntax.imports import full_name
from ...syntax.names import dotted_name

_UNUSED: Final = "_"


class Removed(NamedTuple):
    """A callback of a compiled function whose result a statement drops."""

    call: CallExpr
    called: str
    root: Root


def removed_callbacks(functions: Functions) -> Iterator[Removed]:
    for inner, around in traced_code(functions):
        compiled = [root for root in around if root.stages]
        for node in functions.nodes[inner] if compiled else ():
            call = _dropped(node)
            if (
                isinstance(call, CallExpr)
                and jax_name(full_name(call.callee, functions.file.tree)) in REMOVED_CALLBACKS
            ):
                yield Removed(call, dotted_name(call.callee) or "pure_callback", compiled[0])


def _dropped(node: Node) -> Expression | None:
    if isinstance(node, ExpressionStmt):
        return node.expr
    if not isinstance(node, AssignmentStmt):
        return None
    is_unused = all(isinstance(target, NameExpr) and target.name == _UNUSED for target in node.lvalues)
    return node.rvalue if is_unused else None
