"""Judges a type against the static contract: frozen, hashed by value, nothing traced inside.

Reports nothing, and knows no rule. A verdict depends on the type, the settings, what was recorded of classes, and the
registrations that the module being checked can see; `class_walk` keeps verdicts until one of these changes.
"""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import TypeAlias, TypeInfo
from mypy.types import (
    AnyType,
    DeletedType,
    FunctionLike,
    Instance,
    LiteralType,
    NoneType,
    Overloaded,
    ProperType,
    TupleType,
    Type,
    TypeAliasType,
    TypedDictType,
    TypeOfAny,
    TypeType,
    TypeVarType,
    UninhabitedType,
    UnionType,
    UnpackType,
    get_proper_type,
)

from ..classes import class_model, identity
from ..classes.caches import caches_of_arrays
from ..classes.equality import is_in_identity, judge_equality
from ..classes.hashing import denies_hash, hashing
from ..classes.memos import memos
from ..classes.reasons import BY_IDENTITY, HOLDS_ARRAYS, Fault, Reason
from ..classes.registering import verifies_values
from ..classes.self_uses import set_again
from ..compat.mypy_api import expand_alias_once, map_instance_to_supertype
from ..config.settings import Settings
from ..knowledge.type_rows import AsKey
from ..libraries import KEY_TYPES, STATIC_ALIASES
from ..markers.marker import Marker, marker_of, without_marker
from ..syntax.describing import describe
from .class_walk import (
    ClassWalk,
    Item,
    Path,
    Verdict,
    parts_of_identity,
    reporting_arrays,
    without_secondary,
)
from .enums import judge_enum
from .immutable_forms import immutable_form
from .known_classes import is_unread, known_base, package_of

_ELEMENT: Final = "[...]"


def judge(typ: Type, settings: Settings, *, at_declaration: bool = False, is_argument: bool = False) -> Verdict:
    """Finds every way in which values of this type break the contract.

    Trusts a class that is declared static, except at its declaration (`at_declaration`). For an argument
    (`is_argument`), an `__eq__` that ignores the class is no fault of the argument itself: JAX compares its class, too.
    """
    walk = ClassWalk(settings, at_declaration)
    verdict = walk.verdict(_judge(typ, (), walk), lambda held: _judge_class_itself(held, (), walk))
    if is_argument or any(fault.reason is Reason.PYTREE_DATA for fault in verdict.faults):
        return verdict._replace(faults=tuple(without_secondary(verdict.faults, is_argument=is_argument)))
    return verdict


def can_be_static(typ: Type, settings: Settings) -> tuple[bool, set[TypeInfo | TypeAlias]]:
    """Whether values of a declared type hold nothing that has to be traced, and what the answer depends on.

    Other faults do not matter here, as they can be fixed.
    """
    verdict = judge(without_marker(typ), settings)
    holds_arrays = any(fault.reason in HOLDS_ARRAYS for fault in verdict.faults)
    return not holds_arrays, verdict.consulted.everything()


def _judge(typ: Type, path: Path, walk: ClassWalk) -> Iterator[Item]:
    if marker_of(typ) is Marker.DYNAMIC:
        yield Fault(Reason.DYNAMIC_MARKER, path, describe(typ))
        return
    while isinstance(typ, TypeAliasType) and typ.alias is not None:
        if typ.alias.fullname in STATIC_ALIASES:
            return
        walk.current.consulted.nodes.add(typ.alias)
        typ = expand_alias_once(typ)
    proper = get_proper_type(typ)
    if isinstance(proper, _ALWAYS_STATIC):
        return
    if proper not in walk.current.seen:  # else it was judged here already
        walk.current.seen.add(proper)
        yield from _dispatch(proper, path, walk)


# Functions are judged by `static-callable`.
_ALWAYS_STATIC: Final = (NoneType, LiteralType, UninhabitedType, TypeType, FunctionLike, Overloaded, DeletedType)


def _dispatch(typ: ProperType, path: Path, walk: ClassWalk) -> Iterator[Item]:
    if isinstance(typ, Instance):
        yield from _judge_instance(typ, path, walk)
    elif isinstance(typ, UnionType):
        for item in typ.items:
            yield from _judge(item, path, walk)
    elif isinstance(typ, TupleType):
        yield from _judge_tuple(typ, path, walk)
    elif isinstance(typ, TypedDictType):
        yield Fault(Reason.TYPED_DICT, path, describe(typ), declared=typ.fallback.type)
        walk.current.consulted.nodes.add(typ.fallback.type)
    elif isinstance(typ, UnpackType):
        yield from _judge(typ.type, path, walk)
    elif isinstance(typ, TypeVarType):
        yield from _judge_type_variable(typ, path, walk)
    elif isinstance(typ, AnyType):
        yield Fault(Reason.UNANNOTATED if typ.type_of_any == TypeOfAny.unannotated else Reason.ANY, path, "Any")
    else:
        yield Fault(Reason.UNFORESEEN, path, describe(typ))


def _judge_type_variable(typ: TypeVarType, path: Path, walk: ClassWalk) -> Iterator[Item]:
    bound = get_proper_type(typ.upper_bound)
    if not typ.values and isinstance(bound, Instance) and bound.type.fullname == "builtins.object":
        yield Fault(Reason.FREE_TYPE_VARIABLE, path, typ.name)
        return
    for possible in typ.values or [bound]:
        yield from _judge(possible, path, walk)


def _judge_tuple(typ: TupleType, path: Path, walk: ClassWalk) -> Iterator[Item]:
    info = typ.partial_fallback.type
    names = info.metadata.get("namedtuple", {}).get("fields") if info.is_named_tuple else None
    if info.fullname != "builtins.tuple":
        walk.current.consulted.nodes.add(info)
    for index, item in enumerate(typ.items):
        step = f".{names[index]}" if names is not None and index < len(names) else f"[{index}]"
        yield from _judge(item, (*path, step), walk)


def _judge_instance(typ: Instance, path: Path, walk: ClassWalk) -> Iterator[Item]:
    info = typ.type
    if info.fullname in walk.settings.static_types:
        return
    known = known_base(info)
    if known is not None and info is known:
        yield from _judge_known(typ, known, path, walk)
        return
    walk.current.consulted.nodes.update(class_model.user_bases(info))
    if info.is_newtype:
        yield from _judge(info.bases[0], path, walk)
    elif info.typeddict_type is not None:
        yield Fault(Reason.TYPED_DICT, path, describe(typ), declared=info)
    elif info.tuple_type is not None:
        yield from _judge_tuple(info.tuple_type, path, walk)
    elif info.is_enum:
        yield from judge_enum(typ, path)
    else:
        if known is not None:
            yield from _judge_known(map_instance_to_supertype(typ, known), known, path, walk, subclass=typ)
            if known.fullname == "builtins.type" or is_unread(info) or package_of(info) == package_of(known):
                return  # a class object; or a class whose base, of the same package, is known
        yield from _judge_class(typ, path, walk)


def _judge_known(
    typ: Instance, known: TypeInfo, path: Path, walk: ClassWalk, subclass: Instance | None = None
) -> Iterator[Item]:
    key = KEY_TYPES[known.fullname].key
    instead = immutable_form(typ) if key is AsKey.MUTABLE else ""
    subject = describe(subclass or typ)
    declared = subclass.type if subclass is not None else None
    if key in _KNOWN_FAULTS:
        yield Fault(_KNOWN_FAULTS[key], path, subject, instead, declared)
    if key in (AsKey.CONTAINER, AsKey.MUTABLE):
        for argument in typ.args:
            yield from _judge(argument, (*path, _ELEMENT), walk)


_KNOWN_FAULTS: Final = {
    AsKey.MUTABLE: Reason.MUTABLE_TYPE,
    AsKey.ARRAY: Reason.ARRAY,
    AsKey.HOST_ARRAY: Reason.ARRAY,
    AsKey.ABSTRACT: Reason.ABSTRACT,
}


def _judge_class(typ: Instance, path: Path, walk: ClassWalk) -> Iterator[Item]:
    if walk.at_declaration and not path:
        yield from _judge_class_itself(typ, path, walk)
    elif not class_model.is_declared_static(typ.type, walk.settings.static_bases):  # judged at its declaration
        yield walk.hold(typ, path)


def _judge_class_itself(typ: Instance, path: Path, walk: ClassWalk) -> Iterator[Item]:
    info, subject = typ.type, describe(typ)
    if class_model.is_abstract(info):
        yield Fault(Reason.ABSTRACT, path, subject, declared=info)
        yield from judge_equality(typ, path, of_attributes=walk.at_declaration and not path)
        return
    if is_unread(info) or not class_model.is_readable(info):
        if (loose := _loose(info)) is not None:
            yield Fault(loose.reason, path, subject, loose.detail, info, loose.frozen_by)
        else:
            yield Fault(Reason.NOT_HASHABLE if denies_hash(info) else Reason.UNREAD_CLASS, path, subject, declared=info)
        return
    kept = memos(info)
    if (mutable := class_model.mutability(info, kept.harmless | kept.of_arrays)) is not None:
        yield Fault(mutable.reason, path, subject, mutable.detail, info, mutable.frozen_by, base=_base_at_fault(info))
    for name in sorted(kept.of_arrays):
        yield Fault(Reason.MEMO_OF_ARRAYS, path, subject, name, info)
    unhashed = hashing(info) if known_base(info) is None else None
    if unhashed is not None:
        yield Fault(unhashed, path, subject, declared=info, base=_base_at_fault(info))
    else:
        yield from judge_equality(typ, path)
    for owner, name in caches_of_arrays(info):
        yield Fault(Reason.CACHED_ARRAY, (*path, f".{name}"), subject, name, owner)
    if walk.ends_here():
        return
    found = _judge_fields(typ, path, walk, kept.of_arrays | kept.by_item)
    yield from parts_of_identity(found) if unhashed in BY_IDENTITY else found


def _loose(info: TypeInfo) -> class_model.Mutability | None:
    """Why objects can change of a class of which a base is not seen; None if that base decides."""
    if not class_model.has_unseen_base(info):
        return None
    if class_model.declaration_of(info) is not None:
        return class_model.own_mutability(info)
    assigned = set_again(info)
    return class_model.Mutability(Reason.ASSIGNABLE_ATTRIBUTE, min(assigned)) if assigned else None


def _base_at_fault(info: TypeInfo) -> TypeInfo | None:
    """The first class of a hierarchy whose objects can change: its subclasses only repeat that."""
    above = [base for base in class_model.user_bases(info) if base is not info]
    return next((base for base in reversed(above) if class_model.mutability(base, memos(base).harmless)), None)


def _judge_fields(typ: Instance, path: Path, walk: ClassWalk, memos: frozenset[str]) -> Iterator[Item]:
    """The faults of the fields. Those that hold arrays come first, as a type is judged only once."""
    info = typ.type
    is_data = {member.name for member in class_model.data_fields(info)} if class_model.is_pytree(info) else set()
    converted: list[class_model.Field] = []
    members = [member for member in class_model.fields(info) if is_in_identity(info, member)]
    for member in members:
        if member.is_hashed_by_id or member.name in memos or _is_static(member, walk):
            continue
        if identity.converts(info, member):
            converted.append(member)
        elif member.name in is_data:
            data = Fault(Reason.PYTREE_DATA, path, describe(typ), member.name, info)
            is_certain = member.type is None or verifies_values(info)
            found = iter([data]) if is_certain else _judge_field(typ, member, path, walk)
            yield from reporting_arrays((data,), found)
        else:
            yield from _judge_field(typ, member, path, walk)
    for member in converted:
        yield from reporting_arrays((), _judge_field(typ, member, path, walk))


def _is_static(member: class_model.Field, walk: ClassWalk) -> bool:
    """Whether a field is a static position itself, which is judged at its declaration."""
    if member.is_static_by(walk.settings.static_markers):
        return True
    typ = member.type
    while isinstance(typ, TypeAliasType) and typ.alias is not None and not typ.is_recursive:
        walk.current.consulted.nodes.add(typ.alias)
        if marker_of(typ, walk.settings.static_markers) is Marker.STATIC:
            return True
        typ = expand_alias_once(typ)
    return False


def _judge_field(typ: Instance, member: class_model.Field, path: Path, walk: ClassWalk) -> Iterator[Item]:
    step = (*path, f".{member.name}")
    substituted = class_model.type_of_field(member, typ)
    if substituted is None:
        yield Fault(Reason.UNANNOTATED, step, "Any")
        return
    for item in _judge(substituted, step, walk):
        yield item._replace(holder=typ.type) if isinstance(item, Fault) else item
