"""Reads decorators as calls: `@f`, `@f(a=1)` and `@partial(f, a=1)` all pass the function to `f`."""

from mypy.nodes import ARG_POS, CallExpr, Decorator, Expression, NameExpr

from .partials import is_partial


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


def decorator_at(decorator: Decorator, place: Expression) -> Expression | None:
    """The decorator that mypy is applying. `place`: what it is applied to, at the line and column of the decorator."""
    nodes = decorator.original_decorators
    return next((node for node in nodes if (node.line, node.column) == (place.line, place.column)), None)
