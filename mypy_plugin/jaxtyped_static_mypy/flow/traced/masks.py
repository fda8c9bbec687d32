"""Which calls make boolean arrays, whatever they get: by what they write out, or by the type that they name."""

from typing import Final

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Expression,
    GeneratorExpr,
    ListComprehension,
    ListExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    TupleExpr,
    UnaryExpr,
)

from ...knowledge.full_names import JAX_NUMPY, NUMPY
from ...knowledge.function_rows import Result
from ...knowledge.jax_functions import jax_function
from ...syntax.arguments import argument, named_arguments
from ...syntax.names import last_name
from ..declared_types import positions_with

_CONVERTING: Final = frozenset({"array", "asarray"})
_DTYPE: Final = "dtype"
_BOOLEAN: Final = frozenset(
    {"builtins.bool", *(f"{module}{name}" for module in (JAX_NUMPY, f"{NUMPY}.") for name in ("bool", "bool_"))}
)


def makes_mask(call: CallExpr, callee: RefExpr) -> bool:
    """Whether a function of JAX makes a boolean array: `jnp.array([i < n for i in range(4)])`, `jnp.ones(n, bool)`."""
    if jax_function(callee.fullname).result is Result.MASK:
        return True
    dtype = named_arguments(call, positions_with(callee.node, (_DTYPE,), call)).get(_DTYPE)
    if dtype is not None or len(call.args) != 1:
        return _is_boolean(dtype)
    return last_name(callee) in _CONVERTING and _is_of_truths(call.args[0])


def casts_to_mask(call: CallExpr, method: str) -> bool:
    """`x.astype(bool)`"""
    return method == "astype" and _is_boolean(argument(call, 0, _DTYPE))


def _is_boolean(dtype: Expression | None) -> bool:
    return isinstance(dtype, RefExpr) and dtype.fullname in _BOOLEAN


def _is_of_truths(node: Expression) -> bool:
    if isinstance(node, ListComprehension):
        return _is_of_truths(node.generator)
    if isinstance(node, GeneratorExpr):
        return _is_truth(node.left_expr)
    return isinstance(node, (ListExpr, TupleExpr)) and bool(node.items) and all(map(_is_truth, node.items))


def _is_truth(node: Expression) -> bool:
    """Whether it is `True` or `False`, or an array of these."""
    if isinstance(node, OpExpr):
        return node.op in ("and", "or") and _is_truth(node.left) and _is_truth(node.right)
    if isinstance(node, UnaryExpr):
        return node.op == "not"
    is_written_out = isinstance(node, NameExpr) and node.fullname in ("builtins.True", "builtins.False")
    return is_written_out or isinstance(node, ComparisonExpr) or _is_of_truths(node)
