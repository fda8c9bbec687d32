"""Finds what can change in an enum: mutable values of members, and attributes that methods assign."""

from typing import Final, TypedDict

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
from .method_facts import MAKING, attributes_assigned

_MUTABLE: Final = (
    DictExpr,
    DictionaryComprehension,
    ListComprehension,
    ListExpr,
    SetComprehension,
    SetExpr,
)


class EnumFacts(TypedDict, total=False):
    """Facts of an enum."""

    mutable_values: list[str]  # members whose value is written as a list, dict or set
    assigned_later: list[str]  # attributes that methods assign


def read_enum(info: TypeInfo, body: ClassBody) -> EnumFacts:
    if not any(base.is_enum for base in info.mro[1:]):
        return {}
    mutable = (name for name, node in body.assignments if isinstance(node.rvalue, _MUTABLE))
    return {
        "mutable_values": [name for name in mutable if name[0] != "_"],
        "assigned_later": attributes_assigned(method for name, method in body.methods.items() if name not in MAKING),
    }
