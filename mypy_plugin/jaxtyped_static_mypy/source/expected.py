"""Code whose exceptions are expected: something around it catches them."""

import builtins
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    NameExpr,
    Node,
    RaiseStmt,
    SymbolNode,
    TryStmt,
    TupleExpr,
    WithStmt,
)

from ..knowledge import naming
from ..syntax.names import last_name
from .checked_file import CheckedFile, once_per_file
from .surroundings import all_around

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
    return any(_catches(child, parent) for child, parent in pairwise(all_around(node, file)))


def _catches(child: Node, parent: Node) -> bool:
    if isinstance(parent, TryStmt) and child is parent.body:
        return _takes(parent, lambda exception: not naming.is_of_system(exception))
    if isinstance(parent, WithStmt) and child is parent.body:
        return is_raising_expected_by(parent)
    return isinstance(child, LambdaExpr) and isinstance(parent, CallExpr) and _calls_to_raise(parent, child)


def _calls_to_raise(call: CallExpr, given: LambdaExpr) -> bool:
    """`self.assertRaises(TypeError, lambda: ...)`: the exception comes first."""
    return given in call.args[1:] and naming.is_raising(last_name(call.callee))


def is_raising_expected_by(node: WithStmt) -> bool:
    """Whether a `with` is there to catch what its body raises, as `with pytest.raises(...)` is."""
    entered = (manager.callee if isinstance(manager, CallExpr) else manager for manager in node.expr)
    return any(naming.catches(last_name(manager)) for manager in entered)


@once_per_file
def is_expected_to_raise(file: CheckedFile, function: FuncItem) -> bool:
    """Whether a function is there to raise: it stands below `with pytest.raises(...)`, or is used there alone.

    A method, and a function of a module that is no test, may have users that the file does not show.
    """
    if stands_below_raises(function, file):
        return True
    if not isinstance(function, FuncDef) or function.info:
        return False
    if function.name in file.tree.names and not naming.is_test_module(file.tree.fullname):
        return False
    return _is_used_below_raises(file.decorators.get(function, function), function.name, file)


def _is_used_below_raises(symbol: SymbolNode, name: str, file: CheckedFile) -> bool:
    """Whether all uses of a name stand there, or those of the one name that is bound to what is made of it."""
    uses = [use for use in file.uses_by_name.get(name, ()) if use.node is symbol]
    return bool(uses) and all(stands_below_raises(use, file) or _is_made_for_raises(use, file) for use in uses)


def _is_made_for_raises(use: Expression, file: CheckedFile) -> bool:
    """Whether a use is part of what is bound to a name, and all uses of that name stand there."""
    statement = next((node for node in all_around(use, file) if isinstance(node, AssignmentStmt)), None)
    target = statement.lvalues[0] if statement is not None and len(statement.lvalues) == 1 else None
    if not isinstance(target, NameExpr) or target.node is None or target is use:
        return False
    named = file.other_uses(target)
    return bool(named) and all(stands_below_raises(name, file) for name in named)


def stands_below_raises(node: Node, file: CheckedFile) -> bool:
    """Whether a node stands in a `with` such as `pytest.raises(...)`."""
    return any(
        isinstance(parent, WithStmt) and child is parent.body and is_raising_expected_by(parent)
        for child, parent in pairwise(all_around(node, file))
    )


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
