"""Which classes values of a type consist of."""

from collections.abc import Iterator

from mypy.nodes import TypeInfo
from mypy.types import Instance, ProperType, TupleType, Type, TypeVarType, UnionType, get_proper_type

from ..libraries import KEY_TYPES
from . import class_model


def held_classes(typ: Type) -> dict[TypeInfo, None]:
    """The classes of the program in a container, union or class at any depth, outermost first.

    What a static field holds is no part of the tree that JAX makes of an object.
    """
    found: dict[TypeInfo, None] = {}
    pending = [get_proper_type(typ)]
    seen: set[ProperType] = set()
    while pending:
        part = pending.pop(0)
        if part in seen:
            continue
        seen.add(part)
        if isinstance(part, Instance):
            pending += map(get_proper_type, part.args)
            if part.type not in found and part.type.fullname not in KEY_TYPES:
                found[part.type] = None
                pending += _of_fields(part.type)
        else:
            pending += _inside(part)
    return found


def _inside(part: ProperType) -> Iterator[ProperType]:
    if isinstance(part, TupleType):
        yield get_proper_type(part.partial_fallback)
    if isinstance(part, UnionType | TupleType):
        yield from map(get_proper_type, part.items)
    if isinstance(part, TypeVarType):
        yield get_proper_type(part.upper_bound)


def _of_fields(info: TypeInfo) -> Iterator[ProperType]:
    fields = (field for field in class_model.fields(info) if not field.is_static)
    return (get_proper_type(field.type) for field in fields if field.type is not None)
