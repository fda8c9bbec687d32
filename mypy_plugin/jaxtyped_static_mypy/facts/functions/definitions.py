"""Finds the functions that statements define, whether or not mypy has analysed them yet."""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import Decorator, FuncDef, OverloadedFuncDef, Statement

from ...syntax.decorators import last_names
from ...syntax.trees import statements

# Decorators of a helper that leave it as it is.
_HARMLESS: Final = frozenset({"dataclass_transform", "no_type_check", "overload", "override", "staticmethod"})


def whole(body: Sequence[Statement]) -> list[Statement]:
    """The statements of a body and of the blocks in it; a decorated or overloaded function only as a whole."""
    found = statements(body, into_definitions=False)
    parts: set[Statement] = {node.func for node in found if isinstance(node, Decorator)}
    parts.update(item for node in found if isinstance(node, OverloadedFuncDef) for item in node.unanalyzed_items)
    return [node for node in found if node not in parts]


def defined_function(node: Statement) -> FuncDef | None:
    """The function that a statement defines; None if decorators change it, or it defines none."""
    if isinstance(node, OverloadedFuncDef):
        # The parser leaves the implementation among the items; semantic analysis takes it out (mypy 2.4.1).
        last = node.impl or next(reversed(node.items), None)
        return defined_function(last) if last is not None else None
    if isinstance(node, Decorator):
        return node.func if _HARMLESS.issuperset(last_names(node)) else None
    return node if isinstance(node, FuncDef) else None


def is_static_method(node: Statement) -> bool:
    if isinstance(node, OverloadedFuncDef):
        return any(map(is_static_method, (*node.items, *([node.impl] if node.impl is not None else []))))
    return isinstance(node, Decorator) and "staticmethod" in last_names(node)
