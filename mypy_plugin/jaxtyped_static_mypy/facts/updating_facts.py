"""Reads which methods of a Flax NNX module update their own object on every call: `self.count[...] += 1`.

Only what reads the old value, and runs whatever the arguments are: anything else may be scratch paper of the call.
"""

from collections.abc import Iterable, Iterator
from typing import Final, TypedDict

from mypy.nodes import (
    AssertStmt,
    AssignmentStmt,
    CallExpr,
    ConditionalExpr,
    FuncItem,
    IfStmt,
    IndexExpr,
    MemberExpr,
    Node,
    OperatorAssignmentStmt,
    RaiseStmt,
    ReturnStmt,
    Statement,
    SuperExpr,
    TryStmt,
    TypeInfo,
    WhileStmt,
)

from ..knowledge.full_names import CALL_METHOD
from ..knowledge.members import VARIABLE_ATTRIBUTES, VARIABLE_PACKAGE, VARIABLE_SETTERS
from ..syntax.names import attribute_of
from ..syntax.trees import nodes_below, parts_of
from .class_body import ClassBody, self_name
from .method_facts import MAKING

OWN: Final = ""  # the method itself updates the object
CALL: Final = "()"  # starts the name of a method of the object that it calls
CALL_ABOVE: Final = "super()"  # and of one of the next class in the MRO

_SOMETIMES: Final = (ConditionalExpr, FuncItem, IfStmt, TryStmt, WhileStmt)
_LEAVING: Final = (ReturnStmt, RaiseStmt, AssertStmt)


class UpdatingFacts(TypedDict, total=False):
    """Facts of what methods do to their object."""

    updates: dict[str, list[str]]  # `OWN`, methods called on the object, and `part.method` of what an attribute holds


def read_updating(info: TypeInfo, body: ClassBody) -> UpdatingFacts:
    if not any(base.fullname.startswith(VARIABLE_PACKAGE) for base in info.mro):
        return {}
    methods = (
        (name, method)
        for name, method in body.methods.items()
        if name not in MAKING and name not in body.decorated and method.arguments
    )
    found = {name: sorted(set(_updates(method.body.body, self_name(method)))) for name, method in methods}
    return {"updates": {name: tokens for name, tokens in found.items() if tokens}}


def _updates(body: Iterable[Statement], own: str) -> Iterator[str]:
    for node in _always_run(body):
        if isinstance(node, CallExpr):
            yield from _called(node, own)
        if _moves_on(node, own):
            yield OWN


def _moves_on(node: Node, own: str) -> bool:
    """Whether a node gives an attribute a value that is made of its last one."""
    if isinstance(node, CallExpr):
        return _sets_variable(node, own)
    if isinstance(node, OperatorAssignmentStmt):
        return _variable(node.lvalue, own) is not None
    if not isinstance(node, AssignmentStmt):
        return False
    names = (_variable(target, own) for target in node.lvalues)
    return any(_mentions(node.rvalue, name, own) for name in names if name is not None)


def _always_run(body: Iterable[Statement]) -> Iterator[Node]:
    """What every call runs: nothing below a condition, and nothing behind one that may leave the method."""
    for statement in body:
        pending: list[Node] = [statement]
        while pending:
            node = pending.pop()
            if not isinstance(node, _SOMETIMES):
                yield node
                pending += parts_of(node)
        if any(isinstance(node, _LEAVING) for node in nodes_below(statement)):
            return


def _called(call: CallExpr, own: str) -> Iterator[str]:
    """The methods that a call may run, as tokens."""
    callee = call.callee
    if isinstance(callee, SuperExpr):
        yield CALL_ABOVE + callee.name
    elif (name := attribute_of(callee, own)) is not None:
        yield CALL + name
        yield f"{name}.{CALL_METHOD}"
    elif isinstance(callee, MemberExpr) and (part := attribute_of(callee.expr, own)) is not None:
        yield f"{part}.{callee.name}"


def _sets_variable(call: CallExpr, own: str) -> bool:
    """`self.count.set_value(self.count[...] + 1)`."""
    callee = call.callee
    if not isinstance(callee, MemberExpr) or callee.name not in VARIABLE_SETTERS:
        return False
    name = attribute_of(callee.expr, own)
    return name is not None and any(_mentions(argument, name, own) for argument in call.args)


def _variable(target: Node, own: str) -> str | None:
    """The `count` of `self.count`, `self.count[...]` and `self.count.value`."""
    if isinstance(target, IndexExpr):
        target = target.base
    elif isinstance(target, MemberExpr) and target.name in VARIABLE_ATTRIBUTES:
        target = target.expr
    return attribute_of(target, own)


def _mentions(value: Node, name: str, own: str) -> bool:
    return any(attribute_of(node, own) == name for node in nodes_below(value))
