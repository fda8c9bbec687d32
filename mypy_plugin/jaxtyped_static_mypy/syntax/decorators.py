"""Reads decorators as calls: `@f`, `@f(a=1)` and `@partial(f, a=1)` all pass the function to `f`."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import ARG_POS, CallExpr, Decorator, Expression, NameExpr

from .names import dotted_name
from .partials import is_partial

_PARTIAL: Final = "partial"


def applied(decorator: Expression) -> CallExpr:
    """The call that a decorator stands for: `f(function, a=1)`, with an empty name for the function."""
    options = decorator if isinstance(decorator, CallExpr) else CallExpr(decorator, [], [], [])
    callee, start = options.callee, 0
    if is_partial(options) and options.args:
        callee, start = options.args[0], 1
    return CallExpr(
        callee,
        [NameExpr(""), *options.args[start:]],
        [ARG_POS, *options.arg_kinds[start:]],
        [None, *options.arg_names[start:]],
    )


def applying(decorator: Expression) -> Iterator[Expression]:
    """What a decorator names: `f` of `@f` and `@f(a=1)`, and of `@partial(f, a=1)` beside `partial` itself."""
    named = decorator.callee if isinstance(decorator, CallExpr) else decorator
    yield named
    if isinstance(decorator, CallExpr) and (dotted_name(named) or "").rpartition(".")[2] == _PARTIAL:
        yield from decorator.args[:1]


def decorator_at(decorator: Decorator, place: Expression) -> Expression | None:
    """The decorator that mypy is applying. `place`: what it is applied to, at the line and column of the decorator."""
    nodes = decorator.original_decorators
    return next((node for node in nodes if (node.line, node.column) == (place.line, place.column)), None)


def decorator_name(decorator: Expression) -> str | None:
    """The dotted name of a decorator, whether it is called or not; None for one that is no name."""
    return dotted_name(decorator.callee if isinstance(decorator, CallExpr) else decorator)


def last_names(node: Decorator) -> list[str]:
    """The names of the decorators of a function, without the module; empty for one that is no name."""
    return [(decorator_name(decorator) or "").rpartition(".")[2] for decorator in node.original_decorators]
