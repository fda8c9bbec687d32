"""What it means to stand above a function: `@f`, `@f(a=1)` and `@partial(f, a=1)` are calls that pass the function."""

from mypy.nodes import ARG_POS, CallExpr, Expression, NameExpr, RefExpr

from ..knowledge.full_names import PARTIAL


def applied(decorator: Expression) -> CallExpr:
    """The call that applying a decorator amounts to: `f(function, a=1)`, where the function has no name."""
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
