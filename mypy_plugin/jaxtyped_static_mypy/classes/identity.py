"""Finds fields that may hold arrays, because the `__eq__` and `__hash__` of the class convert them first."""

from collections.abc import Iterator

from mypy.nodes import Decorator, FuncDef, OverloadedFuncDef, TypeInfo

from ..facts.class_facts import facts_of
from ..facts.equality_facts import EVERYTHING, IDENTITY, SUPER
from .class_model import OBJECT, Field, declaration_of
from .equality import defines, eq_owner, is_generated_eq

_HASH = "__hash__"


def converts(info: TypeInfo, field: Field) -> bool:
    """Whether both `__eq__` and `__hash__` are written by hand, and neither uses this field unconverted."""
    eq = eq_owner(info.mro)
    if eq is None or field.owner not in eq.mro:
        return False  # a base that does not know of the field defines it
    used = _used_as_is(info)
    return used is not None and EVERYTHING not in used and field.name not in used


def is_left_out_of_hash(info: TypeInfo, attribute: str) -> bool:
    """Whether `__hash__` is written by hand, and does not use an attribute unconverted."""
    hashed = _hash_owner(info.mro)
    if hashed is None or not defines(hashed, _HASH):
        return False
    used = set(_resolve(info, hashed, _HASH, set()))
    return EVERYTHING not in used and attribute not in used


def hashes_identity(info: TypeInfo) -> bool:
    """Whether a hand-written `__hash__` returns the hash of the object's identity: that is meant."""
    owner = _hash_owner(info.mro)
    return owner is not None and IDENTITY in facts_of(owner).get("used_as_is", {}).get(_HASH, ())


def _used_as_is(info: TypeInfo) -> frozenset[str] | None:
    """The attributes that are hashed or compared unconverted; None if one of the two methods is not hand-written."""
    eq, hashed = eq_owner(info.mro), _hash_owner(info.mro)
    if eq is None or hashed is None or is_generated_eq(eq) or not defines(hashed, _HASH):
        return None
    seen: set[tuple[str, str]] = set()
    return frozenset({*_resolve(info, eq, "__eq__", seen), *_resolve(info, hashed, _HASH, seen)})


def _hash_owner(mro: list[TypeInfo]) -> TypeInfo | None:
    """The first class that says how to hash, or that it cannot be hashed."""
    return next((base for base in mro if base.fullname != OBJECT and _sets_hash(base)), None)


def _sets_hash(info: TypeInfo) -> bool:
    """Whether a class statement sets `__hash__`. Python sets it to None in a class that defines only `__eq__`."""
    declaration = declaration_of(info)
    generated = declaration is not None and (declaration.eq or declaration.unsafe_hash)
    return generated or defines(info, _HASH) or defines(info, "__eq__")


def _resolve(info: TypeInfo, owner: TypeInfo, method: str, seen: set[tuple[str, str]]) -> Iterator[str]:
    if (owner.fullname, method) in seen:
        return
    seen.add((owner.fullname, method))
    for token in facts_of(owner).get("used_as_is", {}).get(method, ()):
        if token == SUPER:
            above = info.mro[info.mro.index(owner) + 1 :]
            base = eq_owner(above) if method == "__eq__" else _hash_owner(above)
            if base is not None and not defines(base, method):
                yield EVERYTHING
            elif base is not None:
                yield from _resolve(info, base, method, seen)
            continue
        defining = info.get_containing_type_info(token)
        node = defining.names[token].node if defining is not None else None
        if defining is not None and isinstance(node, (FuncDef, Decorator, OverloadedFuncDef)):
            yield from _resolve(info, defining, token, seen)
        else:
            yield token
