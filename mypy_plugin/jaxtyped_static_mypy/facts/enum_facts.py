"""What of an enum can change although its members are singletons: their values, and attributes that methods assign."""

from collections.abc import Iterator
from typing import Any, Final

from mypy.nodes import (
    AssignmentStmt,
    ClassDef,
    DictExpr,
    DictionaryComprehension,
    FuncDef,
    ListComprehension,
    ListExpr,
    NameExpr,
    SetComprehension,
    SetExpr,
)

from .method_facts import MAKING, names_assigned

_MUTABLE: Final = (
    DictExpr,
    DictionaryComprehension,
    ListComprehension,
    ListExpr,
    SetComprehension,
    SetExpr,
)


def read_enum(cls: ClassDef, methods: dict[str, FuncDef]) -> Iterator[tuple[str, Any]]:
    """Facts `mutable_values` (members whose value is written as a list, dict or set) and `assigned_later`."""
    if not any(base.is_enum for base in cls.info.mro[1:]):
        return
    assignments = [node for node in cls.defs.body if isinstance(node, AssignmentStmt)]
    mutable = (node.lvalues[0] for node in assignments if isinstance(node.rvalue, _MUTABLE))
    yield "mutable_values", [node.name for node in mutable if isinstance(node, NameExpr) and node.name[0] != "_"]
    yield "assigned_later", names_assigned(method for name, method in methods.items() if name not in MAKING)
