"""Where an operator gets what surely is an array of JAX, and a list or a tuple: `[0.0] * n`, `x + [1, 2]`.

NumPy makes an array of the list. JAX does not, and raises before Python tries to repeat a list so many times.
"""

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from jaxtyped_static_mypy.knowledge.array_attributes import ARRAY, OPERATORS

from .arrays import is_number, value_of
from .made_arrays import is_made_by_jax
from .missing import TYPE_ERROR
from .packages import Packages
from .source_files import Node, SourceFile, Use, source_file

_ANSWERS_KEPT: Final = 4096
_SHAPE: Final = "shape"
_LIST, _TUPLE = "list", "tuple"
# What is one, by its syntax.
_DISPLAYS: Final[dict[type[ast.AST], str]] = {ast.List: _LIST, ast.ListComp: _LIST, ast.Tuple: _TUPLE}
# The symbol of each operator.
_SYMBOLS: Final[dict[type[ast.AST], str]] = {getattr(ast, row.node): symbol for symbol, row in OPERATORS.items()}


@functools.lru_cache(_ANSWERS_KEPT)
def listed_operands(content: bytes, python: tuple[int, int], packages: Packages) -> tuple[Use, ...]:
    file = source_file(content) if b"jax" in content else None
    if file is None:
        return ()
    operands = _Operands(file, packages)
    found = ((node, symbol, operands.listed(*sides)) for node, symbol, *sides in operands.operations())
    return tuple(
        file.use(node, f"{ARRAY}.{OPERATORS[symbol].method}", TYPE_ERROR, kind)
        for node, symbol, kind in found
        if kind is not None and file.raises(node, python)
    )


@dataclass(frozen=True)
class _Operands:
    """The operands in a file."""

    file: SourceFile
    packages: Packages

    def operations(self) -> Iterator[tuple[Node, str, ast.expr, ast.expr]]:
        """Each operation with two operands, and its symbol."""
        for node in self.file.nodes():
            if isinstance(node, ast.BinOp):
                yield node, _SYMBOLS[type(node.op)], node.left, node.right
            elif isinstance(node, ast.AugAssign) and not self._extends(node):
                yield node, _SYMBOLS[type(node.op)], node.target, node.value
            elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _SYMBOLS:
                yield node, _SYMBOLS[type(node.ops[0])], node.left, node.comparators[0]

    def listed(self, *sides: ast.expr) -> str | None:
        """What one operand is, if it surely is a list or a tuple, and the other one an array."""
        for one, other in (sides, sides[::-1]):
            kind = self._kind(one) or self._kind_of_shape(one)
            if kind is not None and is_made_by_jax(self.file, other, self.packages):
                return kind
        return None

    def _extends(self, node: ast.AugAssign) -> bool:
        """Whether this adds items to a list: `xs += x`."""
        return isinstance(node.op, ast.Add) and self._kind(node.target) == _LIST

    def _kind(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Call):
            return next((kind for kind in (_LIST, _TUPLE) if self.file.is_builtin(node.func, kind)), None)
        if isinstance(node, ast.BinOp):
            return self._kind_of_operation(node)
        if not isinstance(node, ast.Name):
            return _DISPLAYS.get(type(node))
        value = value_of(self.file, node) if node.id in self._names else None
        return self._kind(value) if value is not None else None

    @cached_property
    def _names(self) -> frozenset[str]:
        """The variables that may hold one, as some statement says."""
        assigned = (node for node in self.file.nodes() if isinstance(node, ast.Assign))
        made = (node for node in assigned if any(map(self._is_written, _parts(node.value))))
        return frozenset(target.id for node in made for target in node.targets if isinstance(target, ast.Name))

    def _is_written(self, node: ast.expr) -> bool:
        return not isinstance(node, ast.Name) and self._kind(node) is not None

    def _kind_of_operation(self, node: ast.BinOp) -> str | None:
        """What a sum of two lists is, or a list that is repeated."""
        if not isinstance(node.op, ast.Add | ast.Mult):
            return None
        left, right = self._kind(node.left), self._kind(node.right)
        if isinstance(node.op, ast.Add):
            return left if left == right else None
        is_repeated = left is not None and is_number(self.file, node.right)
        return left if is_repeated else right if right is not None and is_number(self.file, node.left) else None

    def _kind_of_shape(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return self._kind_of_shape(node.value)
        if not isinstance(node, ast.Attribute) or node.attr != _SHAPE:
            return None
        return _TUPLE if is_made_by_jax(self.file, node.value, self.packages) else None


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """The operands of operators, and what is none."""
    if isinstance(node, ast.BinOp):
        yield from (part for side in (node.left, node.right) for part in _parts(side))
    else:
        yield node
