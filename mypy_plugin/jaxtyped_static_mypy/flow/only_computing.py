"""Functions that only compute what they return: a call whose result is dropped does nothing."""

from typing import Final

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    Expression,
    FloatExpr,
    IndexExpr,
    IntExpr,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    RefExpr,
    ReturnStmt,
    SliceExpr,
    TupleExpr,
    UnaryExpr,
)

from ..knowledge.function_rows import Effect, Result
from ..knowledge.jax_functions import VALUE_AREAS, jax_name
from ..knowledge.members import ARRAY_METHODS
from ..libraries import known_function
from ..source.checked_file import CheckedFile
from ..syntax.changes import updated_by_index
from ..syntax.imports import full_name
from ..syntax.names import function_of
from ..syntax.trees import nodes_below

_COMPUTED: Final = (CallExpr, ConditionalExpr, IndexExpr, OpExpr, UnaryExpr)
_PARTS: Final = (*_COMPUTED, ComparisonExpr, FloatExpr, IntExpr, MemberExpr, NameExpr, SliceExpr, TupleExpr)
_AREAS: Final = VALUE_AREAS - {"api"}  # which waits for arrays, and deletes them
# NumPy's arrays change in place by these.
_IN_PLACE: Final = frozenset({"add", "set", "sort"})


def only_computes(function: Expression, file: CheckedFile) -> bool:
    """Whether a function does nothing but calculate with what it is given: a function of JAX, or one expression.

    One that returns a constant, or compares, may be there to see whether trees have the same structure.
    """
    if isinstance(function, LambdaExpr):
        return _is_computed(function.expr(), file)
    if isinstance(function, RefExpr) and _is_of_jax(function, file):
        return True
    known = function_of(function)
    if not file.defines(known):
        return False
    returned = known.body.body[-1] if len(known.body.body) == 1 else None
    value = returned.expr if isinstance(returned, ReturnStmt) else None
    return value is not None and _is_computed(value, file)


def _is_computed(value: Expression, file: CheckedFile) -> bool:
    return isinstance(value, _COMPUTED) and all(_is_part(node, file) for node in nodes_below(value))


def _is_part(node: Node, file: CheckedFile) -> bool:
    if not isinstance(node, _PARTS):
        return False
    if not isinstance(node, CallExpr):
        return True
    callee = node.callee
    is_method = isinstance(callee, MemberExpr) and (
        callee.name in ARRAY_METHODS - _IN_PLACE or updated_by_index(callee.expr) is not None
    )
    return is_method or (isinstance(callee, RefExpr) and _is_of_jax(callee, file))


def _is_of_jax(function: RefExpr, file: CheckedFile) -> bool:
    """Whether this is a function of JAX that computes an array: not `jnp.shape`, which is there to look at one."""
    name = full_name(function, file.tree)
    is_computing = (jax_name(name) or "").partition(".")[0] in _AREAS
    row = known_function(name)
    return is_computing and row.result is not Result.CONCRETE and Effect.CALLS_HOST not in row.effects
