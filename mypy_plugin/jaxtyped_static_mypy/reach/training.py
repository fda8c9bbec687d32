"""Which functions of a file train a model, or fit one, by what they do."""

from collections.abc import Iterator

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, FuncItem, MemberExpr, RefExpr

from ..knowledge import naming
from ..source.checked_file import CheckedFile, once_per_file
from ..source.learning import Learning, learning
from ..syntax.imports import full_name
from ..syntax.names import is_self
from ..syntax.trees import nodes_below


@once_per_file
def trains(file: CheckedFile, function: FuncItem) -> bool:
    """Whether a function learns in a loop, by itself or in what it calls, as far as the file shows."""
    reached = _reached_from(function, file)
    return any(_fits(file, called) or _learns_in_loop(file, called) for called in reached)


@once_per_file
def _learns_in_loop(file: CheckedFile, function: FuncItem) -> bool:
    if not _learning(file, function).loops:
        return False
    return any(_learning(file, called).learns for called in _reached_from(function, file))


def _reached_from(function: FuncItem, file: CheckedFile) -> list[FuncItem]:
    """A function, and those of the file that it uses, one through the other."""
    found: dict[FuncItem, None] = {function: None}
    pending = [function]
    while pending:
        for used in _used_by(file, pending.pop()):
            if used not in found:
                found[used] = None
                pending.append(used)
    return list(found)


@once_per_file
def _used_by(file: CheckedFile, function: FuncItem) -> list[FuncDef]:
    return list(_functions_used(function, file))


def _functions_used(function: FuncItem, file: CheckedFile) -> Iterator[FuncDef]:
    for node in nodes_below(function):
        named = node.node if isinstance(node, RefExpr) else None
        used = named.func if isinstance(named, Decorator) else named
        if file.defines(used):
            yield used
        elif isinstance(node, MemberExpr):
            yield from _methods(node, function, file)


def _methods(node: MemberExpr, function: FuncItem, file: CheckedFile) -> list[FuncDef]:
    """The method that an attribute means: of another object than `self`, the only one of the file with this name."""
    named = [method for method in file.functions_named.get(node.name, ()) if method.info]
    if is_self(node.expr):
        return [method for method in named if method.info is function.info]
    return named if len(named) == 1 else []


@once_per_file
def _learning(file: CheckedFile, function: FuncItem) -> Learning:
    """What a function says of it, with those nested in it."""
    return learning(nodes_below(function))


@once_per_file
def _fits(file: CheckedFile, function: FuncItem) -> bool:
    """Whether a function calls one of a library that fits a model, by its name."""
    calls = (node for node in nodes_below(function) if isinstance(node, CallExpr))
    return any(naming.fits(_unseen(call.callee, file)) for call in calls)


def _unseen(callee: Expression, file: CheckedFile) -> str:
    """The full name of a function that mypy does not see; empty for any other."""
    is_seen = isinstance(callee, RefExpr) and isinstance(callee.node, (Decorator, FuncDef))
    return "" if is_seen else full_name(callee, file.tree)
