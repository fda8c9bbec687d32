"""Reads which attributes the methods of a class only count or collect in, as a test double does that records its calls.

`self.calls.append(1)`, `self.traces += 1`: no method reads what is there, so that nothing computed depends on it.
"""

from collections.abc import Iterator
from typing import TypedDict

from mypy.nodes import CallExpr, ExpressionStmt, FuncDef, MemberExpr, Node, OperatorAssignmentStmt

from ..knowledge.members import SEQUENCE_METHODS
from ..syntax.names import attribute_of
from ..syntax.trees import nodes_below, statements
from .class_body import ClassBody, self_name
from .method_facts import MAKING


class CountedFacts(TypedDict, total=False):
    """Facts of what methods count."""

    counted: list[str]


def read_counted(body: ClassBody) -> CountedFacts:
    methods = [method for name, method in body.methods.items() if name not in MAKING and method.arguments]
    counting = [(name, node) for method in methods for name, node in _counted_in(method)]
    places = {node for _, node in counting}
    mentions = (
        name
        for method in methods
        for node in nodes_below(method.body)
        if node not in places and (name := attribute_of(node, self_name(method))) is not None
    )
    return {"counted": sorted({name for name, _ in counting}.difference(mentions))}


def _counted_in(method: FuncDef) -> Iterator[tuple[str, Node]]:
    """The attributes, and where they are mentioned."""
    for statement in statements(method.body.body):
        target: Node | None = None
        if isinstance(statement, OperatorAssignmentStmt):
            target = statement.lvalue
        elif isinstance(statement, ExpressionStmt) and isinstance(call := statement.expr, CallExpr):
            callee = call.callee
            is_collecting = isinstance(callee, MemberExpr) and callee.name in SEQUENCE_METHODS
            target = callee.expr if isinstance(callee, MemberExpr) and is_collecting else None
        name = attribute_of(target, self_name(method))
        if target is not None and name is not None:
            yield name, target
