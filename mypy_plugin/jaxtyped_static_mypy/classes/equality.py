"""Finds what the `__eq__` of a class leaves out: attributes, and the class itself."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mypy.nodes import Decorator, FuncDef, OverloadedFuncDef, TypeInfo, Var
from mypy.types import Instance, get_proper_type

from ..facts.class_facts import facts_of
from ..facts.equality_facts import CLASS, EVERYTHING, IDENTITY, INSTANCE, SHAPE, SUPER, UNKNOWN
from ..syntax.describing import describe
from .added_attributes import AddedAttribute, added_attributes, declaration
from .array_holders import is_array_like
from .class_model import (
    OBJECT,
    Field,
    declaration_of,
    fields,
    is_class_constant,
    is_interned,
    managed_names,
    user_bases,
)
from .derivation import Derivation
from .reasons import Fault, Reason

_EQ = "__eq__"
_HERE = (CLASS, EVERYTHING, IDENTITY, UNKNOWN)  # tokens that mean the same wherever they are read


class LeftOut(NamedTuple):
    """A field or attribute that `==` ignores, and the class that defines the `__eq__`."""

    member: Field
    reason: Reason
    owner: TypeInfo


def judge_equality(typ: Instance, path: tuple[str, ...], *, of_attributes: bool = True) -> Iterator[Fault]:
    """The faults of a class's `==`; without `of_attributes`, only that it ignores the class."""
    info = typ.type
    if of_attributes and compares_nothing(info):
        yield Fault(Reason.NOTHING_COMPARED, path, describe(typ), declared=info)
        return
    if of_attributes:
        for member, reason, owner in left_out(info):
            yield Fault(reason, (*path, f".{member.name}"), member.name, owner.name, member.owner)
        for added in varying_attributes(info):
            yield fault_of_added(info, added, path)
    if (accepting := accepts_other_classes(info)) is not None:
        yield Fault(Reason.CLASS_NOT_COMPARED, path, describe(typ), accepting.name, accepting)


def defines(info: TypeInfo, name: str) -> bool:
    """Whether a class statement itself defines a method."""
    symbol = info.names.get(name)
    return symbol is not None and not symbol.plugin_generated


def compares_identity(info: TypeInfo) -> bool:
    """Whether two objects are equal only if they are the same object."""
    owner = eq_owner(info.mro)
    if owner is None or is_generated_eq(owner):
        return False
    tokens = _tokens(info)
    return IDENTITY in tokens and all(token in (IDENTITY, CLASS) or token.startswith(INSTANCE) for token in tokens)


def left_out(info: TypeInfo) -> Iterator[LeftOut]:
    """The fields and attributes in which equal objects may differ."""
    owner, members = eq_owner(info.mro), fields(info)
    if owner is None or (owner is info and is_generated_eq(info) and all(member.is_compared for member in members)):
        return
    tokens = _tokens(info)
    if not {EVERYTHING, UNKNOWN, IDENTITY}.isdisjoint(tokens):
        return
    derivation = Derivation.of(info, members)
    covered = derivation.behind(tokens & derivation.members)
    if covered is None:
        return
    varying = derivation.varying(covered)
    only_shown = _only_shown(info)
    for member in members:
        if member.name in varying and member.name not in only_shown:
            yield LeftOut(member, _why(member, owner), owner)


def varying_attributes(info: TypeInfo) -> Iterator[AddedAttribute]:
    """The attributes beside the fields in which objects may differ that a generated `__eq__` takes for equal.

    A `static_dataclass` has none: it refuses them.
    """
    added, owner = list(added_attributes(info)), eq_owner(info.mro)
    if not added or owner is None or not is_generated_eq(owner) or is_interned(info):
        return
    compared = {member.name for member in fields(owner) if member.is_compared}
    derivation = Derivation.of(info, fields(info))
    covered = derivation.behind(compared)
    varying = derivation.varying(covered) - _only_shown(info) if covered is not None else ()
    yield from (found for found in added if found.name in varying)


def fault_of_added(info: TypeInfo, added: AddedAttribute, path: tuple[str, ...] = ()) -> Fault:
    """The fault of an attribute beside the fields, with how to declare it."""
    name, declared = added.name, declaration(info, added.name)
    if name.startswith("_"):
        declared += f", a cache or a lock as `{name}: ClassVar[... | None] = None` that a method sets when it needs it"
    return Fault(Reason.NOT_A_FIELD, path, f"{info.name}.{name}", declared, added.owner)


def _only_shown(info: TypeInfo) -> set[str]:
    """The attributes that nothing but `__repr__` reads, as far as the module shows it."""
    bases = (base for base in user_bases(info) if base.module_name == info.module_name)
    return {name for base in bases for name in facts_of(base).get("only_shown", ())}


def compares_nothing(info: TypeInfo) -> bool:
    """Whether an `__eq__` written in the class ignores all of several attributes, and so is the fault itself."""
    members = fields(info)
    if info.is_abstract or len(members) < 2 or not defines(info, _EQ):
        return False
    return {found.member.name for found in left_out(info)} == {member.name for member in members}


def accepts_other_classes(info: TypeInfo) -> TypeInfo | None:
    """The class whose `__eq__` can hold between objects of this class and of a subclass or base class."""
    owner = eq_owner(info.mro)
    if owner is None or info.is_final or is_generated_eq(owner):
        return None
    tokens = _tokens(info)
    if not {CLASS, UNKNOWN, IDENTITY}.isdisjoint(tokens):
        return None
    bases = [base for base in user_bases(info) if base is not info]
    accepted = {token.removeprefix(INSTANCE) for token in tokens if token.startswith(INSTANCE)}
    if accepted:
        mixed = any(base.fullname in accepted for base in bases)
    else:
        mixed = owner is not info or any(_is_like(base, tokens.difference(_HERE)) for base in bases)
    return owner if mixed or facts_of(info).get("subclassed") else None


def _is_like(base: TypeInfo, attributes: Iterable[str]) -> bool:
    """Whether objects of a base can be equal to those of a subclass that compares these attributes."""
    return eq_owner(base.mro) is not None and all(base.get(name) is not None for name in attributes)


def _why(member: Field, owner: TypeInfo) -> Reason:
    if is_generated_eq(owner) and member.name in (managed_names(owner) or ()):
        return Reason.FIELD_NOT_COMPARED
    inherited = member.owner is not owner and owner in member.owner.mro
    return Reason.FIELD_AFTER_EQ if inherited else Reason.ATTRIBUTE_NOT_COMPARED


# Which `__eq__` applies, and what it reads


def eq_owner(mro: list[TypeInfo]) -> TypeInfo | None:
    """The first class that defines `__eq__`, written or generated; never `object`."""
    return next(
        (base for base in mro if base.fullname != OBJECT and (defines(base, _EQ) or is_generated_eq(base))), None
    )


def is_generated_eq(info: TypeInfo) -> bool:
    """Whether a decorator or base generates the `__eq__` of a class."""
    declaration = declaration_of(info)
    return declaration is not None and declaration.eq and not defines(info, _EQ)


def is_in_identity(info: TypeInfo, member: Field) -> bool:
    """Whether a generated `__hash__` or `__eq__` reads a field; a written one has a rule of its own."""
    if member.is_hashed or not member.is_compared:
        return member.is_compared
    owner = eq_owner(info.mro)
    return owner is not None and is_generated_eq(owner)


def _tokens(info: TypeInfo) -> frozenset[str]:
    """The attributes that `==` reads from objects of this class, and the other tokens of `equality_facts`."""
    owner = eq_owner(info.mro)
    return frozenset(_resolve(info, owner, _EQ, set())) if owner is not None else frozenset()


def _resolve(info: TypeInfo, owner: TypeInfo, method: str, seen: set[tuple[str, str]]) -> Iterator[str]:
    """What a method of `owner` reads if it is called on an object of class `info`."""
    if (owner.fullname, method) in seen:
        return
    seen.add((owner.fullname, method))
    if method == _EQ and is_generated_eq(owner):
        yield from _generated(owner)
        return
    for token in facts_of(owner).get("equality", {}).get(method, (UNKNOWN,)):
        if token in _HERE:
            yield token
        elif token.startswith(SHAPE):
            name = token.removeprefix(SHAPE)
            yield from () if _is_array(info, name) else _resolve_name(info, name, seen)
        elif token.startswith(INSTANCE):
            yield token if token != INSTANCE else INSTANCE + info.fullname
        elif token.startswith(SUPER):
            named = token.removeprefix(SUPER)
            above = info.mro[info.mro.index(owner) + 1 :]
            base = eq_owner([base for base in above if base.fullname == named] if named else above)
            yield from _resolve(info, base, _EQ, seen) if base is not None else (IDENTITY,)
        else:
            yield from _resolve_name(info, token, seen)


def _generated(owner: TypeInfo) -> Iterator[str]:
    declaration = declaration_of(owner)
    yield CLASS
    if managed_names(owner) is None or (declaration is not None and declaration.eq_takes_all):
        yield EVERYTHING
    else:
        yield from (member.name for member in fields(owner) if member.is_compared)


def _is_array(info: TypeInfo, name: str) -> bool:
    symbol = info.get(name)
    declared = get_proper_type(symbol.node.type) if symbol is not None and isinstance(symbol.node, Var) else None
    return isinstance(declared, Instance) and is_array_like(declared.type)


def _resolve_name(info: TypeInfo, name: str, seen: set[tuple[str, str]]) -> Iterator[str]:
    """What reading an attribute reads: itself, or what a property or method reads; a constant may do anything."""
    owner = info.get_containing_type_info(name)
    node = owner.names[name].node if owner is not None else None
    if owner is not None and isinstance(node, (FuncDef, Decorator, OverloadedFuncDef)):
        yield from _resolve(info, owner, name, seen)
    elif owner is not None and isinstance(node, Var) and not is_class_constant(owner.names[name], node):
        yield name
    else:
        yield UNKNOWN
