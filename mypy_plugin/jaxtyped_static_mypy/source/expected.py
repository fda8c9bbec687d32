"""Code whose exceptions are expected: something around it catches them."""

from collections.abc import Sequence
from itertools import pairwise

from mypy.nodes import CallExpr, Expression, Node, RaiseStmt, TryStmt, TupleExpr, WithStmt

from ..knowledge import naming
from ..syntax.trees import last_name
from .checked_file import CheckedFile
from .surroundings import surroundings


def is_error_expected(node: Node, file: CheckedFile) -> bool:
    """Whether a node stands in a `try` that may catch what JAX raises, or in a `with` such as `pytest.raises(...)`.

    A `try` with nothing but a `finally`, a handler that raises again, and any other `with` let it through.
    """
    return any(_catches(child, parent) for child, parent in pairwise(surroundings(node, file).around))


def _catches(child: Node, parent: Node) -> bool:
    if isinstance(parent, TryStmt) and child is parent.body:
        handlers = zip(parent.types, parent.handlers, strict=True)
        return any(_may_be_ours(caught) and not _raises(handler.body[-1:]) for caught, handler in handlers)
    if isinstance(parent, WithStmt) and child is parent.body:
        entered = (node.callee if isinstance(node, CallExpr) else node for node in parent.expr)
        return any(naming.catches(last_name(node)) for node in entered)
    return False


def _may_be_ours(caught: Expression | None) -> bool:
    """Whether a handler takes the exceptions that JAX raises; it takes all if it names none."""
    if isinstance(caught, TupleExpr):
        return any(map(_may_be_ours, caught.items))
    return caught is None or not naming.is_of_system(last_name(caught))


def _raises(last: Sequence[Node]) -> bool:
    return any(isinstance(node, RaiseStmt) for node in last)
