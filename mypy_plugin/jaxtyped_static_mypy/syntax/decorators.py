"""Reads decorators as calls: `@f`, `@f(a=1)` and `@partial(f, a=1)` all pass the function to `f`."""

from mypy.nodes import ARG_POS, CallExpr, Expression, NameExpr, RefExpr

from ..knowledge.full_names import PARTIAL


def applied(decorator: Expression) -> CallExpr:
    """The call that a decorator stands for: `f(function, a=1)`, with an empty name for the function."""
    options = decorator if isinstance(decorator, CallExpr) else CallExpr(decorator, [], [], [])
    callee, start = options.callee, 0
    if isinstance(callee, RefExpr) and callee.fullname == PARTIAL and options.args:
        callee, start = options.args[0], 1
    return CallExpr(
        callee,
        [NameExpr(""), *options.args[start:]],
        [ARG_POS, *options.arg_kinds[start:]],
        [None, *options.arg_names[start:]],
    )
