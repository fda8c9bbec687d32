"""jit-untraceable: a compiled function returns a text or a function, which no program of JAX can give back."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    CallExpr,
    DictExpr,
    Expression,
    FuncItem,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    ReturnStmt,
    SetExpr,
    StrExpr,
    TupleExpr,
)

from ..reach.roots import find_roots
from ..reporting.messages import Message
from ..source.nested_functions import Functions
from ..syntax.imports import full_name
from . import CODES
from ._body import Body, BodyError

_RETURNED: Final = Message(
    "{function} returns {what}, which JAX cannot return from a compiled function, so this raises",
    "return it from the code that calls {function}",
    kind="returned",
)
_OF_TEXT: Final = ("format", "join")


def returned_values(body: Body) -> Iterator[BodyError]:
    """The values below plain `jax.jit`: Equinox returns what is no array as it is."""
    functions = body.functions()
    for function, root in find_roots(functions).items():
        if root.transformation is None and root.stages and not root.lifts and _is_plain(function, functions):
            for value, what in _refused(function, functions):
                yield BodyError(value, _RETURNED.fill(function=root.name, what=what), CODES["jit-untraceable"])
    body.consulted.update(functions.consulted)


def _is_plain(function: FuncItem, functions: Functions) -> bool:
    """Whether no other decorator stands at the function, which may change what it returns."""
    decorator = functions.decorators.get(function)
    return decorator is None or len(decorator.original_decorators) == 1


def _refused(function: FuncItem, functions: Functions) -> Iterator[tuple[Expression, str]]:
    returns = (node for node in functions.nodes[function] if isinstance(node, ReturnStmt))
    for value in (part for node in returns if node.expr is not None for part in _leaves(node.expr)):
        if (what := _what(value, functions)) is not None:
            yield value, what


def _leaves(node: Expression) -> Iterator[Expression]:
    """The parts of a value that is written as a tuple, list or dict."""
    if isinstance(node, (ListExpr, TupleExpr)):
        for item in node.items:
            yield from _leaves(item)
    elif isinstance(node, DictExpr):
        for _, value in node.items:
            yield from _leaves(value)
    else:
        yield node


def _what(node: Expression, functions: Functions) -> str | None:
    callee = node.callee if isinstance(node, CallExpr) else None
    is_made = isinstance(callee, MemberExpr) and isinstance(callee.expr, StrExpr) and callee.name in _OF_TEXT
    is_text = callee is not None and full_name(callee, functions.file.tree) == "builtins.str"
    if isinstance(node, StrExpr) or is_made or is_text:
        return "a text"
    if isinstance(node, SetExpr):
        return "a set"
    return "a function" if isinstance(node, LambdaExpr) else None
