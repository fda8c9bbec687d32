"""Reads declared types: what an argument of that type is under a trace. Inferred types are never used."""

from dataclasses import dataclass, replace
from typing import Final

from mypy.nodes import Decorator, SymbolNode, TypeInfo
from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    NoneType,
    ProperType,
    TupleType,
    Type,
    TypeAliasType,
    TypedDictType,
    TypeOfAny,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from ...classes import class_model
from ...classes.array_holders import is_array
from ...compat.mypy_api import expand_alias_once
from ...config.settings import Settings
from ...facts.class_facts import facts_of
from ...knowledge.type_rows import Trait
from ...libraries import LIFTING_PACKAGES, TRACED_ALIASES, TRACED_NUMBERS, types_with
from ...markers.marker import Marker, marker_of, without_marker
from ..declared_types import return_types
from .joining import joined
from .values import MAX_PARTS, Cell, Each, Entries, Items, Source, Traced, Tree, Value, held, or_none

_SEQUENCES: Final = types_with(Trait.SEQUENCE)
_CELLS: Final = types_with(Trait.CELL)
_MAPPINGS: Final = types_with(Trait.MAPPING)


@dataclass
class _Reading:
    """One reading of a declared type, with a bound on its parts: an alias may be very large when expanded."""

    source: Source
    settings: Settings
    parts_left: int = MAX_PARTS

    def is_over(self) -> bool:
        self.parts_left -= 1
        return self.parts_left < 0


def declared_value(typ: Type, source: Source, settings: Settings) -> Value:
    """The value of a dynamic argument of this type: numbers, arrays and the leaves of pytrees are tracers."""
    reading = _Reading(source, settings)
    value = _value(typ, reading)
    return value if reading.parts_left >= 0 else held(value)


def _value(typ: Type, reading: _Reading) -> Value:
    if reading.is_over() or marker_of(typ, reading.settings.static_markers) is Marker.STATIC:
        return None
    typ = without_marker(typ)
    while isinstance(typ, TypeAliasType) and typ.alias is not None and not typ.is_recursive:
        if typ.alias.fullname in TRACED_ALIASES:
            return Traced(replace(reading.source, is_array=True))
        typ = expand_alias_once(typ)
    if isinstance(typ, TypeAliasType):
        return None  # it contains itself: there may be no leaf, at any depth
    return _proper_value(get_proper_type(typ), reading)


def _proper_value(typ: ProperType, reading: _Reading) -> Value:
    if isinstance(typ, Instance):
        return _instance_value(typ, reading)
    if isinstance(typ, UnionType):
        values = tuple(_value(part, reading) for part in typ.items if not _is_none(part))
        return joined(values) if len(values) == len(typ.items) else or_none(joined(values))
    if isinstance(typ, TupleType):
        return Items(tuple(_value(part, reading) for part in typ.items), _names(typ))
    if isinstance(typ, TypedDictType):
        return Entries(tuple((name, _value(part, reading)) for name, part in typ.items.items()))
    if isinstance(typ, LiteralType):
        return _instance_value(typ.fallback, reading)
    if isinstance(typ, TypeVarType):
        return joined(tuple(_value(part, reading) for part in typ.values or [typ.upper_bound]))
    return _leaf_or_tree(reading.source) if isinstance(typ, AnyType) and _may_be_leaf(typ) else None


def _may_be_leaf(typ: AnyType) -> bool:
    """Whether a value of unknown type is known to be traced: part of a container, or of what has no annotation."""
    return typ.type_of_any != TypeOfAny.from_error


def _leaf_or_tree(source: Source) -> Value:
    """A value of unknown type: an array or a number, or a pytree of these. Nothing tells whether it could be static."""
    declared = source.declared if source.field is None else None
    return Traced(replace(source, may_be_tree=True, declared=declared)) if not source.arrays_only else None


def _names(typ: TupleType) -> tuple[str, ...]:
    return tuple(typ.partial_fallback.type.metadata.get("namedtuple", {}).get("fields", ()))


def _is_recursive(typ: Type) -> bool:
    return isinstance(typ, TypeAliasType) and typ.is_recursive


def _is_none(typ: Type) -> bool:
    return isinstance(get_proper_type(typ), NoneType)


def _instance_value(typ: Instance, reading: _Reading) -> Value:
    info, source = typ.type, reading.source
    if is_array(info):
        return Traced(replace(source, is_array=True))
    if any(base.fullname in TRACED_NUMBERS for base in info.mro):
        return None if source.arrays_only else Traced(source)
    if info.fullname in _SEQUENCES and typ.args:
        return Each(_value(typ.args[0], reading))
    if info.fullname in _MAPPINGS and len(typ.args) == 2:
        return Entries(other=_value(typ.args[1], reading))
    if info.tuple_type is not None:
        return _proper_value(info.tuple_type, reading)
    if info.fullname == class_model.OBJECT and source.field is not None:
        return _leaf_or_tree(source)
    if any(base.fullname in _CELLS for base in info.mro):
        return Cell(replace(source, is_array=True))
    if not _has_traced_fields(info, reading.settings):
        return None
    lifted = any(base.fullname.startswith(LIFTING_PACKAGES) for base in info.mro)  # its numbers are static
    return Tree(typ, replace(source, arrays_only=True) if lifted else source)


def _has_traced_fields(info: TypeInfo, settings: Settings) -> bool:
    if class_model.is_declared_static(info, settings.static_bases) or not class_model.is_pytree(info):
        return False
    return class_model.is_readable(info)


def field_value(tree: Tree, name: str, settings: Settings) -> Value:
    """The value of a pytree argument's data field, or of a property declared to return an array."""
    info = tree.type.type
    if name in tree.replaced:
        return None
    if tree.given is not None:
        return dict(tree.given).get(name)
    for field in class_model.data_fields(info):
        if field.name == name:
            if class_model.is_static(field, settings.static_markers):
                return None
            declared = class_model.type_of_field(field, tree.type) or AnyType(TypeOfAny.unannotated)
            source = replace(tree.source, field=f'"{name}" of "{info.name}"{tree.how}', declared=declared)
            if field.type is None and name in facts_of(field.owner).get("makes_variables", ()):
                return Cell(replace(source, is_array=True))
            return declared_value(declared, source, settings)
    symbol = info.get(name)
    if symbol is None or not isinstance(symbol.node, Decorator) or not symbol.node.var.is_property:
        return None
    return returned_value(symbol.node, tree.source, settings)


def returned_value(function: SymbolNode | None, source: Source, settings: Settings) -> Value:
    """The result of a function given a tracer: traced if declared to be an array, else unknown."""
    reading = _Reading(source, settings)
    returned = return_types(function)
    value = joined(tuple(_arrays(typ, reading) for typ in returned)) if returned else None
    return value if reading.parts_left >= 0 else held(value)


def _arrays(written: Type, reading: _Reading) -> Value:
    typ = get_proper_type(written)
    if reading.is_over():
        return None
    if isinstance(typ, Instance) and is_array(typ.type):
        return Traced(replace(reading.source, may_be_tree=False, is_array=True))
    if isinstance(typ, TupleType):
        parts = (None if _is_recursive(part) else _arrays(part, reading) for part in typ.items)
        return Items(tuple(parts), _names(typ))
    return None
