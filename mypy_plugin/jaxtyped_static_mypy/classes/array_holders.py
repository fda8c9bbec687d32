"""Whether values of a type hold JAX arrays: what a cache on a static object must not keep from a trace."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import TypeInfo
from mypy.types import Instance, TupleType, Type, UnionType, get_proper_type

from ..known_types import KNOWN_TYPES, Kind
from . import class_model

_MAX_FORMS: Final = 8  # of one generic class, where it is no container of the table


def holds_arrays(typ: Type) -> bool:
    """At any depth of containers, unions and the fields of classes. NumPy's arrays are no JAX arrays."""
    return any(is_array(part.type) for part in _parts(typ, {}))


def is_array(info: TypeInfo) -> bool:
    known = (KNOWN_TYPES.get(base.fullname) for base in info.mro)
    return any(entry is not None and entry.kind is Kind.ARRAY for entry in known)


def _parts(typ: Type, seen: dict[TypeInfo, set[str]]) -> Iterator[Instance]:
    """The type itself and what it is made of, each once; a generic may contain itself with ever larger arguments."""
    proper = get_proper_type(typ)
    if isinstance(proper, (UnionType, TupleType)):
        for item in proper.items:
            yield from _parts(item, seen)
    if not isinstance(proper, Instance):
        return
    forms = seen.setdefault(proper.type, set())
    if str(proper) in forms or (len(forms) >= _MAX_FORMS and proper.type.fullname not in KNOWN_TYPES):
        return
    forms.add(str(proper))
    yield proper
    for argument in proper.args:
        yield from _parts(argument, seen)
    if proper.type.fullname not in KNOWN_TYPES:
        for field in class_model.fields(proper.type):
            if (declared := class_model.type_of_field(field, proper)) is not None:
                yield from _parts(declared, seen)
