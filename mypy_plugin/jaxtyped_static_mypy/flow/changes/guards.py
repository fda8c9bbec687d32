"""Decides whether an attribute only guards an object: the program raises for a value of it, and reads it nowhere else.

A copy that a trace changes loses no more than the guard of the caller's object.
"""

from itertools import pairwise
from typing import Final

from mypy.nodes import (
    AssertStmt,
    AssignmentStmt,
    ComparisonExpr,
    FuncDef,
    IfStmt,
    MemberExpr,
    Node,
    OpExpr,
    RaiseStmt,
    UnaryExpr,
)

from ...knowledge import naming
from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ...syntax.assignments import targets_of
from ...syntax.changes import Change
from ...syntax.literals import literal

_TESTS: Final = (UnaryExpr, OpExpr, ComparisonExpr)


def sets_guard(change: Change, file: CheckedFile) -> bool:
    """Whether a change sets such an attribute, a private one, to True or False."""
    name = change.written.rpartition(".")[2]
    if not naming.is_private(name) or not all(isinstance(literal(value), bool) for value in change.values):
        return False
    uses = [node for node in file.uses_by_name.get(name, ()) if isinstance(node, MemberExpr)]
    read = [node for node in uses if not _is_set(node, file) and not _is_flattened(node, file)]
    return bool(read) and all(_is_asked_to_raise(node, file) for node in read)


def _is_set(node: MemberExpr, file: CheckedFile) -> bool:
    parent = surroundings(node, file).parent
    return isinstance(parent, AssignmentStmt) and node in targets_of(parent)


def _is_flattened(node: MemberExpr, file: CheckedFile) -> bool:
    function = surroundings(node, file).function
    return isinstance(function, FuncDef) and naming.flattens(function.name)


def _is_asked_to_raise(node: Node, file: CheckedFile) -> bool:
    for child, parent in pairwise(surroundings(node, file).around):
        if isinstance(parent, IfStmt):
            is_tested = child in parent.expr and parent.else_body is None
            return is_tested and all(isinstance(part, RaiseStmt) for block in parent.body for part in block.body)
        if not isinstance(parent, _TESTS):
            return isinstance(parent, AssertStmt) and child is parent.expr
    return False
