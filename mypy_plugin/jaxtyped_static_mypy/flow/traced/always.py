"""Which code of a function runs on each of its calls, whatever is passed."""

from itertools import pairwise
from typing import Final

from mypy.nodes import (
    ConditionalExpr,
    Decorator,
    DictionaryComprehension,
    ForStmt,
    FuncItem,
    GeneratorExpr,
    IfStmt,
    MatchStmt,
    Node,
    OpExpr,
    RaiseStmt,
    ReturnStmt,
    TryStmt,
    WhileStmt,
)

from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ...syntax.trees import statements

_TRUTH: Final = ("and", "or")


def runs_always(node: Node, function: FuncItem, file: CheckedFile) -> bool:
    """Whether each call evaluates a node: no condition, loop or `try` is around it, and no way out before it."""
    for child, parent in pairwise(surroundings(node, file).around):
        if parent is function:
            leaving = (part for part in statements(function.body.body, into_definitions=False) if leaves_function(part))
            return all(part.line >= node.line for part in leaving)
        if not _evaluates(parent, child):
            return False
    return False


def leaves_function(node: Node) -> bool:
    """Whether a statement is the last that a call runs."""
    return isinstance(node, (RaiseStmt, ReturnStmt))


def _evaluates(node: Node, part: Node) -> bool:
    """Whether a node evaluates one of its parts whenever it is itself evaluated."""
    if isinstance(node, IfStmt):
        return part is node.expr[0]
    if isinstance(node, ConditionalExpr):
        return part is node.cond
    if isinstance(node, OpExpr):
        return node.op not in _TRUTH or part is node.left
    if isinstance(node, (ForStmt, WhileStmt)):
        return part is node.expr
    if isinstance(node, MatchStmt):
        return part is node.subject
    if isinstance(node, (GeneratorExpr, DictionaryComprehension)):
        return part is node.sequences[0]
    return not isinstance(node, (Decorator, FuncItem, TryStmt))
