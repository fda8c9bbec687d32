"""The type of a value whose name was bound to a value of another type before.

mypy gives a variable the type of its first binding, and keeps that after one which it rejects or knows nothing of:
after `sizes = []` and `sizes = tuple(sizes)` it still says `list`. What counts is the last binding before the use.
"""

from collections.abc import Callable, Iterator
from typing import Final

from mypy.nodes import Expression, MemberExpr, NameExpr, Var
from mypy.types import AnyType, Instance, ProperType, Type, get_proper_type

from ..compat.mypy_api import any_type, is_subtype
from ..facts.class_facts import facts_of
from ..source.bindings import Binding, bindings_of
from ..source.checked_file import CheckedFile
from ..source.local_bindings import (
    LocalBinding,
    bindings_of_local,
    reaching_attributes,
    reaching_bindings,
    reaching_of_module,
)
from .declared_types import class_in
from .fresh.origins import Reader, type_as_declared
from .made import type_made

_MAX_DEPTH: Final = 4  # a name may be bound to another one
_TypeOf = Callable[[Expression], Type | None]


def type_bound_last(expression: Expression, typ: Type, reader: Reader, depth: int = 0) -> Type:
    """The type of the last binding if mypy keeps another; `Any` if several may count, or nothing shows its type."""
    if isinstance(get_proper_type(typ), AnyType) or depth > _MAX_DEPTH:
        return typ

    def type_of(value: Expression) -> Type | None:
        found = reader.type_of(value)
        return type_bound_last(value, found, reader, depth + 1) if found is not None else None

    if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
        return _type_of_name(expression, expression.node, typ, reader.file, type_of)
    if isinstance(expression, MemberExpr) and isinstance(expression.expr, NameExpr):
        return _type_of_attribute(expression, expression.expr, typ, reader.file, type_of)
    return typ


def types_bound(expression: Expression, reader: Reader) -> Iterator[Type]:
    """The types of the values that a local name may have there, but for that of a parameter."""
    for local in bindings_of_local(reader.file, expression):
        value = local.binding.whole
        typ = reader.type_of(value) if value is not None else None
        if typ is not None:
            yield typ


def _type_of_name(name: NameExpr, variable: Var, typ: Type, file: CheckedFile, type_of: _TypeOf) -> Type:
    if "." not in variable.fullname:
        return _settled(reaching_bindings(file, name, variable), variable, typ, type_of)
    is_imported = variable.fullname.rpartition(".")[0] != file.tree.fullname
    if len(bindings_of(variable, file)) + is_imported < 2:
        return typ

    def type_written(value: Expression) -> Type | None:  # workers of mypy know only the types of their own functions
        return type_made(value, file.api) or type_as_declared(value)

    return _settled(reaching_of_module(file, name, variable), variable, typ, type_written)


def _type_of_attribute(read: MemberExpr, holder: NameExpr, typ: Type, file: CheckedFile, type_of: _TypeOf) -> Type:
    info = class_in(type_of(holder))
    symbol = info.get(read.name) if info is not None else None
    if info is None or symbol is None or not isinstance(symbol.node, Var) or not isinstance(holder.node, Var):
        return typ
    settled = _settled(reaching_attributes(file, read, holder.node), symbol.node, typ, type_of)
    is_rebound = any(read.name in facts_of(base).get("rebound", ()) for base in info.mro)
    return any_type() if settled is typ and is_rebound else settled


def _settled(found: list[LocalBinding], variable: Var, typ: Type, type_of: _TypeOf) -> Type:
    others = [other for local in found if (other := _other_type(local.binding, variable, type_of)) is not None]
    if not others:
        return typ
    return others[0] if len(found) == 1 else any_type()


def _other_type(binding: Binding, variable: Var, type_of: _TypeOf) -> Type | None:
    """The type of a bound value that differs from that of the variable; `Any` if it is not known."""
    if binding.value is None or variable.type is None:
        return None
    given = get_proper_type(type_of(binding.value))
    if given is None or isinstance(given, AnyType):
        return any_type() if variable.is_inferred else None
    return None if binding.path or _is_like(given, get_proper_type(variable.type)) else given


def _is_like(given: ProperType, declared: ProperType) -> bool:
    """Whether mypy accepts the value, or one of the same class: the type of `[]` does not say what the list gets."""
    is_same = isinstance(given, Instance) and isinstance(declared, Instance) and given.type is declared.type
    return is_same or is_subtype(given, declared)
