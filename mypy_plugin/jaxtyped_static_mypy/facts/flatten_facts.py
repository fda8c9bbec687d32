"""Reads which attributes a flatten function returns, if it has a single `return children, auxiliary`."""

from typing import Final, TypedDict

from mypy.nodes import FuncItem, MemberExpr, NameExpr, ReturnStmt, TupleExpr

from ..syntax.trees import statements
from .flatten_bodies import run

FLATTEN_METHODS: Final = ("tree_flatten", "tree_flatten_with_keys")


class FlattenFacts(TypedDict):
    """The attributes that the children depend on, and those that become auxiliary data unchanged."""

    data: list[str] | None  # None if it is unknown what the children depend on
    static: list[str]
    static_without: list[str] | None  # if all other attributes are static: those that are not


def read_flatten(function: FuncItem) -> FlattenFacts | None:
    """The facts of a flatten function; None if nothing is known of what it returns."""
    body = list(statements(function.body.body, into_definitions=False))
    returned = [node.expr for node in body if isinstance(node, ReturnStmt)]
    pair = returned[0] if len(returned) == 1 else None
    if not function.arguments or not isinstance(pair, TupleExpr) or len(pair.items) != 2:
        return None
    children, auxiliary = run(function)
    data = sorted(children.sources) if children.sources is not None and children.is_sequence else None
    if data is None and not auxiliary.kept and auxiliary.without is None:
        return None
    without = sorted(auxiliary.without) if auxiliary.without is not None else None
    static = sorted(auxiliary.kept.difference(data or ()))
    return {"data": data, "static": static, "static_without": without}


def is_attribute(node: object, of: str) -> bool:
    return isinstance(node, MemberExpr) and isinstance(node.expr, NameExpr) and node.expr.name == of
