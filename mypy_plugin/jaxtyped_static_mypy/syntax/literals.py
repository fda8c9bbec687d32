"""The literals of a program, as JSON has them: what facts of a class are made of."""

from typing import Any, Final

from mypy.nodes import CallExpr, DictExpr, Expression, IntExpr, ListExpr, NameExpr, SetExpr, StrExpr, TupleExpr

from .trees import dotted_name

Arguments = dict[str, Any]  # keyword arguments by name; None for one that is no literal

_MAX_BITS: Final = 1_024


def literal(node: Expression) -> Any:
    """The value of a literal expression; None for anything else (and for `None`)."""
    if isinstance(node, (StrExpr, IntExpr)):
        return node.value if can_be_written(node.value) else None
    if isinstance(node, NameExpr):
        return {"True": True, "False": False}.get(node.name)
    if isinstance(node, (ListExpr, TupleExpr, SetExpr)):
        return [literal(item) for item in node.items]
    if isinstance(node, DictExpr):
        return {key.value: literal(value) for key, value in node.items if isinstance(key, StrExpr)}
    return keywords(node) if isinstance(node, CallExpr) and _makes_dict(node.callee) else None


def _makes_dict(callee: Expression) -> bool:
    """Whether a call makes a dict of its keyword arguments; pydantic's `ConfigDict` may be named by its module."""
    name = dotted_name(callee) or ""
    return name == "dict" or name.rpartition(".")[2] == "ConfigDict"


def can_be_written(value: str | int) -> bool:
    """Not `0xfff...` with thousands of digits, of which Python makes no decimal number."""
    return isinstance(value, str) or value.bit_length() <= _MAX_BITS


def keywords(call: CallExpr) -> Arguments:
    """The literal keyword arguments of a call."""
    return {name: literal(value) for name, value in zip(call.arg_names, call.args, strict=True) if name is not None}
