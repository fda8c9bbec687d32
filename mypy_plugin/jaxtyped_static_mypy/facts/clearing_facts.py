"""Reads which attributes of their object the methods of a class clear: set to a constant, or delete."""

from collections.abc import Iterator
from typing import Final, TypedDict

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DelStmt,
    DictExpr,
    Expression,
    FuncDef,
    ListExpr,
    MemberExpr,
    Node,
    StrExpr,
    TupleExpr,
)

from ..syntax.assignments import known_pairs, targets_of
from ..syntax.changes import SETTERS
from ..syntax.literals import is_none, literal
from ..syntax.names import attribute_of, dotted_name, is_named
from ..syntax.trees import kinds_below
from .class_body import ClassBody, self_name

ANY: Final = "*"  # attributes whose names the source does not write out: `setattr(self, name, ...)` in a loop
CALLED: Final = "()"  # the start of what stands for a call of another method of the object
_DELETERS: Final = ("delattr", "object.__delattr__")


class ClearingFacts(TypedDict, total=False):
    """Facts of methods that clear attributes."""

    clears: dict[str, list[str]]  # by method: attributes, `ANY`, and methods that it calls on its object


def read_clearing(body: ClassBody) -> ClearingFacts:
    """What each method clears, by itself and in those that it calls; nothing of a class without such a method."""
    found = {name: sorted({*_tokens(method)}) for name, method in body.methods.items() if method.arguments}
    return {"clears": {name: tokens for name, tokens in found.items() if tokens}}


def _tokens(method: FuncDef) -> Iterator[str]:
    own, below = self_name(method), kinds_below(method.body)
    pairs = (pair for node in below.of(AssignmentStmt) for pair in known_pairs(node))
    cleared = [target for target, value in pairs if attribute_of(target, own) is not None and _is_constant(value)]
    deleted = [target for node in below.of(DelStmt) for target in targets_of(node)]
    yield from (name for target in (*cleared, *deleted) if (name := attribute_of(target, own)) is not None)
    for call in below.of(CallExpr):
        yield from _of_call(call, own)


def _of_call(call: CallExpr, own: str) -> Iterator[str]:
    name = dotted_name(call.callee)
    if name in SETTERS or name in _DELETERS:
        if len(call.args) > 1 and is_named(call.args[0], own):
            written = call.args[1].value if isinstance(call.args[1], StrExpr) else ANY
            if written == ANY or name in _DELETERS or _is_constant(call.args[-1]):
                yield written
    elif isinstance(call.callee, MemberExpr):
        called = attribute_of(call.callee, own)
        of_dict = call.callee.expr
        if called is not None:
            yield f"{CALLED}{called}"
        elif attribute_of(of_dict, own) == "__dict__":
            yield ANY


def _is_constant(value: Node) -> bool:
    """Whether a value can hold no array."""
    if isinstance(value, (DictExpr, ListExpr, TupleExpr)):
        return not value.items
    return isinstance(value, Expression) and (is_none(value) or literal(value) is not None)
