"""A class as the judgement sees it: whether it can be understood, and whether its instances can change."""

from typing import Final, NamedTuple

from mypy.nodes import Decorator, OverloadedFuncDef, SymbolTableNode, TypeInfo

from ..facts.class_facts import facts_of
from ..knowledge.function_rows import Effect
from ..libraries import PYTREE_BASES, PYTREE_DECORATORS, STATIC_DECORATORS, Declaration, functions_with
from ..libraries import declaration_of as declaration_of
from .class_fields import OBJECT as OBJECT
from .class_fields import Field as Field
from .class_fields import attributes as attributes
from .class_fields import data_fields as data_fields
from .class_fields import fields as fields
from .class_fields import is_class_constant as is_class_constant
from .class_fields import is_static as is_static
from .class_fields import managed_names as managed_names
from .class_fields import type_of_dict as type_of_dict
from .class_fields import type_of_field as type_of_field
from .reasons import Reason
from .roles import hashes_static_fields as hashes_static_fields
from .roles import is_abstract as is_abstract
from .roles import is_declared_static as is_declared_static
from .roles import is_interned as is_interned
from .roles import is_its_leaves as is_its_leaves
from .roles import is_passed_as_is as is_passed_as_is
from .roles import is_pytree as is_pytree
from .roles import is_registered as is_registered
from .roles import knows_data_fields as knows_data_fields
from .roles import may_be_flattened as may_be_flattened
from .roles import may_be_registered_elsewhere as may_be_registered_elsewhere
from .roles import may_have_static_fields as may_have_static_fields
from .roles import unknown_bases
from .roles import user_bases as user_bases

_PLAIN_METACLASSES: Final = frozenset({"abc.ABCMeta", "builtins.type"})
_SAME_CLASS: Final = functions_with(Effect.SAME_CLASS)


def is_readable(info: TypeInfo) -> bool:
    """Whether the class can be understood: no unknown base, and no unknown metaclass or decorator."""
    if (info.fallback_to_any or info.meta_fallback_to_any) and not _knows_by_name(info):
        return False
    return _is_seen(info)


def has_unseen_base(info: TypeInfo) -> bool:
    """Whether nothing but a base that mypy cannot see keeps the class from being understood."""
    return info.fallback_to_any and not info.meta_fallback_to_any and not _knows_by_name(info) and _is_seen(info)


def _is_seen(info: TypeInfo) -> bool:
    """Whether the bases that mypy sees, and what they do to the class, can be understood."""
    if any("__init_subclass__" in base.names for base in user_bases(info) if base is not info):
        return declaration_of(info) is not None  # else such a base may have changed the class
    return all(declaration_of(base) is not None or _is_plain(base) for base in user_bases(info))


def is_harmless(decorator: str) -> bool:
    """Whether a decorator, by its full name, does not change the class."""
    return decorator in _SAME_CLASS


def _knows_by_name(info: TypeInfo) -> bool:
    """Whether all bases that mypy cannot see are in the file of a library."""
    names = unknown_bases(info)
    return bool(names) and all(name in PYTREE_BASES for name in names)


def has_plain_metaclass(info: TypeInfo) -> bool:
    """Whether no metaclass of its own makes the class."""
    metaclass = info.declared_metaclass
    return metaclass is None or metaclass.type.fullname in _PLAIN_METACLASSES


def _is_plain(info: TypeInfo) -> bool:
    if not has_plain_metaclass(info) or facts_of(info).get("may_refuse_assignment"):
        return False
    known = _SAME_CLASS | PYTREE_DECORATORS | STATIC_DECORATORS
    return all(name in known for name, _ in facts_of(info).get("decorators", ()))


# Mutability


class Mutability(NamedTuple):
    """Why objects of a class can change."""

    reason: Reason
    detail: str  # the attribute, or the advice
    frozen_by: str = ""  # the one class that has to be frozen, if its decorator takes `frozen=True`


def mutability(info: TypeInfo, memos: frozenset[str] = frozenset()) -> Mutability | None:
    """Why instances can change after they were hashed; None if they cannot change.

    `memos`: private attributes that may be set later.
    """
    bases = list(user_bases(info))
    if any(facts_of(base).get("refuses_assignment") for base in bases):
        return None
    guarded = memos.union(*map(_frozen_names, bases))
    reassigned = {name for base in bases for name in facts_of(base).get("reassigned", ())}
    for base in bases:
        declaration = declaration_of(base)
        if declaration is not None and not declaration.frozen:
            return _not_frozen(info, base, declaration)
        if declaration is not None and declaration.hides_private:
            later = [name for name in facts_of(base).get("reassigned", ()) if name not in memos]
            if later:
                return Mutability(Reason.ASSIGNED_LATER, later[0])
        if declaration is not None and base is info:
            return None
        if declaration is None and (found := _assignable_attribute(base, guarded, reassigned)) is not None:
            return found
    return None


def own_mutability(info: TypeInfo) -> Mutability | None:
    """What the decorator of a class says, whatever its bases are: an unfrozen dataclass has no hash but its own."""
    declaration = declaration_of(info)
    if declaration is None or declaration.frozen or not declaration.takes_frozen:
        return None
    has_hash = not declaration.eq or declaration.unsafe_hash or "__hash__" in info.names
    return None if has_hash else _not_frozen(info, info, declaration)


def _not_frozen(info: TypeInfo, base: TypeInfo, declaration: Declaration) -> Mutability:
    """Names what to freeze: a dataclass can only be frozen together with the dataclasses that it inherits from."""
    loose: list[str] = []
    if base is info and declaration.freezes_with_bases:
        above = [(other.name, declaration_of(other)) for other in user_bases(info) if other is not info]
        loose = [f'"{name}"' for name, known in above if known is not None and not known.frozen]
    first = "it" if base is info else f'its base "{base.name}"'
    named = f"{first} and {', '.join(loose)}" if loose else first
    frozen_by = base.name if declaration.takes_frozen and not loose else ""
    return Mutability(Reason.NOT_FROZEN, declaration.freeze.format(named), frozen_by)


def refuses_to_set(info: TypeInfo, name: str) -> bool:
    """Whether setting an attribute raises. A frozen class protects its fields, and sets nothing on its own objects."""
    if name in frozen_fields(info):
        return True
    own = declaration_of(info)
    return own is not None and own.frozen and not own.hides_private and not _may_decide(info)


def frozen_fields(info: TypeInfo) -> frozenset[str]:
    """The fields that refuse an assignment; none if the class, or a base, may decide that by itself."""
    if _may_decide(info):
        return frozenset()
    declared = [base for base in user_bases(info) if (found := declaration_of(base)) is not None and found.frozen]
    return frozenset(
        name for base in declared for name in managed_names(base) or [field.name for field in fields(base)]
    )


def _may_decide(info: TypeInfo) -> bool:
    """Whether code of the class, or code that is not seen, says which attributes can be set."""
    bases = (base for base in user_bases(info) if base.fullname not in PYTREE_BASES)
    return not is_readable(info) or is_its_leaves(info) or any("__setattr__" in base.names for base in bases)


def _frozen_names(info: TypeInfo) -> list[str]:
    """Fields that a frozen class protects from assignment, also on instances of subclasses."""
    declaration = declaration_of(info)
    return managed_names(info) or [] if declaration is not None and declaration.frozen else []


def _assignable_attribute(info: TypeInfo, guarded: frozenset[str], reassigned: set[str]) -> Mutability | None:
    """The first attribute that can be set from outside, or a private one that is set after the object is made."""
    if info.is_protocol:
        return None  # it does not say how attributes are stored
    setter = next((name for name, symbol in sorted(info.names.items()) if _has_setter(symbol)), None)
    if setter is not None:
        return Mutability(Reason.SETTABLE_PROPERTY, setter)
    for name, var in attributes(info):
        if var.is_final or name in guarded:
            continue
        if not name.startswith("_"):
            return Mutability(Reason.ASSIGNABLE_ATTRIBUTE, name)
        if name in reassigned or _is_set_late(info, name):
            return Mutability(Reason.ASSIGNED_LATER, name)
    return None


def _is_set_late(info: TypeInfo, name: str) -> bool:
    """Whether only methods that run later set an attribute; False if a public attribute was reported instead."""
    facts = facts_of(info)
    return info.names[name].implicit and name not in facts.get("initialized", ()) and "sets_public" not in facts


def _has_setter(symbol: SymbolTableNode) -> bool:
    node = symbol.node
    first = node.items[0] if isinstance(node, OverloadedFuncDef) and node.items else None
    return isinstance(first, Decorator) and first.var.is_settable_property
