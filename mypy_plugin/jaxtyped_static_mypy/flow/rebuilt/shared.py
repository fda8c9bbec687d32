"""What a function that rebuilds a pytree writes into the object that was taken apart, and not into a new one."""

from collections.abc import Iterator, Sequence
from typing import Final

from mypy.nodes import AssignmentStmt, CallExpr, Expression, IndexExpr, MemberExpr, NameExpr, Node

from ...classes.self_uses import uses_by_method
from ...facts.set_facts import is_setter
from ...source.values_given import values_bound
from ...syntax.assignments import targets_of
from ...syntax.names import last_name
from ...syntax.trees import nodes_below
from .faults import Fault, Found, name_of
from .registered import Function, Registered
from .statements import Run
from .values import Object

_BY_NAME: Final = "setattr"
_UPDATES: Final = "update"  # `block.state.update(...)`, `block.__dict__.update(...)`


def shared(registered: Registered, function: Function, children: str, done: Run) -> Iterator[Found]:
    """The first place that gives the children to the object that the auxiliary data holds, if that is returned.

    Every tree.map changes the original then, and jit leaves its tracers in it.
    """
    names = {
        found.node.expr.name
        for found in done.returned
        if isinstance(found.value, Object) and isinstance(found.node.expr, NameExpr)
    }
    nodes = nodes_below(function.node)
    given = _given(children, nodes)
    for node in nodes if names else ():
        written = _written(node, registered)
        if written is not None and written.name in names and not given.isdisjoint(_names(node)):
            values = {"function": name_of(function), "cls": registered.info.name, "name": written.name}
            yield Found(Fault.SHARED, node, values)
            return


def _given(children: str, nodes: Sequence[Node]) -> set[str]:
    """The names that hold children."""
    found, values = {children}, values_bound(nodes)
    while added := {
        name
        for name, bound in values.items()
        if name not in found and any(not found.isdisjoint(_names(value)) for value in bound)
    }:
        found |= added
    return found


def _names(node: Node) -> Iterator[str]:
    return (part.name for part in nodes_below(node) if isinstance(part, NameExpr))


def _written(node: Node, registered: Registered) -> NameExpr | None:
    """The name of the object that a statement or call changes."""
    if isinstance(node, AssignmentStmt):
        targets = (target for target in targets_of(node) if isinstance(target, (MemberExpr, IndexExpr)))
        return next((root for target in targets if (root := _root(target)) is not None), None)
    if not isinstance(node, CallExpr):
        return None
    name = last_name(node.callee)
    if (name == _BY_NAME or is_setter(name)) and len(node.args) == 3:
        return node.args[0] if isinstance(node.args[0], NameExpr) else None
    if not isinstance(node.callee, MemberExpr):
        return None
    owner = node.callee.expr
    if isinstance(owner, NameExpr):
        uses = uses_by_method(registered.info).get(name)
        return owner if uses is not None and uses.assigned else None
    return _root(owner) if name == _UPDATES else None


def _root(node: Expression) -> NameExpr | None:
    while isinstance(node, (MemberExpr, IndexExpr)):
        node = node.expr if isinstance(node, MemberExpr) else node.base
    return node if isinstance(node, NameExpr) else None
