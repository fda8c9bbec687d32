"""Attributes: each access makes a new bound method; two are equal only if they have the same object."""

from enum import Enum, auto
from typing import Final

from mypy.nodes import (
    GDEF,
    BytesExpr,
    Decorator,
    Expression,
    FloatExpr,
    FuncDef,
    IntExpr,
    MemberExpr,
    NameExpr,
    OverloadedFuncDef,
    RefExpr,
    StrExpr,
    SuperExpr,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.types import Instance, ProperType, TypeType

from ...classes import class_model
from ...classes.reasons import Reason
from ...judgement.judge import judge
from ...libraries import TREE_METHODS, VALUE_METHODS
from ...syntax.names import dotted_name
from .origins import Followed, FreshKind, Reader, answer, follow, unknown
from .types import class_of_type

_MUTABLE: Final = (Reason.NOT_FROZEN, Reason.ASSIGNABLE_ATTRIBUTE)


class Member(Enum):
    """What an attribute of an instance is."""

    DATA = auto()
    CLASS_DATA = auto()
    METHOD = auto()
    CLASS_METHOD = auto()  # or a static method: the same for all instances
    PROPERTY = auto()


def step_attribute(node: MemberExpr, reader: Reader) -> Followed:
    """`receiver.name`."""
    below = follow(reader.taking(node.name, *reader.path), node.expr)
    if isinstance(node.node, (FuncDef, Decorator, OverloadedFuncDef, TypeInfo)) or node.kind == GDEF:
        return []  # of a module or a class
    typ = reader.type_of(node.expr)
    if isinstance(typ, TypeType):
        return []  # a class that is passed around: what it has is there once
    info = class_of_type(typ)
    if info is None or info.fullname == "types.ModuleType":
        return below
    symbol = info.get(node.name)
    match member_of(symbol.node if symbol is not None else None):
        case Member.METHOD:
            return _step_method(node, info, typ, reader)
        case Member.CLASS_METHOD | Member.CLASS_DATA:
            return []
        case Member.DATA:
            return [] if _is_checked_field(info, node.name, reader) else below
    return unknown(dotted_name(node) or node.name, node)


def step_super(node: SuperExpr) -> Followed:
    """`super().name`."""
    bases = node.info.mro[1:] if node.info is not None else []
    symbol = next((base.names[node.name] for base in bases if node.name in base.names), None)
    member = member_of(symbol.node if symbol is not None else None)
    if member in (Member.CLASS_METHOD, Member.CLASS_DATA):
        return []
    name = f"super().{node.name}"
    return answer(FreshKind.BOUND_METHOD if member is Member.METHOD else FreshKind.UNKNOWN, name, node)


def member_of(node: SymbolNode | None) -> Member | None:
    if isinstance(node, OverloadedFuncDef):
        first = node.items[0] if node.items else None
        if isinstance(first, Decorator) and first.func.is_property:
            return Member.PROPERTY
        return Member.CLASS_METHOD if node.is_static or node.is_class else Member.METHOD
    function = node.func if isinstance(node, Decorator) else node
    if isinstance(function, FuncDef):
        if function.is_property:
            return Member.PROPERTY
        return Member.CLASS_METHOD if function.is_static or function.is_class else Member.METHOD
    if isinstance(node, Var):
        return Member.CLASS_DATA if node.is_classvar else Member.DATA
    return Member.CLASS_METHOD if isinstance(node, TypeInfo) else None


def _step_method(node: MemberExpr, info: TypeInfo, typ: ProperType | None, reader: Reader) -> Followed:
    names = {base.fullname for base in info.mro}
    if info.is_enum or not names.isdisjoint(VALUE_METHODS):
        return []
    name = dotted_name(node) or f"{info.name}(...).{node.name}"
    if info.is_protocol or not names.isdisjoint(TREE_METHODS):
        return unknown(name, node)
    if is_global(node.expr) and not (isinstance(typ, Instance) and may_change(typ, reader)):
        return []
    return answer(FreshKind.BOUND_METHOD, name, node)


def is_global(node: Expression) -> bool:
    """Whether the expression is a module-level name, an attribute of one or a literal: always the same object."""
    if isinstance(node, (BytesExpr, FloatExpr, IntExpr, StrExpr)):
        return True
    while isinstance(node, MemberExpr) and node.kind != GDEF:
        node = node.expr
    return isinstance(node, RefExpr) and (node.kind == GDEF or (isinstance(node, NameExpr) and _is_imported(node)))


def _is_imported(node: NameExpr) -> bool:
    """A name that a function imports."""
    return node.node is not None and "." in (node.node.fullname or "") and not isinstance(node.node, TypeInfo)


def may_change(typ: Instance, reader: Reader) -> bool:
    """Whether the object may change while the bound method, and so the cache key, stays equal."""
    return any(fault.reason in _MUTABLE and not fault.path for fault in judge(typ, reader.file.settings).faults)


def _is_checked_field(info: TypeInfo, name: str, reader: Reader) -> bool:
    """Whether this is a static field, whose value is checked where the object is built."""
    if class_model.is_declared_static(info, reader.file.settings.static_bases):
        return True
    members = (member for member in class_model.fields(info) if member.name == name)
    return any(class_model.is_static(member, reader.file.settings.static_markers) for member in members)
