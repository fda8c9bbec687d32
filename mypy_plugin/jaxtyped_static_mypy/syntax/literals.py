"""Reads literals from a program, as values that JSON can hold: facts of classes are made of these."""

from collections.abc import Iterable
from typing import Any, Final

from mypy.nodes import (
    CallExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    IntExpr,
    ListComprehension,
    ListExpr,
    NameExpr,
    SetComprehension,
    SetExpr,
    StrExpr,
    TupleExpr,
    UnaryExpr,
)

from .names import dotted_name
from .trees import nodes_below

Arguments = dict[str, Any]  # keyword arguments by name; None for a value that is not a literal

MUTABLE_DISPLAYS: Final = (
    DictExpr,
    DictionaryComprehension,
    ListComprehension,
    ListExpr,
    SetComprehension,
    SetExpr,
)
_CONSTANTS: Final = frozenset({"True", "False", "None"})
_MAX_BITS: Final = 1_024


def literal(node: Expression) -> Any:
    """The value of a literal expression; None for any other expression, and for `None`."""
    if isinstance(node, (StrExpr, IntExpr)):
        return node.value if can_be_written(node.value) else None
    if isinstance(node, NameExpr):
        return {"True": True, "False": False}.get(node.name)
    if isinstance(node, (ListExpr, TupleExpr, SetExpr)):
        return [literal(item) for item in node.items]
    if isinstance(node, DictExpr):
        return {key.value: literal(value) for key, value in node.items if isinstance(key, StrExpr)}
    return keywords(node) if isinstance(node, CallExpr) and _makes_dict(node.callee) else None


def integers(node: Expression) -> list[int]:
    """Those that an expression is, or lists: `0`, `(0, 2)`."""
    value = literal(node)
    return [number for number in (value if isinstance(value, list) else [value]) if isinstance(number, int)]


def are_written_out(values: Iterable[Expression]) -> bool:
    """Whether the source gives the values: no name stands in them."""
    names = (node.name for value in values for node in nodes_below(value) if isinstance(node, NameExpr))
    return _CONSTANTS.issuperset(names)


def items_of_display(node: Expression) -> list[Expression]:
    """The items of a tuple or list, or the values of a dict, that the source writes out; none of anything else."""
    if isinstance(node, DictExpr):
        return [value for _, value in node.items]
    return node.items if isinstance(node, (ListExpr, TupleExpr)) else []


def is_none(node: Expression | None) -> bool:
    return isinstance(node, NameExpr) and node.name == "None"


def _makes_dict(callee: Expression) -> bool:
    """Whether a call makes a dict of its keyword arguments; pydantic's `ConfigDict` may be named by its module."""
    name = dotted_name(callee) or ""
    return name == "dict" or name.rpartition(".")[2] == "ConfigDict"


def text_or_number(node: Expression) -> str | int | None:
    """The value of a string or an integer, which may be negative."""
    if isinstance(node, UnaryExpr) and node.op == "-" and isinstance(node.expr, IntExpr):
        return -node.expr.value
    return node.value if isinstance(node, (StrExpr, IntExpr)) else None


def can_be_written(value: str | int) -> bool:
    """Whether Python can print a number: not if it has thousands of digits."""
    return isinstance(value, str) or value.bit_length() <= _MAX_BITS


def keywords(call: CallExpr) -> Arguments:
    """The literal keyword arguments of a call."""
    return {name: literal(value) for name, value in zip(call.arg_names, call.args, strict=True) if name is not None}
