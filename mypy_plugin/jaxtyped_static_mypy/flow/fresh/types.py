"""Decides which types are, or hold, callables that are hashed by identity."""

from collections.abc import Iterable
from typing import Final

from mypy.nodes import TypeInfo
from mypy.types import (
    CallableType,
    Instance,
    LiteralType,
    NoneType,
    Overloaded,
    ProperType,
    TupleType,
    Type,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from ...knowledge.type_rows import Trait
from ...libraries import types_with

_FUNCTIONS: Final = types_with(Trait.FUNCTION)
_CONTAINERS: Final = types_with(Trait.HOLDS)
_PLAIN: Final = types_with(Trait.PLAIN)
_MAX_DEPTH: Final = 6  # a type alias may contain itself, or another alias twice


def holds_callables(typ: Type | None, depth: int = 0) -> bool:
    """Whether values are functions or contain them. Objects with a `__call__` are judged by their class."""
    proper = get_proper_type(typ)
    if isinstance(proper, CallableType):
        return not proper.is_type_obj()
    if isinstance(proper, Overloaded):
        return not proper.is_type_obj()
    if depth > _MAX_DEPTH:
        return False
    if isinstance(proper, Instance):
        return _is_function(proper) or any(holds_callables(part, depth + 1) for part in _elements(proper))
    if isinstance(proper, (UnionType, TupleType)):
        return any(holds_callables(item, depth + 1) for item in proper.items)
    return isinstance(proper, TypeVarType) and holds_callables(proper.upper_bound, depth + 1)


def _is_function(typ: Instance) -> bool:
    return typ.type.fullname in _FUNCTIONS or (typ.type.is_protocol and "__call__" in typ.type.names)


def _elements(typ: Instance) -> tuple[Type, ...]:
    if typ.type.tuple_type is not None:
        return tuple(typ.type.tuple_type.items)
    return typ.args if typ.type.fullname in _CONTAINERS else ()


def part_of_type(typ: Type | None, path: Iterable[str]) -> ProperType | None:
    """The type of an item in a value, or of an item in that; None if the type does not show it."""
    found = get_proper_type(typ)
    for step in path:
        items = _items(found)
        number = step[1:-1]
        if not number.isdecimal() or int(number) >= len(items):
            return None
        found = get_proper_type(items[int(number)])
    return found


def _items(typ: Type | None) -> list[Type]:
    if isinstance(typ, Instance) and typ.type.tuple_type is not None:
        typ = typ.type.tuple_type
    return typ.items if isinstance(typ, TupleType) else []


def is_tuple_of_callables(typ: Type | None) -> bool:
    """A `NamedTuple` or a tuple that holds callables, such as an optimiser of optax."""
    proper = get_proper_type(typ)
    if isinstance(proper, Instance) and proper.type.tuple_type is not None:
        proper = proper.type.tuple_type
    return isinstance(proper, TupleType) and holds_callables(proper)


def is_plain(typ: Type | None, depth: int = 0) -> bool:
    """A quick test for most static values: numbers, strings, enum members and tuples of these."""
    if depth > _MAX_DEPTH:
        return False
    proper = get_proper_type(typ)
    if isinstance(proper, Instance):
        return proper.type.fullname in _PLAIN or proper.type.is_enum
    if isinstance(proper, (UnionType, TupleType)):
        return all(is_plain(item, depth + 1) for item in proper.items)
    return isinstance(proper, (LiteralType, NoneType))


def class_of_type(typ: Type | None) -> TypeInfo | None:
    """The class of a value of this type, if it is one; of a union, the first."""
    proper = get_proper_type(typ)
    if isinstance(proper, UnionType):
        return next((info for item in proper.items if (info := class_of_type(item)) is not None), None)
    if isinstance(proper, TypeVarType):
        return class_of_type(proper.upper_bound)
    if isinstance(proper, TupleType):
        return proper.partial_fallback.type
    return proper.type if isinstance(proper, Instance) else None
