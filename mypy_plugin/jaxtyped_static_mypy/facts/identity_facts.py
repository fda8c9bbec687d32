"""Reads which attributes `__eq__` and `__hash__` use unconverted: `hash((self.x, ...))`, `self.x == other.x`.

Arrays can be used in neither way. An attribute that goes through a function first (`np.array_equal`, `x.tobytes()`) may
be one. As in `equality_facts`, a token is the name of an attribute or method of `self`, or a constant.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple, TypedDict

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    Expression,
    FuncDef,
    GeneratorExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    ReturnStmt,
    StarExpr,
    StrExpr,
    SuperExpr,
    TupleExpr,
)

from ..syntax.assignments import known_pairs
from ..syntax.names import attribute_of, dotted_name, is_named
from ..syntax.trees import children, statements
from .class_body import ClassBody, read_reached, self_name
from .equality_facts import EVERYTHING, IDENTITY, SUPER

IDENTITY_METHODS: Final = ("__eq__", "__hash__")
_WHOLE: Final = frozenset({"vars", "astuple", "asdict"})  # functions that return all attributes
_COPIES: Final = frozenset({"tuple", "list", "frozenset", "sorted", "items", "values"})


class IdentityFacts(TypedDict, total=False):
    """Facts of a class that defines `__eq__` or `__hash__`."""

    used_as_is: dict[str, list[str]]  # the tokens of both, and of the methods whose results they use


def read_identity(body: ClassBody) -> IdentityFacts:
    def read(name: str) -> list[str]:
        return sorted(set(_read(name, body.methods[name])))

    return {"used_as_is": read_reached(IDENTITY_METHODS, body.methods, read)}


class _Body(NamedTuple):
    """What names mean in the body of a method."""

    self: str
    local: dict[str, Expression]

    @classmethod
    def of(cls, method: FuncDef) -> "_Body":
        assigned = [node for node in statements(method.body.body) if isinstance(node, AssignmentStmt)]
        pairs = (pair for node in assigned for pair in known_pairs(node))
        local = {target.name: value for target, value in pairs if isinstance(target, NameExpr)}
        return cls(self_name(method), local)


def _read(name: str, method: FuncDef) -> Iterator[str]:
    body = _Body.of(method)
    if name not in IDENTITY_METHODS:
        returned = (node.expr for node in statements(method.body.body) if isinstance(node, ReturnStmt))
        for value in returned:
            yield from _parts(value, body) if value is not None else ()
        return
    for statement in method.body.body:
        yield from _uses(statement, body, is_reduced=False)


def _uses(node: Node, body: _Body, *, is_reduced: bool) -> Iterator[str]:
    """What is hashed or compared below a node. `is_reduced`: a function makes one value of a comparison of arrays."""
    if isinstance(node, SuperExpr) and node.name in IDENTITY_METHODS:
        yield SUPER
    if isinstance(node, CallExpr):
        name, of_self = dotted_name(node.callee), len(node.args) == 1 and is_named(node.args[0], body.self)
        if name == "hash" and len(node.args) == 1:
            yield from _parts(node.args[0], body)
        elif of_self and name in ("id", "object.__hash__"):
            yield IDENTITY
        is_reduced = is_reduced or dotted_name(node.callee) != "bool"
    elif isinstance(node, ComparisonExpr) and not is_reduced and {"==", "!="}.issuperset(node.operators):
        for operand in node.operands:
            yield from _parts(operand, body)
    for child in children(node) or ():
        yield from _uses(child, body, is_reduced=is_reduced)


def _parts(node: Expression, body: _Body) -> Iterator[str]:
    """The attributes of which a value consists."""
    if isinstance(node, (TupleExpr, ListExpr)):
        for item in node.items:
            yield from _parts(item, body)
    elif isinstance(node, StarExpr):
        yield from _parts(node.expr, body)
    elif isinstance(node, NameExpr) and node.name in body.local:
        yield from _parts(body.local[node.name], body._replace(local={}))
    elif (name := attribute_of(node, body.self)) is not None:
        yield EVERYTHING if name == "__dict__" else name
    elif isinstance(node, GeneratorExpr):
        yield from _parts(node.left_expr, body)
    elif isinstance(node, CallExpr):
        yield from _parts_of_call(node, body)


def _parts_of_call(node: CallExpr, body: _Body) -> Iterator[str]:
    callee = node.callee
    name = callee.name if isinstance(callee, (MemberExpr, NameExpr)) else ""
    is_of_self = bool(node.args) and is_named(node.args[0], body.self)
    if is_of_self and name == "getattr" and len(node.args) > 1:
        yield node.args[1].value if isinstance(node.args[1], StrExpr) else EVERYTHING
    elif is_of_self and name in _WHOLE:
        yield EVERYTHING
    elif name in _COPIES and node.args:
        yield from _parts(node.args[0], body)
    elif isinstance(callee, MemberExpr):
        is_method = is_named(callee.expr, body.self)
        if is_method or name in _COPIES:
            yield from _parts(callee if is_method else callee.expr, body)
