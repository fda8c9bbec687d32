"""What the `__eq__` of a class leaves out: attributes that make no difference to it, and the difference of classes."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mypy.nodes import Decorator, FuncDef, OverloadedFuncDef, TypeInfo, Var
from mypy.types import Instance

from .class_facts import facts_of
from .class_model import OBJECT, Field, declaration_of, fields, is_class_constant, managed_names, user_bases
from .derivation_facts import SELF
from .describing import describe
from .equality_facts import CLASS, EVERYTHING, IDENTITY, INSTANCE, SUPER, UNKNOWN
from .reasons import Fault, Reason

_EQ = "__eq__"
_HERE = (CLASS, EVERYTHING, IDENTITY, UNKNOWN)  # tokens that mean the same wherever they are read


class LeftOut(NamedTuple):
    """A field or attribute of which `==` takes no notice, and the class whose `__eq__` it is."""

    member: Field
    reason: Reason
    owner: TypeInfo


def judge_equality(typ: Instance, path: tuple[str, ...], *, of_attributes: bool = True) -> Iterator[Fault]:
    """The faults of `==` between values of a class; without `of_attributes`, only that it mixes up classes."""
    info = typ.type
    for found in left_out(info) if of_attributes else ():
        member = found.member
        yield Fault(found.reason, (*path, f".{member.name}"), member.name, found.owner.name, member.owner)
    if (owner := accepts_other_classes(info)) is not None:
        yield Fault(Reason.CLASS_NOT_COMPARED, path, describe(typ), owner.name, owner)


def defines(info: TypeInfo, name: str) -> bool:
    symbol = info.names.get(name)
    return symbol is not None and not symbol.plugin_generated


def compares_identity(info: TypeInfo) -> bool:
    """Whether two objects are equal only if they are one."""
    tokens = _tokens(info)
    return IDENTITY in tokens and all(token in (IDENTITY, CLASS) or token.startswith(INSTANCE) for token in tokens)


def left_out(info: TypeInfo) -> Iterator[LeftOut]:
    """What two equal objects may differ in."""
    owner, tokens = _eq_owner(info.mro), _tokens(info)
    if owner is None or EVERYTHING in tokens or UNKNOWN in tokens:
        return
    members = {member.name: member for member in fields(info)}
    flow = _Flow.of(info)
    covered = flow.behind(tokens & members.keys())
    for name, member in members.items():
        if name in covered:
            continue
        if _is_constructor_field(info, member) or not flow.follows(name, covered, members.keys()):
            yield LeftOut(member, _why(member, owner), owner)


def accepts_other_classes(info: TypeInfo) -> TypeInfo | None:
    """The class whose `__eq__` holds between objects of this class and of one below or above it."""
    owner, tokens = _eq_owner(info.mro), _tokens(info)
    if owner is None or info.is_final or not {CLASS, UNKNOWN, IDENTITY}.isdisjoint(tokens):
        return None
    accepted = {token.removeprefix(INSTANCE) for token in tokens if token.startswith(INSTANCE)}
    bases = {base.fullname for base in user_bases(info) if base is not info}
    above = not accepted.isdisjoint(bases) if accepted else _eq_owner(info.mro[1:]) is not None
    return owner if owner is not info or above or facts_of(info).get("subclassed") else None


def _why(member: Field, owner: TypeInfo) -> Reason:
    if _is_generated(owner) and member.name in (managed_names(owner) or ()):
        return Reason.FIELD_NOT_COMPARED
    inherited = member.owner is not owner and owner in member.owner.mro
    return Reason.FIELD_AFTER_EQ if inherited else Reason.ATTRIBUTE_NOT_COMPARED


# Which `__eq__`, and what it reads


def _eq_owner(mro: list[TypeInfo]) -> TypeInfo | None:
    """The first class with an `__eq__` of its own, written or generated; `object`'s is none."""
    return next((base for base in mro if base.fullname != OBJECT and (defines(base, _EQ) or _is_generated(base))), None)


def _is_generated(info: TypeInfo) -> bool:
    declaration = declaration_of(info)
    return declaration is not None and declaration.eq and not defines(info, _EQ)


def _tokens(info: TypeInfo) -> frozenset[str]:
    """The attributes that `==` reads on an object of this class, and the tokens that say more."""
    owner = _eq_owner(info.mro)
    return frozenset(_resolve(info, owner, _EQ, set())) if owner is not None else frozenset()


def _resolve(info: TypeInfo, owner: TypeInfo, method: str, seen: set[tuple[str, str]]) -> Iterator[str]:
    """What a method of `owner` reads when it is called on an object of class `info`."""
    if (owner.fullname, method) in seen:
        return
    seen.add((owner.fullname, method))
    if method == _EQ and _is_generated(owner):
        yield from _generated(owner)
        return
    for token in facts_of(owner).get("equality", {}).get(method, (UNKNOWN,)):
        if token in _HERE:
            yield token
        elif token.startswith(INSTANCE):
            yield token if token != INSTANCE else INSTANCE + info.fullname
        elif token.startswith(SUPER):
            named = token.removeprefix(SUPER)
            above = info.mro[info.mro.index(owner) + 1 :]
            base = _eq_owner([base for base in above if base.fullname == named] if named else above)
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


def _resolve_name(info: TypeInfo, name: str, seen: set[tuple[str, str]]) -> Iterator[str]:
    """An attribute is itself; a property or method is what it reads; a constant may be anything with a `__get__`."""
    owner = info.get_containing_type_info(name)
    node = owner.names[name].node if owner is not None else None
    if owner is not None and isinstance(node, (FuncDef, Decorator, OverloadedFuncDef)):
        yield from _resolve(info, owner, name, seen)
    elif owner is not None and isinstance(node, Var) and not is_class_constant(owner.names[name], node):
        yield name
    else:
        yield UNKNOWN


# What follows from what


class _Flow(NamedTuple):
    """How the constructor fills the attributes: attribute -> parameters (as `Class:name`) and attributes (`.name`)."""

    sources: dict[str, list[str]]
    handed_on: list[str]

    @classmethod
    def of(cls, info: TypeInfo) -> "_Flow":
        sources: dict[str, list[str]] = {}
        handed_on: list[str] = []
        for base in reversed(list(user_bases(info))):
            facts = facts_of(base)
            direct = {name: [parameter] for name, parameter in facts.get("parameters", {}).items()}
            for name, found in (direct | facts.get("derived", {})).items():
                sources[name] = _qualified(found, base)
            handed_on += _qualified(facts.get("handed_on", ()), base)
        return cls(sources, handed_on)

    def behind(self, compared: Iterable[str]) -> set[str]:
        """The attributes that are compared, and all that these are computed from: it makes a difference, too."""
        reached = set(self.handed_on)
        pending = list(compared)
        while pending:
            name = pending.pop()
            if name not in reached:
                reached.add(name)
                pending += [source.removeprefix(SELF) for source in self.sources.get(name, ())]
        return reached

    def follows(self, name: str, covered: set[str], members: Iterable[str]) -> bool:
        """Whether an attribute can only differ where something covered does."""
        pending, seen = [name], {name}
        while pending:
            for source in self.sources.get(pending.pop(), ()):
                attribute = source.removeprefix(SELF)
                if attribute in covered or attribute in seen:
                    continue
                if attribute == source or (attribute in members and attribute not in self.sources):
                    return False
                seen.add(attribute)
                pending.append(attribute)
        return True


def _qualified(sources: Iterable[str], base: TypeInfo) -> list[str]:
    """Parameters are told apart by the class whose constructor has them."""
    return [source if source.startswith(SELF) else f"{base.fullname}:{source}" for source in sources]


def _is_constructor_field(info: TypeInfo, member: Field) -> bool:
    """Whether a generated `__init__` takes the value of a field."""
    init = info.get("__init__")
    generated = init is None or init.plugin_generated or init.node is None or init.node.fullname.startswith("builtins.")
    return generated and member.in_init and member.name in (managed_names(member.owner) or ())
