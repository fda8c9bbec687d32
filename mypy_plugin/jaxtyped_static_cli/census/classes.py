"""What each class of the program holds, and what that is for: the plugin's reading, in one form for all classes."""

from collections.abc import Callable
from typing import NamedTuple

from mypy.nodes import TypeInfo
from mypy.types import Type

from jaxtyped_static_mypy.classes import class_model
from jaxtyped_static_mypy.config.settings import Settings

from .model import Role


class Member(NamedTuple):
    """A field, and its role in a static class or a pytree; None in any other class."""

    name: str
    type: Type | None
    role: Role | None = None
    is_judged: bool = True  # as part of a static object: not if `==` leaves it out, or it is hashed by identity


def members_of(info: TypeInfo, settings: Settings) -> list[Member]:
    if info.typeddict_type is not None:
        return [Member(name, typ) for name, typ in info.typeddict_type.items.items()]
    if info.tuple_type is not None:
        names = info.metadata.get("namedtuple", {}).get("fields") or ()
        items = info.tuple_type.items
        return [Member(names[i] if i < len(names) else str(i), typ) for i, typ in enumerate(items)]
    if info.is_enum:
        return []
    role_of = _roles(info, settings)
    type_of = _types(info, settings)
    return [
        Member(field.name, type_of(field), role_of(field), field.is_compared and not field.is_hashed_by_id)
        for field in class_model.fields(info)
    ]


def _types(info: TypeInfo, settings: Settings) -> Callable[[class_model.Field], Type | None]:
    """The rules for static fields of pytrees know a new dict, too, that is not annotated."""
    if class_model.is_declared_static(info, settings.static_bases) or not class_model.is_pytree(info):
        return lambda field: field.type
    return lambda field: field.type or class_model.type_of_dict(field)


def _roles(info: TypeInfo, settings: Settings) -> Callable[[class_model.Field], Role | None]:
    if class_model.is_declared_static(info, settings.static_bases):
        return lambda field: Role.STATIC
    if not class_model.is_pytree(info):
        return lambda field: None
    data = {field.name for field in class_model.data_fields(info)}

    def role(field: class_model.Field) -> Role:
        if class_model.is_static(field, settings.static_markers):
            return Role.STATIC
        return Role.DYNAMIC if field.name in data else Role.UNKNOWN

    return role


def declared(info: TypeInfo, settings: Settings) -> str:
    if class_model.is_declared_static(info, settings.static_bases):
        return "static class"
    return "pytree" if class_model.is_pytree(info) else ""


def role_in(info: TypeInfo, member: Member, role: Role) -> Role | None:
    """The role of what a field holds, if the object plays this role; None if it plays none, or an unknown one."""
    if role is Role.STATIC:
        return Role.STATIC if member.is_judged else None
    if member.role is None:
        is_container = info.tuple_type is not None or info.typeddict_type is not None
        return Role.DYNAMIC if is_container else None
    return None if member.role is Role.UNKNOWN else member.role
