"""Tests of whether an attribute of an object has a value yet."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Expression,
    ExpressionStmt,
    FloatExpr,
    IfStmt,
    IntExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RaiseStmt,
    StrExpr,
    TupleExpr,
    UnaryExpr,
)

from jaxtyped_static_mypy.syntax.literals import is_none
from jaxtyped_static_mypy.syntax.names import is_named
from jaxtyped_static_mypy.syntax.trees import assignment_targets, nodes_below, statements

_CONSTANTS: Final = frozenset({"True", "False", "None"})
_IS: Final = (["is"], ["=="])
_IS_NOT: Final = (["is not"], ["!="])


class Empty(NamedTuple):
    """An attribute that has no value where a test leads."""

    attribute: str
    is_certain: bool  # nothing else has to hold


def constant(node: Expression | None) -> str:
    """A value that the source gives, as a text; empty for any other."""
    match node:
        case IntExpr() | FloatExpr() | StrExpr():
            return repr(node.value)
        case NameExpr() if node.name in _CONSTANTS:
            return node.name
        case UnaryExpr(op="-"):
            inner = constant(node.expr)
            return f"-{inner}" if inner else ""
        case TupleExpr():
            parts = [constant(item) for item in node.items]
            return f"({', '.join(parts)})" if all(parts) else ""
    return ""


def empty_if(test: Expression, *, outcome: bool) -> Empty | None:
    """The attribute that has no value if a test has this outcome."""
    match test:
        case UnaryExpr(op="not", expr=MemberExpr(name=name)) if outcome:
            return Empty(name, True)
        case UnaryExpr(op="not"):
            return empty_if(test.expr, outcome=not outcome)
        case MemberExpr(name=name) if not outcome:
            return Empty(name, True)
        case ComparisonExpr(operators=operators, operands=[MemberExpr(name=name), other]) if is_none(other):
            return Empty(name, True) if operators in (_IS if outcome else _IS_NOT) else None
        case CallExpr(args=[_, StrExpr(value=name)]) if is_named(test.callee, "hasattr") and not outcome:
            return Empty(name, True)
        case OpExpr(op="and" | "or") if (test.op == "and") is outcome:
            found = empty_if(test.left, outcome=outcome) or empty_if(test.right, outcome=outcome)
            return found._replace(is_certain=False) if found is not None else None
    return None


def asked_by(test: Expression) -> Iterator[str]:
    """The attributes of which a test asks whether they have a value."""
    for node in nodes_below(test):
        match node:
            case ComparisonExpr(operands=[MemberExpr(name=name), other]) if is_none(other):
                yield name
            case CallExpr(args=[_, StrExpr(value=name), *_]) if is_named(node.callee, "hasattr"):
                yield name
            case UnaryExpr(op="not", expr=MemberExpr(name=name)):
                yield name
            case OpExpr(op="and" | "or"):
                yield from (part.name for part in (node.left, node.right) if isinstance(part, MemberExpr))
    if isinstance(test, MemberExpr):
        yield test.name


def only_fills(node: IfStmt, attribute: str) -> bool:
    """Whether what stands behind a test just gives the attribute a value, or raises."""
    if node.else_body is not None or len(node.body) > 1:
        return False
    inner = statements(node.body[0].body)
    if any(isinstance(statement, RaiseStmt) for statement in inner):
        return True
    targets = (target for statement in inner for target in assignment_targets(statement))
    if any(isinstance(target, MemberExpr) and target.name == attribute for target in targets):
        return True
    return all(isinstance(statement, ExpressionStmt) and isinstance(statement.expr, CallExpr) for statement in inner)
