"""Tells which calls only tell somebody, and which take a value only if there is no other: by their names."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from jaxtyped_static._calls.flows import CHANGES, LOGS

_TYPES_ONLY: Final = frozenset(
    {
        *("zeros_like", "ones_like", "empty_like", "full_like", "shape", "ndim", "size", "dtype", "result_type"),
        *("eval_shape", "structure", "tree_structure", "broadcast_shapes", "issubdtype"),
    }
)
_LOGGERS: Final = frozenset({"logging", "logger", "log", "warnings", "debug"})


def reads_types(node: ast.Call) -> bool:
    """Returns whether a call reads the shapes and dtypes of arrays alone: `jnp.zeros_like(self.buffer)`."""
    function = _last_name(node.func)
    if function in ("map", "tree_map") and node.args:
        function = _last_name(node.args[0])
    return function in _TYPES_ONLY


def _last_name(function: ast.expr) -> str:
    return next(reversed(list(_names_in(function))), "")


def has_default(node: ast.Call, name: str) -> bool:
    """Returns whether a call takes a value only if there is no other: `options.get("rate", self.rate)`."""
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    return (method in ("get", "pop", "setdefault") and len(node.args) > 1) or (name == "getattr" and len(node.args) > 2)


def only_says(body: Iterable[ast.stmt]) -> bool:
    """Returns whether statements only tell somebody, or raise: no number depends on them."""
    return all(isinstance(node, ast.Pass | ast.Raise | ast.Assert) or _is_message(node) for node in body)


def only_notifies(body: Iterable[ast.stmt]) -> bool:
    """Returns whether the body of a loop only calls something, as listeners are, and adds no result to a list."""
    return all(
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not _adds(node.value) for node in body
    )


def _adds(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES


def _is_message(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"))):
            return True
        case ast.Expr(value=ast.Call(func=function)):
            return is_logging(function)
    return False


def is_logging(function: ast.expr) -> bool:
    """Returns whether a function only tells somebody, by its name: `self.logger.info`, `jax.debug.print`."""
    names = list(_names_in(function))
    return isinstance(function, ast.Attribute) and (names[-1] in LOGS or not _LOGGERS.isdisjoint(names[:-1]))


def _names_in(function: ast.expr) -> Iterator[str]:
    if isinstance(function, ast.Attribute):
        yield from _names_in(function.value)
        yield function.attr
    elif isinstance(function, ast.Name):
        yield function.id
