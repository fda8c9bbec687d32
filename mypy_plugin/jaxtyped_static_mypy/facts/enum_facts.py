"""Finds what can change in an enum: mutable values of members, and attributes that methods assign."""

from typing import TypedDict

from mypy.nodes import TypeInfo

from ..syntax.literals import MUTABLE_DISPLAYS
from .class_body import ClassBody
from .method_facts import MAKING, attributes_assigned


class EnumFacts(TypedDict, total=False):
    """Facts of an enum."""

    mutable_values: list[str]  # members whose value is written as a list, dict or set
    assigned_later: list[str]  # attributes that methods assign


def read_enum(info: TypeInfo, body: ClassBody) -> EnumFacts:
    if not any(base.is_enum for base in info.mro[1:]):
        return {}
    mutable = (name for name, node in body.assignments if isinstance(node.rvalue, MUTABLE_DISPLAYS))
    return {
        "mutable_values": [name for name in mutable if name[0] != "_"],
        "assigned_later": attributes_assigned(method for name, method in body.methods.items() if name not in MAKING),
    }
