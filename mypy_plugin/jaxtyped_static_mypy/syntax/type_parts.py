"""The types inside a type."""

from collections.abc import Iterator

from mypy.types import Instance, ProperType, TupleType, Type, UnionType, get_proper_type


def parts_of(typ: ProperType) -> tuple[Type, ...]:
    """The arguments of a class, or the items of a tuple or union."""
    if isinstance(typ, Instance):
        return typ.args
    return tuple(typ.items) if isinstance(typ, (TupleType, UnionType)) else ()


def all_parts(typ: Type) -> Iterator[ProperType]:
    """A type and its parts at any depth, each once: an alias may contain itself."""
    pending, seen = [get_proper_type(typ)], set[ProperType]()
    while pending:
        part = pending.pop()
        if part not in seen:
            seen.add(part)
            yield part
            pending += map(get_proper_type, parts_of(part))
