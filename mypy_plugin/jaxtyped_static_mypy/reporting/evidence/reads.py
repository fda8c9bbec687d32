"""Which attributes of an argument the function reads that gets it."""

from mypy.nodes import FuncDef, MemberExpr, NameExpr, TypeInfo, Var
from mypy.types import Instance, get_proper_type

from ...classes.self_uses import reached_from, uses_by_method
from ...markers.marker import without_marker
from ...syntax.trees import nodes_below, self_parameter
from ..positions import Position


def attributes_read(position: Position) -> frozenset[str] | None:
    """The attributes and methods; None if it may read others, as far as the file shows."""
    function, proper = position.function, get_proper_type(without_marker(position.type))
    if position.method and isinstance(proper, Instance):
        return _with_methods(frozenset({position.method}), proper.type)
    if function is None:
        return None
    parameter = next((arg.variable for arg in function.arguments if arg.variable.name == position.name), None)
    if parameter is None or not isinstance(proper, Instance):
        return None
    if parameter is self_parameter(function):
        return _with_methods(frozenset({function.name}), proper.type)
    return _read_of(parameter, function, proper.type)


def _read_of(parameter: Var, function: FuncDef, info: TypeInfo) -> frozenset[str] | None:
    nodes = list(nodes_below(function.body))
    mentions = {node for node in nodes if isinstance(node, NameExpr) and node.node is parameter}
    members = [node for node in nodes if isinstance(node, MemberExpr) and node.expr in mentions]
    if len(mentions) > len(members):
        return None  # handed on as a whole
    return _with_methods(frozenset(node.name for node in members), info)


def _with_methods(names: frozenset[str], info: TypeInfo) -> frozenset[str] | None:
    """These attributes and methods, and what the methods read by themselves."""
    uses = uses_by_method(info)
    found = set(names)
    for name in names:
        reached = reached_from(name, uses, info)
        if not reached.is_known:
            return None
        found |= reached.attributes | reached.methods
    return frozenset(found)
