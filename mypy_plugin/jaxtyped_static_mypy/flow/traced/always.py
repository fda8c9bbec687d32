"""Which code of a function runs on each of its calls, whatever is passed."""

from itertools import pairwise
from typing import Final

from mypy.nodes import (
    BreakStmt,
    CallExpr,
    ConditionalExpr,
    ContinueStmt,
    Decorator,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncItem,
    GeneratorExpr,
    IfStmt,
    IntExpr,
    MatchStmt,
    NameExpr,
    Node,
    OpExpr,
    RaiseStmt,
    ReturnStmt,
    TryStmt,
    WhileStmt,
)

from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ...syntax.names import callee_name
from ...syntax.trees import statements

_TRUTH: Final = ("and", "or")
_RANGE: Final = "builtins.range"
_LEAVING_A_PASS: Final = (BreakStmt, ContinueStmt, RaiseStmt, ReturnStmt)


def runs_always(node: Node, function: FuncItem, file: CheckedFile) -> bool:
    """Whether each call evaluates a node: no condition, loop or `try` is around it, and no way out before it."""
    for child, parent in pairwise(surroundings(node, file).around):
        if parent is function:
            leaving = (part for part in statements(function.body.body, into_definitions=False) if leaves_function(part))
            return all(part.line >= node.line for part in leaving)
        if not _evaluates(parent, child) and not _reaches(parent, child, node, function):
            return False
    return False


def leaves_function(node: Node) -> bool:
    """Whether a statement is the last that a call runs."""
    return isinstance(node, (RaiseStmt, ReturnStmt))


def _reaches(loop: Node, body: Node, node: Node, function: FuncItem) -> bool:
    """Whether the first pass of a loop surely happens, and gets to a node in its body."""
    if not isinstance(loop, ForStmt) or body is not loop.body or not _has_passes(loop.expr, function):
        return False
    leaving = (part for part in statements(loop.body.body, into_definitions=False) if isinstance(part, _LEAVING_A_PASS))
    return all(part.line >= node.line for part in leaving)


def _has_passes(iterated: Expression, function: FuncItem) -> bool:
    """Whether it is a range of a number that is written out, perhaps as a default: `def fit(x, steps=100)`."""
    if not isinstance(iterated, CallExpr) or callee_name(iterated) != _RANGE or len(iterated.args) != 1:
        return False
    count: Expression | None = iterated.args[0]
    if isinstance(count, NameExpr):
        defaults = (part.initializer for part in function.arguments if part.variable is count.node)
        count = next(defaults, None)
    return isinstance(count, IntExpr) and count.value > 0


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
