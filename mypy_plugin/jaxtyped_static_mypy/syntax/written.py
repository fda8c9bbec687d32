"""Writes the syntax of a call that a program's helper makes, as if the program made it itself."""

from collections.abc import Iterable, Mapping
from typing import Any

from mypy.nodes import ARG_NAMED, ARG_POS, CallExpr, Expression, IntExpr, ListExpr, NameExpr, Node, StrExpr


def call_of(
    function: str, subject: Iterable[Expression], keywords: Mapping[str, Any], positional: Iterable[Any] = ()
) -> CallExpr:
    """`function(subject, *positional, **keywords)`. Values are expressions, or literals; None for an unknown value."""
    callee = NameExpr(function.rpartition(".")[2])
    callee.fullname = function
    first = [*subject, *map(expression_of, positional)]
    named = list(keywords.items())
    return CallExpr(
        callee,
        [*first, *(expression_of(value) for _, value in named)],
        [*(ARG_POS for _ in first), *(ARG_NAMED for _ in named)],
        [*(None for _ in first), *(name for name, _ in named)],
    )


def expression_of(value: Any) -> Expression:
    """The syntax of a literal; an expression as it is, and a name without a name for anything else."""
    if isinstance(value, Node):
        return value  # type: ignore[return-value]
    if isinstance(value, bool):
        return NameExpr(str(value))
    if isinstance(value, str):
        return StrExpr(value)
    if isinstance(value, int):
        return IntExpr(value)
    return ListExpr([expression_of(item) for item in value]) if isinstance(value, list) else NameExpr("")
