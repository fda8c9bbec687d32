"""Which expressions are arrays of NumPy for sure: what NumPy makes, and what is made of that without any tracer."""

from typing import Final

from mypy.nodes import CallExpr, Expression, FloatExpr, IndexExpr, IntExpr, MemberExpr, NameExpr, OpExpr, UnaryExpr

from ...knowledge.full_names import NUMPY, makes_host_array
from ...knowledge.members import UNAMBIGUOUS_METHODS
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...syntax.imports import full_name, is_always_from
from ...syntax.names import base_of
from ...syntax.trees import nodes_below

_ARITHMETIC: Final = frozenset({"+", "-", "*", "/", "//", "%", "**", "@"})
_SIGNS: Final = frozenset({"-", "+", "~"})


def is_host_array(node: Expression, file: CheckedFile) -> bool:
    """Whether an expression is an array of NumPy, where it is not traced."""
    made = made_by(node, file)
    if isinstance(made, CallExpr):
        return _is_made_by_numpy(made, file) or _is_made_by_method(made, file)
    if isinstance(made, OpExpr):
        operands = (made.left, made.right)
        is_of_host = all(_is_number(operand, file) or is_host_array(operand, file) for operand in operands)
        return made.op in _ARITHMETIC and is_of_host and not all(_is_number(operand, file) for operand in operands)
    if isinstance(made, UnaryExpr):
        return made.op in _SIGNS and is_host_array(made.expr, file)
    if isinstance(made, MemberExpr):
        return made.name == "T" and is_host_array(made.expr, file)
    if isinstance(made, IndexExpr):
        is_written_out = not any(isinstance(part, (NameExpr, CallExpr)) for part in nodes_below(made.index))
        return is_written_out and is_host_array(made.base, file)
    return False


def _is_made_by_numpy(call: CallExpr, file: CheckedFile) -> bool:
    root = base_of(call.callee)
    is_numpy = isinstance(root, NameExpr) and is_always_from(NUMPY, root.name, file.tree)
    return is_numpy and makes_host_array(full_name(call.callee, file.tree))


def _is_made_by_method(call: CallExpr, file: CheckedFile) -> bool:
    """`table.reshape(2, -1)`: a tracer among the arguments raises there."""
    callee = call.callee
    is_method = isinstance(callee, MemberExpr) and callee.name in UNAMBIGUOUS_METHODS
    return is_method and isinstance(callee, MemberExpr) and is_host_array(callee.expr, file)


def _is_number(node: Expression, file: CheckedFile) -> bool:
    made = made_by(node, file)
    return isinstance(made.expr if isinstance(made, UnaryExpr) else made, (IntExpr, FloatExpr))
