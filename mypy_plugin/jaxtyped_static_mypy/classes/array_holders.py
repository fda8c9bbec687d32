"""Whether values of a type hold JAX arrays: what a cache on a static object must not keep from a trace."""

from collections.abc import Iterator

from mypy.types import Instance, TupleType, Type, UnionType, get_proper_type

from ..known_types import KNOWN_TYPES, Kind
from . import class_model


def holds_arrays(typ: Type) -> bool:
    """At any depth of containers, unions and the fields of classes. NumPy's arrays are no JAX arrays."""
    return any(_is_array(part) for part in _parts(typ, set()))


def _is_array(typ: Instance) -> bool:
    known = KNOWN_TYPES.get(typ.type.fullname)
    return known is not None and known.kind is Kind.ARRAY


def _parts(typ: Type, seen: set[str]) -> Iterator[Instance]:
    """The type itself and what it is made of, each once."""
    proper = get_proper_type(typ)
    if isinstance(proper, (UnionType, TupleType)):
        for item in proper.items:
            yield from _parts(item, seen)
    if not isinstance(proper, Instance) or str(proper) in seen:
        return
    seen.add(str(proper))
    yield proper
    for argument in proper.args:
        yield from _parts(argument, seen)
    if proper.type.fullname not in KNOWN_TYPES:
        for field in class_model.fields(proper.type):
            if (declared := class_model.type_of_field(field, proper)) is not None:
                yield from _parts(declared, seen)
