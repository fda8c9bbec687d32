"""Whether a value surely is an array with at least one dimension, as far as its expression shows."""

from typing import Final

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Expression,
    FuncDef,
    IndexExpr,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    OpExpr,
    ReturnStmt,
    SliceExpr,
    TupleExpr,
    UnaryExpr,
)

from ..knowledge.dimensions import KEEPING_DIMENSIONS, MAKING_DIMENSIONS, OF_LISTS, OF_SHAPES
from ..knowledge.jax_functions import jax_name
from ..source.checked_file import CheckedFile
from ..syntax.arguments import argument, unpacks
from ..syntax.imports import full_name
from ..syntax.literals import is_none
from ..syntax.trees import last_statement, statements
from .handed_functions import Handed
from .written_values import written_value

_MAX_DEPTH: Final = 8
_FLATTENING: Final = frozenset({"flatten", "ravel"})
_ARITHMETIC: Final = frozenset({"+", "-", "*", "/", "**"})


def returns_dimensions(called: Handed, file: CheckedFile) -> bool:
    """Whether every result of a function has a dimension."""
    function = called.function
    if called.is_transformed:
        return False
    if isinstance(function, LambdaExpr):
        last = last_statement(function.body)
        returned = [last] if isinstance(last, ReturnStmt) else []
    elif isinstance(function, FuncDef) and file.defines(function) and not function.is_generator:
        own = statements(function.body.body, into_definitions=False)
        returned = [node for node in own if isinstance(node, ReturnStmt)]
    else:
        return False
    values = [node.expr for node in returned]
    return bool(values) and all(value is not None and has_dimensions(value, file) for value in values)


def has_dimensions(node: Expression, file: CheckedFile, depth: int = _MAX_DEPTH) -> bool:
    node = written_value(node, file)
    if depth <= 0:
        return False
    if isinstance(node, UnaryExpr):
        return node.op == "-" and has_dimensions(node.expr, file, depth - 1)
    if isinstance(node, OpExpr):
        sides = (node.left, node.right)
        return node.op in _ARITHMETIC and any(has_dimensions(side, file, depth - 1) for side in sides)
    if isinstance(node, ComparisonExpr):
        return len(node.operands) == 2 and any(has_dimensions(side, file, depth - 1) for side in node.operands)
    if isinstance(node, IndexExpr):
        parts = node.index.items if isinstance(node.index, TupleExpr) else [node.index]
        return any(isinstance(part, SliceExpr) or is_none(part) for part in parts)
    return isinstance(node, CallExpr) and _of_call(node, file, depth)


def _of_call(call: CallExpr, file: CheckedFile, depth: int) -> bool:
    if unpacks(call):
        return False
    name = jax_name(full_name(call.callee, file.tree))
    first = call.args[0] if call.args and call.arg_names[0] is None else None
    if name is None:
        return _of_mapped(call, file) or _of_method(call)
    if name in MAKING_DIMENSIONS:
        return True
    if name in OF_LISTS:
        return isinstance(first, ListExpr)
    if name in OF_SHAPES:
        shape = argument(call, OF_SHAPES[name], "shape")
        return isinstance(shape, TupleExpr) and bool(shape.items)
    return name in KEEPING_DIMENSIONS and first is not None and has_dimensions(first, file, depth - 1)


def _of_mapped(call: CallExpr, file: CheckedFile) -> bool:
    """`vmap(f)(xs)`, whose results have an axis more, unless an option says where that is, or that there is none."""
    made = written_value(call.callee, file)
    if not isinstance(made, CallExpr) or jax_name(full_name(made.callee, file.tree)) != "api.vmap":
        return False
    return argument(made, 2, "out_axes") is None and not unpacks(made)


def _of_method(call: CallExpr) -> bool:
    is_flat = isinstance(call.callee, MemberExpr) and call.callee.name in _FLATTENING
    return is_flat and not call.args
