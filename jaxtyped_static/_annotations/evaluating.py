"""Evaluates annotations that are more than names and brackets, with the names that have a value now."""

from __future__ import annotations

import ast
from types import CodeType

from jaxtyped_static._annotations.names import Live, Scope, Unreadable


def evaluate(node: ast.expr, scope: Scope) -> object:
    """Evaluates an annotation that is more than names and brackets, such as a call.

    Raises:
        Unreadable: it raises, or a name has no value.
    """
    try:
        code: CodeType = compile(ast.Expression(node), "<annotation>", "eval")
        return eval(code, {}, _LiveNames(scope))
    except Unreadable:
        raise
    except Exception as error:
        raise Unreadable(f"cannot be evaluated ({type(error).__name__}: {error})") from error


class _LiveNames(dict[str, object]):
    """The namespace for `eval`: the names that have a value."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def __missing__(self, name: str) -> object:
        target = self.scope.resolve(name)
        if isinstance(target, Live):
            return target.value
        raise KeyError(name)
