"""Of which class the objects are whose methods traced code calls: by where they are made, or by what is declared."""

from typing import NamedTuple

from mypy.nodes import LDEF, CallExpr, Expression, MemberExpr, MypyFile, NameExpr, RefExpr, TypeInfo, Var
from mypy.types import AnyType, NoneType, ProperType, UnionType, get_proper_type

from ...compat.mypy_api import lookup_fully_qualified
from ...facts.class_facts import facts_of
from ...facts.self_facts import uses_from
from ...reach.objects import class_held, class_of_global
from ...source.bindings import bindings_of, made_by
from ...source.checked_file import CheckedFile, once_per_file
from ...source.selves import classes_of_selves
from ...source.surroundings import surroundings
from ..declared_types import class_in, declared_type
from ..made import constructed
from .given import class_given


class ClassOf(NamedTuple):
    """The class of an object."""

    info: TypeInfo
    is_exact: bool = False  # the object is made here: it is of no subclass


def class_of(node: Expression, file: CheckedFile) -> ClassOf | None:
    """The class of the object that an expression stands for; None if that is not seen."""
    made = made_by(node, file)
    if isinstance(made, CallExpr):
        info = constructed(made)
        return ClassOf(info, is_exact=True) if info is not None else None
    if isinstance(made, NameExpr):
        return _of_variable(made, file)
    return _of_member(made, file) if isinstance(made, MemberExpr) else None


def is_only_declared(callee: Expression, file: CheckedFile) -> bool:
    """Whether what is called, or whose method it is, is a variable of which only its type says what it holds."""
    owner = made_by(callee.expr if isinstance(callee, MemberExpr) else callee, file)
    is_self = isinstance(owner, NameExpr) and owner.node in classes_of_selves(file)
    return isinstance(owner, NameExpr) and not is_self and declared_type(owner) is not None


def _of_variable(name: NameExpr, file: CheckedFile) -> ClassOf | None:
    own = classes_of_selves(file).get(name.node) if name.node is not None else None
    if own is not None:
        return ClassOf(own)
    if (info := class_in(_not_none(declared_type(name)))) is not None:
        return ClassOf(info)
    return _of_global(name, file) or _of_parameter(name, file)


def _of_parameter(name: NameExpr, file: CheckedFile) -> ClassOf | None:
    """The class of what the calls of a compiled function make for a parameter without an annotation."""
    is_declared = not isinstance(declared_type(name), AnyType | None)
    if name.kind != LDEF or is_declared or bindings_of(name.node, file):
        return None
    function = surroundings(name, file).function
    own = function is not None and any(argument.variable is name.node for argument in function.arguments)
    info = class_given(file, function, name.name) if own and function is not None else None
    return ClassOf(info, is_exact=True) if info is not None else None


def _of_global(node: RefExpr, file: CheckedFile) -> ClassOf | None:
    """The class of what a name of a module holds, also one that is imported."""
    is_global = isinstance(node.node, Var) and "." in node.node.fullname and not node.node.info
    return _named(class_of_global(node.node.fullname, file), file) if is_global and node.node is not None else None


def _of_member(node: MemberExpr, file: CheckedFile) -> ClassOf | None:
    if isinstance(node.expr, RefExpr) and isinstance(node.expr.node, MypyFile):
        return _of_global(node, file)
    owner = class_of(node.expr, file)
    if owner is None or (not owner.is_exact and _is_set_by_subclass(owner.info, node.name, file)):
        return None
    return _named(class_held(owner.info, node.name, file), file)


def _is_set_by_subclass(info: TypeInfo, attribute: str, file: CheckedFile) -> bool:
    """Whether a subclass of the file gives an attribute a value of its own."""
    below = (other for other in _classes(file) if other is not info and info in other.mro)
    return any(_sets(other, attribute) for other in below)


def _sets(info: TypeInfo, attribute: str) -> bool:
    kept = facts_of(info).get("uses_of_self", {}).values()
    return attribute in info.names or any(attribute in uses_from(uses).assigned for uses in kept)


def _named(full_name: str | None, file: CheckedFile) -> ClassOf | None:
    symbol = lookup_fully_qualified(full_name, file.modules) if full_name is not None else None
    return ClassOf(symbol.node) if symbol is not None and isinstance(symbol.node, TypeInfo) else None


def _not_none(typ: ProperType | None) -> ProperType | None:
    """The only type beside None: a call of a method needs an object."""
    if not isinstance(typ, UnionType):
        return typ
    parts = [part for part in map(get_proper_type, typ.items) if not isinstance(part, NoneType)]
    return parts[0] if len(parts) == 1 else None


@once_per_file
def _classes(file: CheckedFile) -> frozenset[TypeInfo]:
    """The classes of the file that have methods."""
    return frozenset(function.info for function in file.functions if function.info)
