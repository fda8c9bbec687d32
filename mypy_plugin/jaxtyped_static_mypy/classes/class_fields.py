"""What an instance holds: the fields of a dataclass-like class, the declared attributes of any other."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from mypy.nodes import FuncDef, SymbolTableNode, TypeInfo, Var
from mypy.types import (
    CallableType,
    Instance,
    NoneType,
    Type,
    TypeAliasType,
    UnionType,
    flatten_nested_unions,
    get_proper_type,
)

from ..compat.mypy_api import expand_type_by_instance, map_instance_to_supertype
from ..facts.class_facts import Facts, facts_of
from ..facts.field_facts import by_field
from ..libraries import (
    ABSTRACT_FIELDS,
    COLLECTED,
    KEY_TYPES,
    PYTREE_BASES,
    STATIC_FIELD_OPTIONS,
    STATIC_SPECIFIERS,
    declaration_of,
)
from ..markers.marker import Marker, marker_of
from ..memory import depend_on, once_per_run
from ..syntax.literals import Arguments
from .roles import Roles, declared_roles, is_its_leaves, user_bases

OBJECT: Final = "builtins.object"


class Field(NamedTuple):
    """An instance attribute and its declared type; None if it was not declared."""

    name: str
    type: Type | None
    owner: TypeInfo
    is_static: bool = False  # by the call that declares it, or by a list of fields; markers are in the type
    is_compared: bool = True
    is_hashed: bool = True  # False: a generated `__hash__` leaves it out, and a generated `__eq__` compares it
    in_init: bool = True
    is_hashed_by_id: bool = False  # on purpose: its values are singletons
    may_be_static: bool = False  # nothing shows whether it is
    annotated: tuple[str, ...] = ()  # what stands beside the type in `Annotated`

    def is_static_by(self, markers: frozenset[str]) -> bool:
        """Whether the declaration makes the field static, by itself or by one of these markers in `Annotated`."""
        return self.is_static or not markers.isdisjoint(self.annotated)


class _FieldSources(NamedTuple):
    """What the fields of one class are read from, collected once for all of them."""

    info: TypeInfo
    facts: list[Facts]  # of the classes in the MRO that have any, in order
    places: dict[TypeInfo, "_Places"]
    roles: Roles | None


@once_per_run
def fields(info: TypeInfo) -> list[Field]:
    """What an instance holds: the fields of a dataclass-like class, or the declared attributes of any other."""
    depend_on(base.fullname for base in info.mro)
    names = managed_names(info)
    if names is None:
        bases = (base for base in user_bases(info) if not base.is_protocol)
        names = list(dict.fromkeys(name for base in bases for name, _ in attributes(base)))
    if not names:
        return []
    internal = _internal_names(info)
    facts = [found for base in info.mro if (found := facts_of(base))]
    sources = _FieldSources(info, facts, {base: _places(base) for base in info.mro}, declared_roles(info))
    declared = (_field(name, sources) for name in names if name not in internal)
    return [field for field in declared if field is not None and not _is_separator(field.type)]


def _is_separator(typ: Type | None) -> bool:
    """Whether this is `_: KW_ONLY`, of a class that mypy does not know to be a dataclass."""
    proper = get_proper_type(typ) if typ is not None else None
    return isinstance(proper, Instance) and proper.type.fullname == "dataclasses.KW_ONLY"


def _internal_names(info: TypeInfo) -> set[str]:
    """Variables that a library's own base class declares, which are not fields."""
    bases = (base for base in info.mro if base.fullname in PYTREE_BASES or base.fullname in KEY_TYPES)
    return {name for base in bases for name, symbol in base.names.items() if isinstance(symbol.node, Var)}


def data_fields(info: TypeInfo) -> list[Field]:
    """The fields of a pytree class that may hold leaves; none if that cannot be read from the source."""
    roles = declared_roles(info)
    if roles is None:
        return [field for field in fields(info) if not field.is_static and not field.may_be_static]
    if roles.data is None:
        return []
    return [field for field in fields(info) if field.name in roles.data]


def managed_names(info: TypeInfo) -> list[str] | None:
    """The names of the fields as mypy's dataclass and attrs plugins collected them, bases first."""
    for key, entries, *_ in COLLECTED:
        if key in info.metadata:
            names = [name for name in _collected(info.metadata[key][entries]) if not _is_dunder(name)]
            declaration = declaration_of(info)
            hides_private = declaration is not None and declaration.hides_private
            return [name for name in names if not (hides_private and name.startswith("_"))]
    return None


def init_vars(info: TypeInfo) -> frozenset[str]:
    """The parameters of a dataclass's constructor that are passed to `__post_init__`, and are not fields."""
    entries = (info.metadata[key][entries] for key, entries, *_ in COLLECTED if key in info.metadata)
    listed = (entry for found in entries if not isinstance(found, dict) for entry in found)
    return frozenset(entry["name"] for entry in listed if entry.get("is_init_var"))


def _collected(entries: Any) -> list[str]:
    if isinstance(entries, dict):
        return list(entries)
    return [entry["name"] for entry in entries if not entry.get("is_init_var")]


# The keys in the metadata of mypy's plugins under which entries have the line and column of the declaration.
_Places = dict[str, tuple[int, int]]
_PLACES: Final = {found.key: (found.entries, *found.place) for found in COLLECTED if found.place is not None}


def _places(info: TypeInfo) -> _Places:
    for key, (entries, line, column) in _PLACES.items():
        if key in info.metadata:
            return {entry["name"]: (entry[line], entry[column]) for entry in info.metadata[key][entries]}
    return {}


def _declaring_class(info: TypeInfo, name: str, places: dict[TypeInfo, _Places]) -> TypeInfo | None:
    """The class whose body declares the field.

    mypy copies inherited fields into frozen subclasses, as if their class statements had them (2.4.1: the copy is not
    marked `plugin_generated`).
    """
    having = [base for base in info.mro if name in base.names]
    if not having or (place := places[having[0]].get(name)) is None:
        return having[0] if having else None
    return next(base for base in reversed(having) if places[base].get(name) == place)


def _field(name: str, sources: _FieldSources) -> Field | None:
    owner = _declaring_class(sources.info, name, sources.places)
    node = owner.names[name].node if owner is not None else None
    if owner is None or not isinstance(node, Var) or _is_abstract(node):
        return None
    facts = _declaring_facts(name, sources)
    options = facts.get("fields", {}).get(name, {})
    may_be_static = any(value is None for value in _static_options(options))
    is_wrapped = may_be_static and is_its_leaves(sources.info)  # by a value of another type
    return Field(
        name,
        type=None if is_wrapped else declared_type(owner, name, node),
        owner=owner,
        is_static=_is_static(name, sources.roles, facts, options),
        is_compared=options.get("compare") is not False and options.get("eq") is not False,
        is_hashed=options.get("hash") is not False,
        in_init=options.get("init") is not False,
        is_hashed_by_id=any(_says(found, name, "hash_by_id") for found in sources.facts),
        may_be_static=may_be_static,
        annotated=tuple(facts.get("annotated", {}).get(name, ())),
    )


def _declaring_facts(name: str, sources: _FieldSources) -> Facts:
    """The facts of the nearest class that declares the field."""
    declaring = (facts for facts in sources.facts if any(name in part for part in by_field(facts)))
    return next(declaring, Facts())


def _is_abstract(var: Var) -> bool:
    """Whether an attribute is left to subclasses, and is not a field of this class."""
    return (
        isinstance(var.type, TypeAliasType)
        and var.type.alias is not None
        and var.type.alias.fullname in ABSTRACT_FIELDS
    )


def _is_static(name: str, roles: Roles | None, facts: Facts, options: Arguments) -> bool:
    if roles is not None and (roles.makes_static(name) or roles.data is not None):
        return roles.makes_static(name)
    if facts.get("specifiers", {}).get(name) in STATIC_SPECIFIERS:
        return True
    return any(_static_options(options))


def _static_options(options: Arguments) -> Iterator[bool | None]:
    """For each option that says whether a field is static, what it says; None if it is no literal boolean."""
    metadata = options.get("metadata")
    given = {**options, **metadata} if isinstance(metadata, dict) else options
    for option, value in STATIC_FIELD_OPTIONS:
        if option in given:
            yield given[option] is value if isinstance(given[option], bool) else None


def _says(facts: Facts, name: str, option: str) -> bool:
    """Whether the call that declares a field has this option, by itself or in its metadata."""
    options = facts.get("fields", {}).get(name, {})
    metadata = options.get("metadata")
    return options.get(option) is True or (isinstance(metadata, dict) and metadata.get(option) is True)


def declared_type(owner: TypeInfo, name: str, var: Var) -> Type | None:
    """The annotation of an attribute, or of the parameter of `__init__` that it is set to.

    Ignores inferred types: whether mypy knows them yet depends on the order of checking, which differs by mode.
    """
    explicit = not var.is_inferred or (
        var.explicit_self_type and not var.is_final
    )  # a bare `Final` is inferred (2.4.1)
    if explicit and var.type is not None:
        return var.type
    parameter = facts_of(owner).get("parameters", {}).get(name)
    init = owner.names["__init__"].node if "__init__" in owner.names else None
    signature = get_proper_type(init.type) if isinstance(init, FuncDef) else None
    if parameter is None or not isinstance(signature, CallableType) or parameter not in signature.arg_names:
        return None
    typ = signature.arg_types[signature.arg_names.index(parameter)]
    return _replaced_type(typ) if name in facts_of(owner).get("replaced", ()) else typ


def _replaced_type(typ: Type) -> Type | None:
    """What the annotation of a parameter says of a value that replaces it: of a union, nothing shows which item."""
    proper = get_proper_type(typ)
    if not isinstance(proper, UnionType):
        return typ
    items = [item for item in flatten_nested_unions(proper.items) if not isinstance(get_proper_type(item), NoneType)]
    return items[0] if len(items) == 1 else None


def type_of_dict(field: Field) -> Type | None:
    """The type of an attribute without annotation that `__init__` sets to a new dict: that of `object.__dict__`."""
    symbol = field.owner.mro[-1].names.get("__dict__")
    is_dict = field.type is None and field.name in facts_of(field.owner).get("dicts", ())
    return symbol.node.type if is_dict and symbol is not None and isinstance(symbol.node, Var) else None


def attributes(info: TypeInfo) -> Iterator[tuple[str, Var]]:
    """Instance variables that the class statement or its methods declare.

    Sorted by name: mypy's cache does not keep the order of declarations (2.4.1 writes the names sorted).
    """
    for name, symbol in sorted(info.names.items()):
        node = symbol.node
        if not isinstance(node, Var) or node.is_classvar or symbol.plugin_generated or _is_dunder(name):
            continue
        if is_class_constant(symbol, node):
            continue
        yield name, node


def is_class_constant(symbol: SymbolTableNode, var: Var) -> bool:
    """Whether a variable is like `LIMIT = 3` in a class body: unannotated, and never set on `self`."""
    return not symbol.implicit and var.is_inferred and var.is_initialized_in_class


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def is_static(field: Field, static_markers: frozenset[str]) -> bool:
    """Whether a field of a pytree is a static position of its own."""
    return field.is_static_by(static_markers) or marker_of(field.type, static_markers) is Marker.STATIC


def type_of_field(field: Field, instance: Instance) -> Type | None:
    """The declared type of a field, with the type arguments of this instance."""
    if field.type is None:
        return None
    return expand_type_by_instance(field.type, map_instance_to_supertype(instance, field.owner))
