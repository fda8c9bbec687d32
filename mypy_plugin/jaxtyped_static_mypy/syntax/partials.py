"""`functools.partial(f, a, k=b)`: what it is made of. Facts are read before names are resolved, and ask by name."""

from typing import TypeGuard

from mypy.nodes import CallExpr, Expression, Node, RefExpr

from ..knowledge.full_names import PARTIAL
from .arguments import unpacks


def is_partial(node: Node | None) -> TypeGuard[CallExpr]:
    """Whether a node is a call of `functools.partial`."""
    return isinstance(node, CallExpr) and isinstance(node.callee, RefExpr) and node.callee.fullname == PARTIAL


def is_open_partial(node: Expression) -> bool:
    """Whether a node is `partial(f, **options)`, which leaves an unknown set of parameters."""
    return is_partial(node) and unpacks(node)


def names_bound(node: Expression) -> frozenset[str]:
    """The parameters that a node binds by keyword, if it is `partial(f, n=3)`."""
    return frozenset(name for name in node.arg_names if name is not None) if is_partial(node) else frozenset()


def positions_bound(node: CallExpr) -> int:
    """How many parameters a partial that unpacks nothing binds by position."""
    return sum(name is None for name in node.arg_names) - 1


def partial_function(node: Node | None) -> Expression | None:
    """The `f` of `partial(f, ...)`; None for any other node."""
    return node.args[0] if is_partial(node) and node.args else None
