"""Whether values of a type hold JAX arrays, which a cache on a static object must not keep from a trace."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from mypy.nodes import TypeInfo
from mypy.types import Instance, ProperType, TupleType, Type, UnionType, get_proper_type

from ..knowledge.type_rows import AsKey
from ..libraries import KEY_TYPES
from ..memory import once_per_run
from . import class_model

_OF_JAX: Final = frozenset({AsKey.ARRAY})
_OF_ANY: Final = _OF_JAX | {AsKey.HOST_ARRAY}
_MAX_DEPTH: Final = 5  # of containers in containers
_MAX_FORMS: Final = 8  # instances of one generic class whose fields are looked into


def holds_arrays(typ: Type) -> bool:
    """Whether a container, union or class holds JAX arrays at any depth. NumPy arrays do not count."""
    return _holds(typ, _OF_JAX)


def holds_any_arrays(typ: Type) -> bool:
    """Whether a container, union or class holds arrays of JAX or NumPy at any depth."""
    return _holds(typ, _OF_ANY)


def _holds(typ: Type, counted: frozenset[AsKey]) -> bool:
    whole = get_proper_type(typ)
    known_types = _known(counted)
    holders: dict[ProperType, ProperType | None] = {whole: None}  # each part, and the type that holds it
    forms = Counter[TypeInfo]()
    pending = [whole]
    while pending:
        part = pending.pop()
        known = known_types.get(part)
        if known or (isinstance(part, Instance) and _is_one_of(part.type, counted)):
            _remember_way(part, holders, known_types)
            return True
        if known is None:
            new = dict.fromkeys(below for below in _parts(part, forms) if below not in holders)
            holders.update(dict.fromkeys(new, part))
            pending += new
    known_types.update(dict.fromkeys(holders, False))
    return False


@once_per_run
def _known(counted: frozenset[AsKey]) -> dict[ProperType, bool]:
    """Whether values of a type hold arrays of these kinds."""
    return {}


def _remember_way(
    part: ProperType | None, holders: Mapping[ProperType, ProperType | None], known: dict[ProperType, bool]
) -> None:
    while part is not None:
        known[part] = True
        part = holders[part]


def consists_of_arrays(typ: Type, depth: int = _MAX_DEPTH) -> bool:
    """Whether a value is an array, or a container of nothing but arrays."""
    proper = get_proper_type(typ)
    if depth and isinstance(proper, TupleType):
        return all(consists_of_arrays(item, depth - 1) for item in proper.items)
    if not depth or not isinstance(proper, Instance):
        return False
    is_container = proper.type.fullname in KEY_TYPES and bool(proper.args)
    return is_array_like(proper.type) or (is_container and consists_of_arrays(proper.args[-1], depth - 1))


def is_array(info: TypeInfo) -> bool:
    """Whether a class is an array of JAX; one of NumPy is none."""
    return _is_one_of(info, _OF_JAX)


def is_array_like(info: TypeInfo) -> bool:
    """Whether a class is a JAX or a NumPy array."""
    return _is_one_of(info, _OF_ANY)


def _is_one_of(info: TypeInfo, counted: frozenset[AsKey]) -> bool:
    known = (KEY_TYPES.get(base.fullname) for base in info.mro)
    return any(entry is not None and entry.key in counted for entry in known)


def _parts(typ: ProperType, forms: Counter[TypeInfo]) -> Iterator[ProperType]:
    """The types inside a type; limited, as a generic class may contain itself with ever larger arguments."""
    if isinstance(typ, (UnionType, TupleType)):
        yield from map(get_proper_type, typ.items)
    if isinstance(typ, Instance):
        yield from map(get_proper_type, typ.args)
        forms[typ.type] += 1
        if typ.type.fullname not in KEY_TYPES and forms[typ.type] <= _MAX_FORMS:
            declared = (class_model.type_of_field(field, typ) for field in class_model.fields(typ.type))
            yield from (get_proper_type(field) for field in declared if field is not None)
