"""Reads which attributes the methods of a class set to containers of several kinds: mypy keeps the type of the first.

`self.sizes = []` and later `self.sizes = tuple(self.sizes)`: mypy says `list` wherever the attribute is read.
"""

from collections.abc import Iterator
from typing import Final, TypedDict

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    ListComprehension,
    ListExpr,
    SetComprehension,
    SetExpr,
    Statement,
    TupleExpr,
)

from ..syntax.assignments import assigned_pairs
from ..syntax.literals import is_none
from ..syntax.names import attribute_of, dotted_name
from ..syntax.trees import statements
from .class_body import ClassBody, self_name

_DISPLAYS: Final[dict[type[Expression], str]] = {
    DictExpr: "dict",
    DictionaryComprehension: "dict",
    ListComprehension: "list",
    ListExpr: "list",
    SetComprehension: "set",
    SetExpr: "set",
    TupleExpr: "tuple",
}
_CALLS: Final = {
    "dict": "dict",
    "frozenset": "frozenset",
    "list": "list",
    "set": "set",
    "sorted": "list",
    "tuple": "tuple",
}
_CONTAINERS: Final = frozenset({*_DISPLAYS.values(), *_CALLS.values()})
_UNKNOWN: Final = "?"


class ReboundFacts(TypedDict, total=False):
    """Facts of the values that attributes get."""

    rebound: list[str]  # attributes that get a container, and somewhere else another kind of value


def read_rebound(body: ClassBody) -> ReboundFacts:
    kinds: dict[str, set[str]] = {}
    for method in body.methods.values():
        if method.arguments:
            for name, value in _assigned(method.body.body, self_name(method)):
                kinds.setdefault(name, set()).add(_kind(value))
    return {"rebound": sorted(name for name, found in kinds.items() if len(found) > 1 and found & _CONTAINERS)}


def _assigned(body: list[Statement], own: str) -> Iterator[tuple[str, Expression | None]]:
    for node in statements(body):
        for target, value in assigned_pairs(node) if isinstance(node, AssignmentStmt) else ():
            if (name := attribute_of(target, own)) is not None and not is_none(value):
                yield name, value


def _kind(value: Expression | None) -> str:
    if isinstance(value, CallExpr):
        name = dotted_name(value.callee) or _UNKNOWN
        return _CALLS.get(name, name)
    return _DISPLAYS.get(type(value), _UNKNOWN) if value is not None else _UNKNOWN
