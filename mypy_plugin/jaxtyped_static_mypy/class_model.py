"""A class as the judgement sees it: can it change, how is it hashed, what does it hold. Read, never imported."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import Decorator, FuncDef, OverloadedFuncDef, SymbolTableNode, TypeInfo, Var
from mypy.types import CallableType, Instance, Type, get_proper_type

from .class_facts import Facts, facts_of
from .compat import expand_type_by_instance, map_instance_to_supertype
from .known_types import KNOWN_TYPES
from .libraries import (
    LIBRARIES,
    PYTREE_BASES,
    PYTREE_DECORATORS,
    STATIC_DECORATORS,
    STATIC_FIELD_OPTIONS,
    Declaration,
)
from .markers import Marker, marker_of
from .reasons import Reason

OBJECT: Final = "builtins.object"
# Decorators that leave a class as it is.
_HARMLESS_DECORATORS: Final = frozenset(
    {
        "functools.total_ordering",
        "typing.final",
        "typing.runtime_checkable",
        "typing_extensions.final",
        "typing_extensions.runtime_checkable",
        "typing_extensions.deprecated",
        "warnings.deprecated",
        "enum.unique",
    }
)


class Field(NamedTuple):
    """An instance attribute and its declared type; None where nothing was declared."""

    name: str
    type: Type | None
    owner: TypeInfo
    is_static: bool = False  # by an option of its field call; a marker is seen in the type
    is_compared: bool = True
    in_init: bool = True
    is_hashed_by_id: bool = False  # on purpose: its values are singletons


def declaration_of(info: TypeInfo) -> Declaration | None:
    """How the class statement itself was declared, by the first library that recognises it."""
    facts = facts_of(info)
    for library in LIBRARIES:
        if library.declare is not None and (declaration := library.declare(info, facts)) is not None:
            return declaration
    return None


def user_bases(info: TypeInfo) -> Iterator[TypeInfo]:
    """The classes of the MRO that carry state of their own: not `object`, nor what the table of known types covers."""
    return (base for base in info.mro if base.fullname != OBJECT and base.fullname not in KNOWN_TYPES)


def is_readable(info: TypeInfo) -> bool:
    """Whether the source shows what the class is: no unknown base, no metaclass or decorator of unknown effect."""
    if info.fallback_to_any or info.meta_fallback_to_any:
        return False
    if any("__init_subclass__" in base.names for base in user_bases(info) if base is not info):
        return declaration_of(info) is not None  # such a base may have made anything of the class
    return all(declaration_of(base) is not None or _is_plain(base) for base in user_bases(info))


def _is_plain(info: TypeInfo) -> bool:
    metaclass = info.declared_metaclass
    if metaclass is not None and metaclass.type.fullname not in ("abc.ABCMeta", "builtins.type"):
        return False
    if facts_of(info).get("may_refuse_assignment"):
        return False
    known = _HARMLESS_DECORATORS | PYTREE_DECORATORS | STATIC_DECORATORS
    return all(name in known for name, _ in facts_of(info).get("decorators", ()))


# Mutability


def mutability(info: TypeInfo) -> tuple[Reason, str] | None:
    """Why instances can change after they were hashed, with the attribute or the way to freeze; None if they cannot."""
    bases = list(user_bases(info))
    if any(facts_of(base).get("refuses_assignment") for base in bases):
        return None
    guarded = {name for base in bases for name in _frozen_names(base)}
    for base in bases:
        declaration = declaration_of(base)
        if declaration is not None and not declaration.frozen:
            return Reason.NOT_FROZEN, declaration.freeze
        if declaration is not None and base is info:
            return None
        if declaration is None and (name := _assignable_attribute(base, guarded)) is not None:
            return Reason.ASSIGNABLE_ATTRIBUTE, name
    return None


def _frozen_names(info: TypeInfo) -> list[str]:
    """Fields that a frozen class refuses to set on instances of its subclasses, too."""
    declaration = declaration_of(info)
    return managed_names(info) or [] if declaration is not None and declaration.frozen else []


def _assignable_attribute(info: TypeInfo, guarded: set[str]) -> str | None:
    """The first attribute that can be set from outside, or a private one that a method other than `__init__` sets."""
    if info.is_protocol:
        return None  # it demands attributes, and says nothing of how they are kept
    setter = next((name for name, symbol in info.names.items() if _has_setter(symbol)), None)
    if setter is not None:
        return setter
    reassigned = facts_of(info).get("reassigned", ())
    for name, var in _attributes(info):
        if not var.is_final and name not in guarded and (not name.startswith("_") or name in reassigned):
            return name
    return None


def _attributes(info: TypeInfo) -> Iterator[tuple[str, Var]]:
    """Variables of instances that the class statement or its methods declare, in order."""
    for name, symbol in info.names.items():
        node = symbol.node
        if not isinstance(node, Var) or node.is_classvar or symbol.plugin_generated or _is_dunder(name):
            continue
        if is_class_constant(symbol, node):
            continue
        yield name, node


def is_class_constant(symbol: SymbolTableNode, var: Var) -> bool:
    """`LIMIT = 3` in a class body: an unannotated value that no method sets on `self`."""
    return not symbol.implicit and var.is_inferred and var.is_initialized_in_class


def _has_setter(symbol: SymbolTableNode) -> bool:
    node = symbol.node
    first = node.items[0] if isinstance(node, OverloadedFuncDef) and node.items else None
    return isinstance(first, Decorator) and first.var.is_settable_property


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


# Fields


def fields(info: TypeInfo) -> list[Field]:
    """What an instance holds: the fields of a dataclass-like class, the declared attributes of any other."""
    managed = managed_names(info)
    if managed is not None:
        return [field for name in managed if (field := _field(info, name)) is not None]
    found: dict[str, Field] = {}
    for base in user_bases(info):
        for name, _ in () if base.is_protocol else _attributes(base):
            if name not in found and (field := _field(info, name)) is not None:
                found[name] = field
    return list(found.values())


def managed_names(info: TypeInfo) -> list[str] | None:
    """The names of the fields as mypy's dataclass and attrs plugins collected them, base classes first."""
    for key in _PLACES:
        if key in info.metadata:
            entries = info.metadata[key]["attributes"]
            return [name for entry in entries if not entry.get("is_init_var") and not _is_dunder(name := entry["name"])]
    return None


# The metadata of mypy's plugins, and where in the source an entry says that its field was declared.
_PLACES: Final = {"dataclass": ("line", "column"), "attrs": ("context_line", "context_column")}


def _declaring_class(info: TypeInfo, name: str) -> TypeInfo | None:
    """The class whose body has the field: a frozen subclass holds a copy of what it inherits."""
    owner = info.get_containing_type_info(name)
    if owner is None or (place := _place(owner, name)) is None:
        return owner
    same = (base for base in reversed(owner.mro) if name in base.names and _place(base, name) == place)
    return next(same, owner)


def _place(info: TypeInfo, name: str) -> tuple[int, int] | None:
    for key, (line, column) in _PLACES.items():
        for entry in info.metadata.get(key, {}).get("attributes", ()):
            if entry["name"] == name:
                return entry[line], entry[column]
    return None


def _field(info: TypeInfo, name: str) -> Field | None:
    owner = _declaring_class(info, name)
    node = owner.names[name].node if owner is not None else None
    if owner is None or not isinstance(node, Var):
        return None
    options = _field_options(info, name)
    return Field(
        name,
        type=declared_type(owner, name, node),
        owner=owner,
        is_static=_is_static_field(options),
        is_compared=options.get("compare") is not False and options.get("eq") is not False,
        in_init=options.get("init") is not False,
        is_hashed_by_id=any(_is_hashed_by_id(base, name) for base in info.mro),
    )


def _field_options(info: TypeInfo, name: str) -> Facts:
    """Literal arguments of the field's call, in the class nearest to this one: mypy copies inherited fields."""
    declared = (facts_of(base).get("fields", {}) for base in info.mro)
    return next((dict(options[name]) for options in declared if name in options), {})


def _with_metadata(options: Facts) -> Facts:
    metadata = options.get("metadata")
    return {**options, **metadata} if isinstance(metadata, dict) else options


def _is_static_field(options: Facts) -> bool:
    given = _with_metadata(options)
    return any(given.get(name) is value for name, value in STATIC_FIELD_OPTIONS)


def _is_hashed_by_id(base: TypeInfo, name: str) -> bool:
    """Whether a class says so of its field, or a subclass's."""
    return _with_metadata(facts_of(base).get("fields", {}).get(name, {})).get("hash_by_id") is True


def declared_type(owner: TypeInfo, name: str, var: Var) -> Type | None:
    """The annotation of an attribute, or that of the `__init__` parameter it is set from.

    An inferred type is not used: whether it is known already depends on the order of checking, which differs by mode.
    """
    explicit = not var.is_inferred or (var.explicit_self_type and not var.is_final)  # a bare `Final` is inferred
    if explicit and var.type is not None:
        return var.type
    parameter = facts_of(owner).get("parameters", {}).get(name)
    init = owner.names["__init__"].node if "__init__" in owner.names else None
    signature = get_proper_type(init.type) if isinstance(init, FuncDef) else None
    if parameter is None or not isinstance(signature, CallableType) or parameter not in signature.arg_names:
        return None
    return signature.arg_types[signature.arg_names.index(parameter)]


# Roles


def is_pytree(info: TypeInfo) -> bool:
    """Whether the class is registered by its decorators or its bases."""
    if any(base.fullname in PYTREE_BASES for base in info.mro):
        return True
    return any(name in PYTREE_DECORATORS for name, _ in facts_of(info).get("decorators", ()))


def data_fields(info: TypeInfo) -> list[Field]:
    """The fields of a pytree class that may hold leaves; none where a `tree_flatten` decides, which is not read."""
    if "tree_flatten" in info.names:
        return []
    for name, arguments in facts_of(info).get("decorators", ()):
        if name in PYTREE_DECORATORS and isinstance(listed := arguments.get("data_fields"), list):
            return [field for field in fields(info) if field.name in listed]
    return [field for field in fields(info) if not field.is_static]


def may_have_static_fields(info: TypeInfo) -> bool:
    """A quick look before `is_pytree` and `is_declared_static`: there are facts or a base other than `object`."""
    return bool(info.metadata) or len(info.mro) > 2


def is_static(field: Field, static_markers: frozenset[str]) -> bool:
    """Whether a field of a pytree is a static position of its own."""
    return field.is_static or marker_of(field.type, static_markers) is Marker.STATIC


def type_of_field(field: Field, instance: Instance) -> Type | None:
    """The declared type of a field as this instance's class arguments make it."""
    if field.type is None:
        return None
    return expand_type_by_instance(field.type, map_instance_to_supertype(instance, field.owner))


def is_declared_static(info: TypeInfo, static_bases: frozenset[str]) -> bool:
    """Whether the class is a static class: registered as one, or below a configured base."""
    if any(name in STATIC_DECORATORS for name, _ in facts_of(info).get("decorators", ())):
        return True
    return any(base.fullname in static_bases for base in info.mro)
