"""Which way a condition goes, and how often a loop runs."""

import ast
from typing import Final

from .scopes import Running, Scope
from .values import NONE, UNKNOWN, Leaf, Value

_MAIN: Final = "__main__"
_TYPE_CHECKING: Final = "TYPE_CHECKING"
_RANGE: Final = "range"


def constant_truth(test: ast.expr, scope: Scope, running: Running) -> bool | None:
    """None if nobody sees it."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        found = constant_truth(test.operand, scope, running)
        return not found if found is not None else None
    if isinstance(test, ast.BoolOp):
        return _of_parts([constant_truth(part, scope, running) for part in test.values], test.op)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _compared(test, scope, running)
    if isinstance(test, ast.Name) and test.id == _TYPE_CHECKING:
        return False
    is_plain = isinstance(test, ast.Constant | ast.Name | ast.Attribute)
    return _of_value(running.value(test, scope)) if is_plain else None


def _of_parts(found: list[bool | None], operator: ast.boolop) -> bool | None:
    decides = isinstance(operator, ast.Or)
    if decides in found:
        return decides
    return None if None in found else not decides


def _of_value(value: Value) -> bool | None:
    if value is NONE:
        return False
    is_known = isinstance(value, Leaf) and value.constant is not None
    return bool(value.constant) if isinstance(value, Leaf) and is_known else None


def _compared(test: ast.Compare, scope: Scope, running: Running) -> bool | None:
    operator, right = test.ops[0], test.comparators[0]
    if isinstance(right, ast.Constant) and right.value == _MAIN:
        return isinstance(operator, ast.Eq)
    is_none = isinstance(right, ast.Constant) and right.value is None
    if not is_none or not isinstance(operator, ast.Is | ast.IsNot):
        return None
    value = running.value(test.left, scope)
    if value is UNKNOWN:
        return None
    return (value is NONE) is isinstance(operator, ast.Is)


def runs_once(loop: ast.For | ast.While) -> bool:
    """Whether the source shows that a loop makes one pass."""
    if isinstance(loop, ast.While):
        return False
    items = loop.iter
    if isinstance(items, ast.Tuple | ast.List):
        return len(items.elts) == 1 and not isinstance(items.elts[0], ast.Starred)
    is_range = isinstance(items, ast.Call) and isinstance(items.func, ast.Name) and items.func.id == _RANGE
    if not is_range or not isinstance(items, ast.Call):
        return False
    only = items.args[0] if len(items.args) == 1 else None
    return isinstance(only, ast.Constant) and only.value == 1
