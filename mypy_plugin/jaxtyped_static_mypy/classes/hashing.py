"""Finds how a class is hashed and compared: by value, by identity, or not at all."""

from typing import Final, NamedTuple

from mypy.nodes import Decorator, FuncDef, OverloadedFuncDef, TypeInfo, Var
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    NoneType,
    ProperType,
    UninhabitedType,
    UnionType,
    get_proper_type,
)

from ..facts.class_facts import facts_of
from .class_model import OBJECT, declaration_of, is_pytree
from .equality import compares_identity, defines
from .identity import hashes_identity
from .reasons import BY_IDENTITY, Reason

_BUILTINS: Final = "builtins"  # the hash of a tuple


class _Own(NamedTuple):
    """What one class statement defines: True if by value, False if it sets `__hash__` to None, None for nothing."""

    eq: bool | None = None
    hash: bool | None = None
    why_no_hash: Reason | None = None


def hashing(info: TypeInfo) -> Reason | None:
    """Why instances are not hashed and compared by value; None if they are, or if static-mutable reports it.

    Sentinels are compared by identity on purpose.
    """
    own = [_own_methods(base) for base in info.mro if base.fullname != OBJECT]
    eq = next((entry.eq for entry in own if entry.eq is not None), None)
    by_hash = next((entry for entry in own if entry.hash is not None), None)
    if by_hash is not None and by_hash.hash is False:
        return by_hash.why_no_hash
    if by_hash is None:
        if facts_of(info).get("sentinel"):
            return None
        declaration = declaration_of(info)
        switched_off = declaration is not None and not declaration.eq
        return Reason.EQ_SWITCHED_OFF if switched_off else Reason.NEITHER_EQ_NOR_HASH
    if eq is None:
        return Reason.HASH_WITHOUT_EQ
    if compares_identity(info):
        return None if hashes_identity(info) else Reason.IDENTITY_EQ
    return None if _eq_returns_bool(info) else Reason.EQ_NOT_BOOL


def makes_arrays(info: TypeInfo) -> bool:
    """Whether constructors visibly make arrays for objects that are hashed by identity.

    Attributes without annotation have no type that is the same in every run, so that no other rule sees these arrays.
    """
    makes = any(facts_of(base).get("makes_arrays") for base in info.mro)
    return makes and hashing(info) in BY_IDENTITY


def is_hashable(info: TypeInfo) -> bool:
    """Whether instances have a hash, by value or by identity."""
    own = (_own_methods(base).hash for base in info.mro if base.fullname != OBJECT)
    return next((has_hash for has_hash in own if has_hash is not None), True)


def denies_hash(info: TypeInfo) -> bool:
    """Whether a class sets `__hash__` to None, itself or in a base.

    This is all that a stub says of hashing for sure: most stubs leave a `__hash__` out where there is one.
    """
    owner = next((base for base in info.mro if base.fullname != OBJECT and "__hash__" in base.names), None)
    return owner is not None and _hash_is_none(owner)


def hashes_parts(info: TypeInfo) -> bool:
    """Whether the hash of an instance is that of its parts: not by identity, nor written out in a class statement."""
    having = (base for base in info.mro if base.fullname != OBJECT and _own_methods(base).hash is not None)
    owner = next(having, None)
    if owner is None:
        return False
    return owner.module_name == _BUILTINS or not defines(owner, "__hash__") or _hash_is_none(owner)


def _own_methods(info: TypeInfo) -> _Own:
    """Follows the data model (`__eq__` without `__hash__` sets `__hash__ = None`) and the rules of `dataclass`."""
    declaration = declaration_of(info)
    has_eq, has_hash = defines(info, "__eq__"), defines(info, "__hash__")
    if _hash_is_none(info):
        return _Own(eq=has_eq or None, hash=False, why_no_hash=Reason.HASH_IS_NONE)
    if declaration is None or not declaration.eq:
        if declaration is not None and declaration.unsafe_hash:
            return _Own(eq=has_eq or None, hash=True)
        if has_eq and not has_hash:
            return _Own(eq=True, hash=False, why_no_hash=Reason.EQ_WITHOUT_HASH)
        return _Own(eq=has_eq or None, hash=has_hash or None)
    if has_hash or (declaration.frozen and declaration.hashes) or declaration.unsafe_hash:
        return _Own(eq=True, hash=True)
    # If it is not frozen, it is unhashable, which static-mutable reports.
    return _Own(eq=True, hash=False, why_no_hash=Reason.EQ_WITHOUT_HASH if declaration.frozen else None)


def _hash_is_none(info: TypeInfo) -> bool:
    symbol = info.names.get("__hash__")
    if symbol is None or symbol.plugin_generated or not isinstance(symbol.node, Var):
        return False
    declared = symbol.node.type
    return bool(facts_of(info).get("hash_is_none")) or isinstance(get_proper_type(declared), NoneType)


def _eq_returns_bool(info: TypeInfo) -> bool:
    symbol = info.get("__eq__")
    node = symbol.node if symbol is not None else None
    function = node.func if isinstance(node, Decorator) else node
    if not isinstance(function, (FuncDef, OverloadedFuncDef)) or is_pytree(info):
        return True
    signature = get_proper_type(function.type)
    if not isinstance(signature, CallableType):
        return True
    returned = get_proper_type(signature.ret_type)
    if isinstance(returned, LiteralType):
        returned = returned.fallback
    if isinstance(returned, UnionType):  # perhaps an array for other types, which JAX compares with none of these
        return any(_is_bool(get_proper_type(item)) for item in returned.items)
    return _is_bool(returned) or isinstance(returned, (AnyType, UninhabitedType))


def _is_bool(typ: ProperType) -> bool:
    return isinstance(typ, Instance) and typ.type.fullname == "builtins.bool"
