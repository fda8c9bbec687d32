"""The classes of the program that values of a type hold, up to their own fields."""

from collections.abc import Callable, Iterator

from mypy.nodes import TypeInfo
from mypy.types import (
    Instance,
    ProperType,
    TupleType,
    Type,
    TypedDictType,
    TypeVarType,
    UnionType,
    UnpackType,
    get_proper_type,
)


def classes_in(typ: Type | None, is_own: Callable[[TypeInfo], bool]) -> list[TypeInfo]:
    """In the order in which the type names them. `is_own`: whether a class belongs to the program."""
    found: dict[TypeInfo, None] = {}
    pending: list[Type] = [typ] if typ is not None else []
    seen: set[ProperType] = set()
    while pending:
        proper = get_proper_type(pending.pop())
        if proper in seen:
            continue
        seen.add(proper)
        info = _class_of(proper)
        if info is not None and is_own(info) and not info.is_newtype:
            found[info] = None
        pending += reversed(list(_parts(proper)))
    return list(found)


def _class_of(typ: ProperType) -> TypeInfo | None:
    if isinstance(typ, Instance):
        return typ.type
    if isinstance(typ, TupleType):
        return typ.partial_fallback.type
    return typ.fallback.type if isinstance(typ, TypedDictType) else None


def _parts(typ: ProperType) -> Iterator[Type]:
    """The types that a type is written with; not those of parameters and results of functions, which hold nothing."""
    if isinstance(typ, Instance):
        yield from typ.args
        if typ.type.is_newtype:
            yield from typ.type.bases
        if typ.type.tuple_type is not None:
            yield typ.type.tuple_type
    elif isinstance(typ, (TupleType, UnionType)):
        yield from typ.items
    elif isinstance(typ, TypeVarType):
        yield from typ.values or [typ.upper_bound]
    elif isinstance(typ, UnpackType):
        yield typ.type
