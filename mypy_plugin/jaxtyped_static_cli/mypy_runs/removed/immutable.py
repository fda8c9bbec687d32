"""Where a file changes what surely is an array of JAX, as it does arrays of NumPy.

It is one if a function made it whose source says so. An annotation alone says too little: code for arrays of NumPy
often has those of JAX.
"""

import ast
import functools
import re
from typing import Final

from jaxtyped_static_mypy.knowledge.array_attributes import ARRAY, COPYING, DELETING, SETTING, SORTING

from .arrays import OF_SAME_KIND, is_number, value_of
from .missing import TYPE_ERROR
from .packages import Packages
from .source_files import SourceFile, Use, source_file
from .uses import ATTRIBUTE_ERROR

_ANSWERS_KEPT: Final = 4096
_CHANGING: Final = re.compile(rb"\]\s*(?:[-+*/%@&|^]|//|\*\*|<<|>>)?=(?!=)|\bdel\b|\]\s*,")
_ARRAYS: Final = frozenset({"Array", "jax.Array"})  # as annotations of results in the source of JAX
_PACKAGE: Final = "jax."
_AT: Final = "at"
_SUM: Final = "sum"


@functools.lru_cache(_ANSWERS_KEPT)
def changed_items(content: bytes, python: tuple[int, int], packages: Packages) -> tuple[Use, ...]:
    if b"jax" not in content or _CHANGING.search(content) is None:
        return ()
    file = source_file(content)
    if file is None:
        return ()
    found = (node for node in file.nodes() if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load))
    arrays = (node for node in found if _is_array(file, node.value, packages) and file.raises(node, python))
    return tuple(_use(file, node) for node in arrays)


@functools.lru_cache(_ANSWERS_KEPT)
def sorted_copies(content: bytes, python: tuple[int, int], packages: Packages) -> tuple[Use, ...]:
    """The statements `x.sort()`, of an array that stays as it is."""
    if b"jax" not in content or f".{SORTING}(".encode() not in content:
        return ()
    file = source_file(content)
    if file is None:
        return ()
    calls = (node.value for node in file.nodes() if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
    methods = [
        (call, call.func) for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == SORTING
    ]
    dropped = (call for call, method in methods if _is_array(file, method.value, packages))
    return tuple(file.use(call, f"{ARRAY}.{SORTING}", "") for call in dropped if file.raises(call, python))


def _use(file: SourceFile, node: ast.Subscript) -> Use:
    is_deleted = isinstance(node.ctx, ast.Del)
    name, error = (DELETING, ATTRIBUTE_ERROR) if is_deleted else (SETTING, TYPE_ERROR)
    return file.use(node, f"{ARRAY}.{name}", error)


def _is_array(file: SourceFile, node: ast.expr, packages: Packages) -> bool:
    if isinstance(node, ast.Call):
        return _returns_array(file, node, packages)
    if isinstance(node, ast.Attribute):
        return node.attr in OF_SAME_KIND and _is_array(file, node.value, packages)
    if isinstance(node, ast.Subscript):
        return _is_array(file, node.value, packages)
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Not) and _is_array(file, node.operand, packages)
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
        return any(_is_array(file, side, packages) for side in sides) and all(
            _decides_nothing(file, one, packages) for one in sides
        )
    value = value_of(file, node) if isinstance(node, ast.Name) else None
    return value is not None and _is_array(file, value, packages)


def _decides_nothing(file: SourceFile, node: ast.expr, packages: Packages) -> bool:
    """Whether an operator between it and an array of JAX makes one."""
    return is_number(file, node) or _is_array(file, node, packages)


def _sums_arrays(file: SourceFile, summed: ast.expr, packages: Packages) -> bool:
    """Whether what Python's `sum` adds up has an array of JAX in it: `[x, y]`, `(jnp.square(k) for k in ks)`."""
    if isinstance(summed, ast.GeneratorExp | ast.ListComp):
        return _is_array(file, summed.elt, packages)
    parts = summed.elts if isinstance(summed, ast.List | ast.Tuple) else []
    return any(_is_array(file, part, packages) for part in parts) and all(
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
        return _is_array(file, called.value, packages)
    updated = called.value.value if isinstance(called.value, ast.Subscript) else None  # `x.at[i].set(y)`
    return isinstance(updated, ast.Attribute) and updated.attr == _AT and _is_array(file, updated.value, packages)
