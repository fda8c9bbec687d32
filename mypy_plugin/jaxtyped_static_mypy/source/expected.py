"""Code whose exceptions are expected: something around it catches them."""

import builtins
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from mypy.nodes import CallExpr, Expression, Node, RaiseStmt, TryStmt, TupleExpr, WithStmt

from ..knowledge import naming
from ..syntax.trees import last_name
from .checked_file import CheckedFile
from .surroundings import surroundings

# JAX's errors about tracers are of these kinds (`jax/_src/errors.py`), and an attribute that a tracer lacks is missing.
_OF_TRACERS: Final = (TypeError, IndexError, AttributeError)
_OF_OTHERS: Final = frozenset(
    name
    for name, found in vars(builtins).items()
    if isinstance(found, type)
    and issubclass(found, BaseException)
    and not any(issubclass(raised, found) for raised in _OF_TRACERS)
)


def is_error_expected(node: Node, file: CheckedFile) -> bool:
    """Whether a node stands in a `try` that may catch what JAX raises, or in a `with` such as `pytest.raises(...)`.

    A `try` with nothing but a `finally`, a handler that raises again, and any other `with` let it through.
    """
    return any(_catches(child, parent) for child, parent in pairwise(surroundings(node, file).around))


def _catches(child: Node, parent: Node) -> bool:
    if isinstance(parent, TryStmt) and child is parent.body:
        return _takes(parent, lambda exception: not naming.is_of_system(exception))
    if isinstance(parent, WithStmt) and child is parent.body:
        entered = (node.callee if isinstance(node, CallExpr) else node for node in parent.expr)
        return any(naming.catches(last_name(node)) for node in entered)
    return False


def may_catch_tracer_errors(node: TryStmt) -> bool:
    """Whether a handler may take what JAX raises where code asks a tracer for its value."""
    return _takes(node, lambda exception: exception not in _OF_OTHERS)


def _takes(node: TryStmt, may_be_meant: Callable[[str], bool]) -> bool:
    """Whether a handler that does not raise again takes some exceptions, by the names of those that it catches."""
    handlers = zip(node.types, node.handlers, strict=True)
    return any(_names_any(caught, may_be_meant) and not _raises(handler.body[-1:]) for caught, handler in handlers)


def _names_any(caught: Expression | None, may_be_meant: Callable[[str], bool]) -> bool:
    """Whether it is one of these that a handler names; it takes all if it names none."""
    if isinstance(caught, TupleExpr):
        return any(_names_any(part, may_be_meant) for part in caught.items)
    return caught is None or may_be_meant(last_name(caught))


def _raises(last: Sequence[Node]) -> bool:
    return any(isinstance(node, RaiseStmt) for node in last)
