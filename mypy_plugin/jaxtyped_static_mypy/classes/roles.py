"""What a class is to JAX: a pytree, with data and static fields, or a static class."""

from collections.abc import Container, Iterable, Iterator
from typing import Final, NamedTuple

from mypy.nodes import TypeInfo, Var

from ..facts.class_facts import Facts, facts_of
from ..facts.flatten_facts import FlattenFacts
from ..knowledge.full_names import ABSTRACT_BASE, FLATTEN_METHODS
from ..libraries import KEY_TYPES, PYTREE_BASES, PYTREE_DECORATORS, STATIC_DECORATORS, declaration_of
from ..libraries.jaxtyped_static import DYNAMIC_DATACLASS, STATIC_DATACLASS
from ..syntax.literals import Arguments


class Roles(NamedTuple):
    """The fields that lists, or a flatten function, make data or static; data is None if unknown."""

    data: frozenset[str] | None
    static: frozenset[str]
    static_without: frozenset[str] | None = None  # if all other fields are static: those that are not

    def makes_static(self, name: str) -> bool:
        return name in self.static or (self.static_without is not None and name not in self.static_without)


_PLAIN_BASES: Final = frozenset({ABSTRACT_BASE, "builtins.object", "typing.Generic"})
_UNKNOWN: Final = Roles(None, frozenset())
_LISTS: Final = ("data_fields", "meta_fields")
_FLATTENS_AND_BACK: Final = ("flatten", "unflatten")
_TAKING_FLATTEN: Final = ("register_pytree_node", "register_pytree_with_keys")
_FLATTENING: Final = ".register_pytree_"  # functions that take or use a flatten function


def user_bases(info: TypeInfo) -> Iterator[TypeInfo]:
    """The classes in the MRO, without `object` and other known types."""
    return (base for base in info.mro if base.fullname not in KEY_TYPES)


def unknown_bases(info: TypeInfo) -> list[str]:
    """Full names of the bases that mypy cannot see; an empty name for a base without one."""
    return [name for base in info.mro for name in facts_of(base).get("unknown_bases", ())]


def registrations(info: TypeInfo) -> Iterable[tuple[str, Arguments]]:
    """The decorators of a class, and the calls that register it, as full names and literal arguments."""
    facts = facts_of(info)
    if not facts:
        return ()
    pairs = (*facts.get("decorators", ()), *facts.get("registrations", ()))
    return ((name, arguments) for name, arguments in pairs)


def is_registered_by(classes: Iterable[TypeInfo], names: Container[str]) -> bool:
    """Whether a decorator or a call with one of these full names registers one of these classes."""
    return any(name in names for info in classes for name, _ in registrations(info))


def is_abstract(info: TypeInfo) -> bool:
    """Whether values are objects of subclasses: the class is a protocol, or leaves something to its subclasses.

    A class below `abc.ABC` is like any other if it has no abstract method left, unless it is a mere template.
    """
    if info.is_protocol or info.is_abstract:
        return True
    facts = facts_of(info)
    leaves = bool(facts.get("only_raising")) or _is_template(info, facts)
    return leaves and any(base.type.fullname == ABSTRACT_BASE for base in info.bases)


def _is_template(info: TypeInfo, facts: Facts) -> bool:
    """Whether a class only declares what its subclasses have: no decorator or base makes fields of its annotations."""
    own = [symbol.node for symbol in info.names.values() if not symbol.plugin_generated]
    if not own:
        return True
    is_plain = not facts.get("decorators") and all(base.fullname in _PLAIN_BASES for base in info.mro[1:])
    return is_plain and all(isinstance(node, Var) and not node.has_explicit_value for node in own)


def is_pytree(info: TypeInfo) -> bool:
    """Whether the class is registered: by a decorator, a call or its bases."""
    bases = (*(base.fullname for base in info.mro), *unknown_bases(info))
    return any(name in PYTREE_BASES for name in bases) or is_registered_by([info], PYTREE_DECORATORS)


def may_have_static_fields(info: TypeInfo) -> bool:
    """Rules out most classes before `is_pytree` and `is_declared_static`: those without facts or bases."""
    return bool(info.metadata) or len(info.mro) > 2


def may_be_registered_elsewhere(info: TypeInfo) -> bool:
    """Whether a class has a flatten method and no known registration, so that another module may register it.

    Where a base with a flatten method of its own is registered by a decorator, a class without one lacks it.
    """
    owners = [base for base in info.mro if _has_flatten_methods(base)]
    if not owners or is_pytree(owners[0]):
        return False
    decorators = (name for base in owners[1:] for name, _ in facts_of(base).get("decorators", ()))
    return PYTREE_DECORATORS.isdisjoint(decorators)


def _has_flatten_methods(info: TypeInfo) -> bool:
    """By any of the usual names: `_tree_flatten`, which a module may register in a loop over all its classes."""
    names = {name.strip("_") for name in info.names}
    return not names.isdisjoint(FLATTEN_METHODS) or names.issuperset(_FLATTENS_AND_BACK)


def is_declared_static(info: TypeInfo, static_bases: frozenset[str]) -> bool:
    """Whether the class is a static class: by a decorator, by a call, or by a base in the settings."""
    return is_registered_by([info], STATIC_DECORATORS) or any(base.fullname in static_bases for base in info.mro)


def is_interned(info: TypeInfo) -> bool:
    """Whether equal objects are one object: the class, or a base, is a `static_dataclass`."""
    return is_registered_by(info.mro, STATIC_DATACLASS)


def hashes_static_fields(info: TypeInfo, static_bases: frozenset[str]) -> bool:
    """Whether JAX hashes the static fields of a class, or its objects.

    It only compares those of a pytree, and what `register_static` registers (JAX 0.10.2: the hash of a tree leaves them
    out). This package's classes are hashed, and those of the settings are meant to be.
    """
    if is_interned(info) or any(base.fullname in static_bases for base in info.mro):
        return True
    is_other_pytree = is_pytree(info) and not is_registered_by(info.mro, DYNAMIC_DATACLASS)
    return not (is_other_pytree or is_registered_by([info], STATIC_DECORATORS))


def is_registered(info: TypeInfo) -> bool:
    """Whether JAX knows the class: as a pytree, or as a static class without leaves."""
    return is_pytree(info) or is_registered_by([info], STATIC_DECORATORS)


def is_passed_as_is(info: TypeInfo) -> bool:
    """Whether JAX passes the same object to what it traces: its class, or a base, is static."""
    return is_registered_by(info.mro, STATIC_DECORATORS)


def declared_roles(info: TypeInfo) -> Roles | None:
    """What the registration of a pytree lists, or its flatten function returns; None if each field says it."""
    if not is_pytree(info):
        return None
    registering = [(name, arguments) for name, arguments in registrations(info) if name in PYTREE_DECORATORS]
    for _, arguments in registering:
        if not arguments.keys().isdisjoint(_LISTS):
            return Roles(_listed(arguments, "data_fields"), _listed(arguments, "meta_fields") or frozenset())
    if _is_flattened_by_decorator(info):
        return _UNKNOWN
    for base in info.mro:
        if (flatten := facts_of(base).get("flatten")) is not None:
            return _flattened(flatten)
        if not base.names.keys().isdisjoint(FLATTEN_METHODS):
            return _UNKNOWN
    return _UNKNOWN if any(_FLATTENING in name for name, _ in registering) else None


def _is_flattened_by_decorator(info: TypeInfo) -> bool:
    """Whether a decorator of the program registers the class with a function that is no flatten method of it."""
    applied = ((name.rpartition(".")[2], given) for name, given in facts_of(info).get("decorators", ()))
    return any(
        name in _TAKING_FLATTEN and not any(value in FLATTEN_METHODS for value in given.values())
        for name, given in applied
    )


def knows_data_fields(info: TypeInfo) -> bool:
    """Whether the data fields of a pytree are known: not if a property or method is one of them."""
    roles = declared_roles(info)
    if roles is None or roles.data is None:
        return roles is None
    symbols = (info.get(name) for name in roles.data)
    return all(symbol is not None and isinstance(symbol.node, Var) for symbol in symbols)


def has_own_flatten(info: TypeInfo) -> bool:
    """Whether the program itself says how the class is flattened, in a method or a function that registers it."""
    return any("flatten" in facts_of(base) or not base.names.keys().isdisjoint(FLATTEN_METHODS) for base in info.mro)


def is_its_leaves(info: TypeInfo) -> bool:
    """Whether all that an object holds is leaves, which its library may wrap, or set on a copy."""
    declaration = declaration_of(info)
    return declaration is not None and declaration.is_its_leaves


def may_be_flattened(info: TypeInfo, name: str) -> bool:
    """Whether the flatten function of a pytree returns this attribute, or cannot be read."""
    if is_its_leaves(info):
        return True
    roles = declared_roles(info)
    return roles is not None and (roles.data is None or name in roles.data or roles.makes_static(name))


def _flattened(facts: FlattenFacts) -> Roles:
    data, without = facts["data"], facts["static_without"]
    return Roles(
        frozenset(data) if data is not None else None,
        frozenset(facts["static"]),
        frozenset(without).union(data or ()) if without is not None else None,
    )


def _listed(arguments: Arguments, key: str) -> frozenset[str] | None:
    """The names in a list of fields; None if it is not a literal."""
    listed = arguments.get(key)
    return frozenset(listed) if isinstance(listed, list) and all(isinstance(name, str) for name in listed) else None
