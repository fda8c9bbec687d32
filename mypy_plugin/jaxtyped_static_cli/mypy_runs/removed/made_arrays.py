"""What surely is an array of JAX, by the syntax of a file: a function made it whose source says so.

An annotation alone says too little: code for arrays of NumPy often has those of JAX.
"""

import ast
from typing import Final

from jaxtyped_static_mypy.knowledge.array_attributes import COPYING

from .arrays import OF_SAME_KIND, is_number, value_of
from .packages import Packages
from .source_files import SourceFile

_ARRAYS: Final = frozenset({"Array", "jax.Array"})  # as annotations of results in the source of JAX
_PACKAGE: Final = "jax."
_AT: Final = "at"
_SUM: Final = "sum"
# Operators of comparisons that make no array.
_NO_ARRAYS: Final = (ast.In, ast.Is, ast.IsNot, ast.NotIn)


def is_made_by_jax(file: SourceFile, node: ast.expr, packages: Packages) -> bool:
    if isinstance(node, ast.Call):
        return _returns_array(file, node, packages)
    if isinstance(node, ast.Attribute):
        return node.attr in OF_SAME_KIND and is_made_by_jax(file, node.value, packages)
    if isinstance(node, ast.Subscript):
        return is_made_by_jax(file, node.value, packages)
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Not) and is_made_by_jax(file, node.operand, packages)
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
        return any(is_made_by_jax(file, side, packages) for side in sides) and all(
            _decides_nothing(file, one, packages) for one in sides
        )
    if isinstance(node, ast.Compare):
        return _compares_arrays(file, node, packages)
    value = value_of(file, node) if isinstance(node, ast.Name) else None
    return value is not None and is_made_by_jax(file, value, packages)


def _compares_arrays(file: SourceFile, node: ast.Compare, packages: Packages) -> bool:
    """Whether a comparison returns an array; a chain of several returns one of them, or raises."""
    sides = (node.left, *node.comparators)
    if len(sides) != 2 or isinstance(node.ops[0], _NO_ARRAYS):
        return False
    return any(is_made_by_jax(file, one, packages) for one in sides) and all(
        _decides_nothing(file, one, packages) for one in sides
    )


def _decides_nothing(file: SourceFile, node: ast.expr, packages: Packages) -> bool:
    """Whether an operator between it and an array of JAX makes one."""
    return is_number(file, node) or is_made_by_jax(file, node, packages)


def _sums_arrays(file: SourceFile, summed: ast.expr, packages: Packages) -> bool:
    """Whether what Python's `sum` adds up has an array of JAX in it: `[x, y]`, `(jnp.square(k) for k in ks)`."""
    if isinstance(summed, ast.GeneratorExp | ast.ListComp):
        return is_made_by_jax(file, summed.elt, packages)
    parts = summed.elts if isinstance(summed, ast.List | ast.Tuple) else []
    return any(is_made_by_jax(file, part, packages) for part in parts) and all(
        _decides_nothing(file, part, packages) for part in parts
    )


def _returns_array(file: SourceFile, call: ast.Call, packages: Packages) -> bool:
    name = file.full_name(call.func)
    if file.is_builtin(call.func, _SUM):
        return len(call.args) == 1 and _sums_arrays(file, call.args[0], packages)
    if name:
        definition = packages.definition(name) if name.startswith(_PACKAGE) else None
        returned = definition.returns if isinstance(definition, ast.FunctionDef) else None
        return returned is not None and ast.unparse(returned) in _ARRAYS
    called = call.func
    if not isinstance(called, ast.Attribute):
        return False
    if called.attr in COPYING:
        return is_made_by_jax(file, called.value, packages)
    updated = called.value.value if isinstance(called.value, ast.Subscript) else None  # `x.at[i].set(y)`
    return isinstance(updated, ast.Attribute) and updated.attr == _AT and is_made_by_jax(file, updated.value, packages)
