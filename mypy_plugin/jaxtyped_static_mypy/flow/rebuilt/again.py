"""What a constructor makes of its arguments, and makes once more of an object that JAX rebuilds through it.

Only arithmetic is read: `theta // 2` of what is halved already is another number. What converts, checks or normalises
a value leaves it as it is the second time.
"""

from collections.abc import Callable, Container, Iterator, Mapping
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    ExpressionStmt,
    FloatExpr,
    FuncDef,
    IntExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    Statement,
    SymbolNode,
    TypeInfo,
    UnaryExpr,
)

from ...syntax.literals import literal
from ...syntax.names import attribute_of, dotted_name
from ...syntax.trees import assignment_targets, nodes_below, self_parameter
from .faults import Fault, Found

_NEUTRAL: Final = {"+": 0, "-": 0, "*": 1, "/": 1, "//": 1, "**": 1}
_SETTER: Final = "object.__setattr__"
_Asks = Callable[[Node], bool]


class Changed(NamedTuple):
    """An attribute that a constructor computes from an argument."""

    attribute: str
    place: Node
    parameter: str  # the name of the argument; of `__post_init__`, that of the attribute itself


def changed_fields(
    info: TypeInfo, maker: FuncDef, given: Mapping[str, str], set_later: Container[str]
) -> Iterator[Found]:
    """The attributes that the constructor changes once more: `given` to its parameters, and not set afterwards."""
    for changed in changed_again(maker):
        if given.get(changed.parameter) == changed.attribute and changed.attribute not in set_later:
            values = {"cls": info.name, "attribute": changed.attribute, "method": maker.name}
            yield Found(Fault.CHANGED_AGAIN, changed.place, values)
            return


def changed_again(method: FuncDef) -> Iterator[Changed]:
    """By `__init__`, or by the `__post_init__` of a dataclass."""
    yield from _by_init(method) if method.name == "__init__" else _by_hook(method)


def _by_init(init: FuncDef) -> Iterator[Changed]:
    """`self.theta = theta // 2`, on every path, of a parameter that is nothing else before."""
    nodes = nodes_below(init.body)
    rebound = {target.node for node in nodes for target in _targets(node) if isinstance(target, NameExpr)}
    parameters = {one.variable: one.variable.name for one in init.arguments[1:] if one.variable not in rebound}
    for attribute, value, place in _set_by(init):
        names = {node.node for node in nodes_below(value) if isinstance(node, NameExpr)}
        for variable, parameter in parameters.items():
            if variable in names and _is_changed(value, _is_variable(variable)):
                yield Changed(attribute, place, parameter)


def _by_hook(hook: FuncDef) -> Iterator[Changed]:
    """`self.theta = self.theta // 2` of `__post_init__`."""
    own = self_parameter(hook)
    name = own.name if own is not None else ""
    for attribute, value, place in _set_by(hook):
        if isinstance(place, OperatorAssignmentStmt):
            is_changed = place.op in _NEUTRAL and not _is_neutral(place.op, value)
        else:
            is_changed = _is_changed(value, _is_attribute(name, attribute))
        if is_changed:
            yield Changed(attribute, place, attribute)


def _is_variable(variable: SymbolNode | None) -> _Asks:
    return lambda node: isinstance(node, NameExpr) and node.node is variable


def _is_attribute(own: str, attribute: str) -> _Asks:
    return lambda node: attribute_of(node, own) == attribute


def _set_by(method: FuncDef) -> list[tuple[str, Expression, Statement]]:
    """The attributes that a method sets once, at its top level, with their values."""
    own = self_parameter(method)
    name = own.name if own is not None else ""
    found = [each for statement in method.body.body for each in _set_in(statement, name)]
    everywhere = [attribute for node in nodes_below(method.body) for attribute in _names_set(node, name)]
    return [each for each in found if everywhere.count(each[0]) == 1]


def _names_set(node: Node, own: str) -> Iterator[str]:
    if isinstance(node, Statement):
        yield from (name for name, _, _ in _set_in(node, own))


def _set_in(statement: Statement, own: str) -> Iterator[tuple[str, Expression, Statement]]:
    if isinstance(statement, OperatorAssignmentStmt | AssignmentStmt):
        for target in _targets(statement):
            if (name := attribute_of(target, own)) is not None:
                yield name, statement.rvalue, statement
    call = statement.expr if isinstance(statement, ExpressionStmt) else None
    if isinstance(call, CallExpr) and dotted_name(call.callee) == _SETTER and len(call.args) == 3:
        name = literal(call.args[1])
        if isinstance(name, str):
            yield name, call.args[2], statement


def _targets(node: Node) -> list[Expression]:
    if isinstance(node, OperatorAssignmentStmt):
        return [node.lvalue]
    return list(assignment_targets(node)) if isinstance(node, AssignmentStmt) else []


def _is_changed(value: Expression, asks: _Asks) -> bool:
    """Whether a value differs from what it is computed from, and so does what is computed from that."""
    if isinstance(value, UnaryExpr):
        return value.op == "-" and _holds(value.expr, asks)
    if not isinstance(value, OpExpr) or value.op not in _NEUTRAL:
        return False
    if _holds(value.left, asks):
        return not _asked_for(value.right, asks) and not _is_neutral(value.op, value.right)
    if _holds(value.right, asks):
        return not _asked_for(value.left, asks) and not (value.op in "+*" and _is_neutral(value.op, value.left))
    return False


def _holds(value: Expression, asks: _Asks) -> bool:
    return asks(value) or _is_changed(value, asks)


def _asked_for(value: Expression, asks: _Asks) -> bool:
    """Whether the other operand is computed from the value, too, as a norm is."""
    return any(map(asks, nodes_below(value)))


def _is_neutral(operator: str, value: Expression) -> bool:
    return isinstance(value, IntExpr | FloatExpr) and value.value == _NEUTRAL[operator]
