"""What of an enum can change although its members are singletons: their values, and attributes that methods assign."""

from collections.abc import Iterator
from typing import Any, Final

from mypy.nodes import (
    DictExpr,
    DictionaryComprehension,
    ListComprehension,
    ListExpr,
    SetComprehension,
    SetExpr,
    TypeInfo,
)

from .class_body import ClassBody
from .method_facts import MAKING, names_assigned

_MUTABLE: Final = (
    DictExpr,
    DictionaryComprehension,
    ListComprehension,
    ListExpr,
    SetComprehension,
    SetExpr,
)


def read_enum(info: TypeInfo, body: ClassBody) -> Iterator[tuple[str, Any]]:
    """Facts `mutable_values` (members whose value is written as a list, dict or set) and `assigned_later`."""
    if not any(base.is_enum for base in info.mro[1:]):
        return
    mutable = (name for name, node in body.assignments if isinstance(node.rvalue, _MUTABLE))
    yield "mutable_values", [name for name in mutable if name[0] != "_"]
    yield "assigned_later", names_assigned(method for name, method in body.methods.items() if name not in MAKING)
