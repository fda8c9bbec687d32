"""Where an operator gets what surely is an array of JAX, and a list or a tuple: `[0.0] * n`, `x + [1, 2]`.

NumPy makes an array of the list. JAX does not, and says so for each operator; what Python makes of `[0] * n` with a
number does not come to be, either.
"""

import ast
import functools
from collections.abc import Iterator
from typing import Final

from jaxtyped_static_mypy.knowledge.array_attributes import ARRAY, OPERATORS

from .arrays import is_number, value_of
from .made_arrays import is_made_by_jax
from .missing import TYPE_ERROR
from .packages import Packages
from .source_files import Node, SourceFile, Use, source_file

_ANSWERS_KEPT: Final = 4096
_SHAPE: Final = "shape"
_KINDS: Final = ("list", "tuple")
# The symbol of each operator.
_SYMBOLS: Final[dict[type[ast.AST], str]] = {getattr(ast, name): symbol for symbol, (name, _) in OPERATORS.items()}


@functools.lru_cache(_ANSWERS_KEPT)
def listed_operands(content: bytes, python: tuple[int, int], packages: Packages) -> tuple[Use, ...]:
    file = source_file(content) if b"jax" in content else None
    if file is None:
        return ()
    found = (
        (node, symbol, kind) for node, symbol, *sides in _operations(file) if (kind := _listed(file, sides, packages))
    )
    return tuple(
        file.use(node, f"{ARRAY}.{OPERATORS[symbol].method}", TYPE_ERROR, kind)
        for node, symbol, kind in found
        if file.raises(node, python)
    )


def _operations(file: SourceFile) -> Iterator[tuple[Node, str, ast.expr, ast.expr]]:
    """Each operation with two operands, and its symbol."""
    for node in file.nodes():
        if isinstance(node, ast.BinOp):
            yield node, _SYMBOLS[type(node.op)], node.left, node.right
        elif isinstance(node, ast.AugAssign) and not _extends(file, node):
            yield node, _SYMBOLS[type(node.op)], node.target, node.value
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _SYMBOLS:
            yield node, _SYMBOLS[type(node.ops[0])], node.left, node.comparators[0]


def _extends(file: SourceFile, node: ast.AugAssign) -> bool:
    """Whether this adds items to a list: `xs += x`."""
    return isinstance(node.op, ast.Add) and _kind(file, node.target) == "list"


def _listed(file: SourceFile, sides: list[ast.expr], packages: Packages) -> str | None:
    """What one operand is, if it surely is a list or a tuple, and the other one an array."""
    for one, other in (sides, sides[::-1]):
        kind = _kind(file, one) or _of_shape(file, one, packages)
        if kind is not None and is_made_by_jax(file, other, packages):
            return kind
    return None


def _kind(file: SourceFile, node: ast.expr) -> str | None:
    if isinstance(node, ast.List | ast.ListComp):
        return "list"
    if isinstance(node, ast.Tuple):
        return "tuple"
    if isinstance(node, ast.Call):
        return next((kind for kind in _KINDS if file.is_builtin(node.func, kind)), None)
    if isinstance(node, ast.BinOp):
        return _of_operation(file, node)
    value = value_of(file, node) if isinstance(node, ast.Name) else None
    return _kind(file, value) if value is not None else None


def _of_operation(file: SourceFile, node: ast.BinOp) -> str | None:
    """What a sum of two lists is, or a list that is repeated."""
    left, right = _kind(file, node.left), _kind(file, node.right)
    if isinstance(node.op, ast.Add):
        return left if left == right else None
    if not isinstance(node.op, ast.Mult):
        return None
    return (left if is_number(file, node.right) else None) or (right if is_number(file, node.left) else None)


def _of_shape(file: SourceFile, node: ast.expr, packages: Packages) -> str | None:
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return _of_shape(file, node.value, packages)
    is_shape = isinstance(node, ast.Attribute) and node.attr == _SHAPE and is_made_by_jax(file, node.value, packages)
    return "tuple" if is_shape else None
