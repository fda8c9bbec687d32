"""Reads which attributes the constructors of a class set on the object, by themselves and in the methods they call."""

from collections.abc import Iterator
from typing import Final, TypedDict

from mypy.nodes import CallExpr, Expression, ExpressionStmt, FuncDef, IndexExpr, MemberExpr, Node, StrExpr, SuperExpr

from ..syntax.trees import ASSIGNMENTS, assignment_targets, dotted_name, nodes_below, statements
from .class_body import ClassBody

CONSTRUCTORS: Final[tuple[str, ...]] = ("__init__", "__post_init__", "__attrs_post_init__")
# Starts of tokens for calls of methods: on the object, and of the next class in the MRO.
CALLED: Final = "()"
CALLED_ABOVE: Final = "super()"
_SETTERS: Final = ("__setattr__", "setattr")


class SetFacts(TypedDict, total=False):
    """Facts of the methods that run while an object is made."""

    sets: dict[str, list[str]]  # method -> the attributes that it sets, and tokens for the methods that it calls


def read_sets(body: ClassBody) -> SetFacts:
    found: dict[str, list[str]] = {}
    pending = [name for name in CONSTRUCTORS if name in body.methods]
    while pending:
        method = pending.pop()
        if method not in found:
            function = body.methods[method]
            found[method] = sorted({*(name for name, _ in attributes_set(function)), *_calls(function)})
            called = (token.removeprefix(CALLED) for token in found[method])
            pending += [name for name in called if name in body.methods]
    return {"sets": {method: names for method, names in found.items() if names}}


def attributes_set(function: FuncDef) -> Iterator[tuple[str, Node]]:
    """The attributes that a method sets on its object, each with the statement."""
    if not function.arguments:
        return
    self_name = function.arguments[0].variable.name
    for node in statements(function.body.body, into_definitions=False):
        if isinstance(node, ASSIGNMENTS):
            names = [_attribute(target, self_name) for target in assignment_targets(node)]
        else:
            names = [_set_by_call(node.expr, self_name) if isinstance(node, ExpressionStmt) else None]
        yield from ((name, node) for name in names if name is not None)


def _attribute(target: Expression, self_name: str) -> str | None:
    """The attribute in `self.x = ...` or `self.__dict__["x"] = ...`."""
    if isinstance(target, MemberExpr):
        return target.name if dotted_name(target.expr) == self_name else None
    if isinstance(target, IndexExpr) and isinstance(target.index, StrExpr):
        return target.index.value if dotted_name(target.base) == f"{self_name}.__dict__" else None
    return None


def _set_by_call(call: Expression, self_name: str) -> str | None:
    """The attribute in `object.__setattr__(self, "x", ...)`, or in one of its other spellings."""
    if not isinstance(call, CallExpr) or getattr(call.callee, "name", "") not in _SETTERS or len(call.args) < 2:
        return None
    name = call.args[-2]
    on_self = len(call.args) == 3 and dotted_name(call.args[0]) == self_name
    bound = isinstance(call.callee, SuperExpr) or dotted_name(call.callee) == f"{self_name}.__setattr__"
    return name.value if isinstance(name, StrExpr) and (on_self or (bound and len(call.args) == 2)) else None


def _calls(function: FuncDef) -> Iterator[str]:
    self_name = function.arguments[0].variable.name if function.arguments else ""
    for node in nodes_below(function.body):
        callee = node.callee if isinstance(node, CallExpr) else None
        if isinstance(callee, SuperExpr):
            yield CALLED_ABOVE + callee.name
        elif isinstance(callee, MemberExpr) and dotted_name(callee.expr) == self_name:
            yield CALLED + callee.name
