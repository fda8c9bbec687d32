"""Code that never runs, as the code around it shows: behind a `return`, or below what is always false."""

from collections.abc import Iterator, Sequence
from typing import Final

from mypy.nodes import (
    LDEF,
    Block,
    BreakStmt,
    ContinueStmt,
    Expression,
    IfStmt,
    IntExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RaiseStmt,
    ReturnStmt,
    Statement,
    UnaryExpr,
    Var,
    WhileStmt,
)

from .checked_file import CheckedFile, once_per_file
from .local_bindings import reaching_bindings

_LEAVING: Final = (BreakStmt, ContinueStmt, RaiseStmt, ReturnStmt)
_ONLY_FOR_CHECKERS: Final = "TYPE_CHECKING"
_CONSTANTS: Final = {"builtins.True": True, "builtins.False": False, "builtins.None": False}
_MAX_DEPTH: Final = 5  # of names that stand for each other


def never_runs_at(line: int, file: CheckedFile) -> bool:
    """Whether the code at a line never runs, whoever calls the function around it."""
    return any(first <= line <= last for first, last in _dead(file))


@once_per_file
def _dead(file: CheckedFile) -> tuple[tuple[int, int], ...]:
    """The first and last lines of each part of a file that never runs."""
    blocks = [file.tree.defs, *(node.body for node in file.by_kind.of(Block))]
    found = [part for body in blocks for part in _behind(body)]
    for node in file.nodes:
        if isinstance(node, IfStmt):
            found += _below(node, file)
        elif isinstance(node, WhileStmt) and _truth(node.expr, file) is False:
            found.append(node.body)
    return tuple((part.line, part.end_line or part.line) for part in found)


def _behind(body: Sequence[Statement]) -> list[Statement]:
    """The statements of a block behind the first that leaves it."""
    leaving = next((index for index, statement in enumerate(body) if _leaves(statement)), len(body))
    return list(body[leaving + 1 :])


def _leaves(statement: Statement) -> bool:
    if isinstance(statement, IfStmt):
        branches = [*statement.body, statement.else_body]
        return all(branch is not None and any(map(_leaves, branch.body)) for branch in branches)
    return isinstance(statement, _LEAVING)


def _below(node: IfStmt, file: CheckedFile) -> Iterator[Block]:
    """The branches that are never taken."""
    is_decided = False
    for condition, block in zip(node.expr, node.body, strict=True):
        truth = _truth(condition, file)
        if is_decided or truth is False:
            yield block
        is_decided = is_decided or truth is True
    if is_decided and node.else_body is not None:
        yield node.else_body


def _truth(condition: Expression, file: CheckedFile, depth: int = _MAX_DEPTH) -> bool | None:
    """Whether a condition holds, if that is the same each time it is asked; else None."""
    match condition:
        case IntExpr(value=number):
            return bool(number)
        case UnaryExpr(op="not"):
            inner = _truth(condition.expr, file, depth)
            return None if inner is None else not inner
        case OpExpr(op="and" | "or" as op):
            parts = {_truth(part, file, depth) for part in (condition.left, condition.right)}
            decisive = op == "or"
            return decisive if decisive in parts else None if None in parts else not decisive
        case NameExpr(name=name) | MemberExpr(name=name) if name == _ONLY_FOR_CHECKERS:
            return False
        case NameExpr(fullname=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case NameExpr(kind=kind) if kind == LDEF and depth:
            return _truth_of_variable(condition, file, depth - 1)
    return None


def _truth_of_variable(name: NameExpr, file: CheckedFile, depth: int) -> bool | None:
    bound = reaching_bindings(file, name, name.node) if isinstance(name.node, Var) else []
    wholes = (one.binding.whole for one in bound)
    values = {_truth(whole, file, depth) if whole is not None else None for whole in wholes}
    return values.pop() if len(values) == 1 else None
