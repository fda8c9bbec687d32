"""Finds types that JAX cannot trace: none of their values is an array, a number, or a pytree of these."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mypy.nodes import TypeAlias, TypeInfo
from mypy.types import (
    FunctionLike,
    Instance,
    LiteralType,
    NoneType,
    ProperType,
    TupleType,
    Type,
    TypeAliasType,
    TypedDictType,
    TypeType,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from ..classes import class_model
from ..compat.mypy_api import expand_alias_once
from ..knowledge.full_names import NAMED_TUPLE
from ..knowledge.type_rows import InTrace, Trait
from ..libraries import TRACE_TYPES, UNTRACEABLE_ALIASES, types_with
from ..markers.marker import Marker, marker_of
from ..syntax.describing import describe
from .class_walk import Path

_ELEMENT: Final = "[...]"
_MAX_DEPTH: Final = 8  # for generic classes that contain themselves with ever larger type arguments
_NUMBERS: Final = types_with(Trait.NUMBER)


class Obstacle(NamedTuple):
    """A part of a type that cannot be traced, and the path to it."""

    path: Path
    subject: str
    declared: TypeInfo | None = None  # the class, if it could be made a pytree
    always: bool = True  # False: some values can be traced, such as None or an empty list
    field: str | None = None  # of a pytree, which could be static

    def below(self, step: str) -> "Obstacle":
        return self._replace(path=(step, *self.path))


@dataclass
class Survey:
    """Looks for obstacles to tracing in types, and remembers what it found.

    `is_untraceable`: whether a class that is in no table cannot be traced, as far as the module being checked shows.
    `may_call_trees`: whether a `Callable` may be a `Partial` or a module, which are pytrees. `function_field`: the data
    field of a pytree that gets plain functions. `leaf_fields`: the data fields whose values are as declared.
    """

    is_untraceable: Callable[[TypeInfo], bool]
    may_call_trees: Callable[[], bool] = lambda: False
    function_field: Callable[[TypeInfo], str | None] = lambda info: None
    leaf_fields: Callable[[TypeInfo], Iterable[class_model.Field]] = lambda info: ()
    consulted: set[TypeInfo | TypeAlias] = field(default_factory=set)
    depth: int = 0
    answers: dict[ProperType, Obstacle | None] = field(default_factory=dict)

    def obstacle(self, typ: Type) -> Obstacle | None:
        while isinstance(typ, TypeAliasType) and typ.alias is not None:
            self.consulted.add(typ.alias)
            if typ.alias.fullname in UNTRACEABLE_ALIASES:
                return Obstacle((), typ.alias.name)
            if marker_of(typ) is Marker.STATIC:
                return None
            typ = expand_alias_once(typ)
        proper = get_proper_type(typ)
        if proper not in self.answers and self.depth < _MAX_DEPTH:
            self.answers[proper] = None  # in case it contains itself
            self.depth += 1
            self.answers[proper] = self._look_into(proper)
            self.depth -= 1
        return self.answers.get(proper)

    def _look_into(self, typ: ProperType) -> Obstacle | None:
        if isinstance(typ, FunctionLike):
            if not typ.is_type_obj() and self.may_call_trees():
                return None
            return Obstacle((), "a class" if typ.is_type_obj() else "a function")
        if isinstance(typ, TypeType):
            if _is_written_for_objects(typ.item):
                return None
            return Obstacle((), f"type[{describe(typ.item)}]")
        if isinstance(typ, Instance):
            return self._of_instance(typ)
        if isinstance(typ, LiteralType):
            return self._of_instance(typ.fallback)
        if isinstance(typ, UnionType):
            return self._of_alternatives(typ.items)
        if isinstance(typ, TupleType):
            return self._of_tuple(typ)
        if isinstance(typ, TypedDictType):
            keys = ((f"[{key!r}]", item) for key, item in typ.items.items() if key in typ.required_keys)
            return self._of_parts(keys)
        if isinstance(typ, TypeVarType):
            return self._of_alternatives(typ.values or [typ.upper_bound])
        return None

    def _of_alternatives(self, items: Iterable[Type]) -> Obstacle | None:
        """A union has an obstacle where every member but None has one."""
        items = list(items)
        values = [item for item in items if not isinstance(get_proper_type(item), NoneType)]
        found = [self.obstacle(item) for item in values]
        obstacles = [obstacle for obstacle in found if obstacle is not None]
        if not values or len(obstacles) < len(found):
            return None
        subject = " | ".join(dict.fromkeys(obstacle.subject for obstacle in obstacles))
        always = len(values) == len(items) and all(obstacle.always for obstacle in obstacles)
        if any(obstacle.path for obstacle in obstacles):
            return obstacles[0]._replace(always=always)
        return obstacles[0]._replace(subject=subject, always=always)

    def _of_parts(self, parts: Iterable[tuple[str, Type]]) -> Obstacle | None:
        """The first part that can never be traced, or else the first that sometimes cannot."""
        obstacles = [found.below(step) for step, part in parts if (found := self.obstacle(part)) is not None]
        return next((obstacle for obstacle in obstacles if obstacle.always), next(iter(obstacles), None))

    def _of_tuple(self, typ: TupleType) -> Obstacle | None:
        info = typ.partial_fallback.type
        if info.fullname != "builtins.tuple":
            self.consulted.add(info)
            if TRACE_TYPES.get(info.fullname) is InTrace.NEVER:
                return Obstacle((), info.name)
            if not info.is_named_tuple and not any(base.is_named_tuple for base in info.mro):
                return None
        names = info.metadata.get("namedtuple", {}).get("fields") or ()
        steps = [f".{names[index]}" if index < len(names) else f"[{index}]" for index in range(len(typ.items))]
        return None if has_own_tree(info) else self._of_parts(zip(steps, typ.items, strict=True))

    def _of_instance(self, typ: Instance) -> Obstacle | None:
        info = typ.type
        if info.fullname not in TRACE_TYPES:
            self.consulted.update(class_model.user_bases(info))
        described = info.typeddict_type or info.tuple_type or (info.bases[0] if info.is_newtype else None)
        if described is not None:
            return self.obstacle(described)
        if info.is_enum:
            return self._of_enum(info)
        return self._of_class(typ)

    def _of_enum(self, info: TypeInfo) -> Obstacle | None:
        if any(base.fullname in _NUMBERS for base in info.mro) or class_model.is_registered(info):
            return None
        return Obstacle((), info.name)

    def _of_class(self, typ: Instance) -> Obstacle | None:
        info = typ.type
        known = next((base for base in info.mro if base.fullname in TRACE_TYPES), None)
        trace = TRACE_TYPES[known.fullname] if known is not None else None
        if trace is InTrace.TREE and known is info and typ.args:
            return self._of_elements(typ)
        if trace is InTrace.NEVER and not class_model.is_registered(info):
            return Obstacle((), describe(typ))
        if trace is None and self.is_untraceable(info):
            return Obstacle((), describe(typ), info)
        return self._of_fields(typ) if trace is None else None

    def _of_fields(self, typ: Instance) -> Obstacle | None:
        """A data field that no value of its declared type lets JAX trace, or that gets plain functions."""
        for leaf in self.leaf_fields(typ.type):
            declared = class_model.type_of_field(leaf, typ)
            found = self.obstacle(declared) if declared is not None else None
            if found is not None and found.always and not _is_callable(declared):
                return found.below(f".{leaf.name}")._replace(field=found.field or leaf.name)
        name = self.function_field(typ.type)
        return Obstacle((f".{name}",), "a function", always=False, field=name) if name is not None else None

    def _of_elements(self, typ: Instance) -> Obstacle | None:
        obstacle = self.obstacle(typ.args[-1])
        return obstacle.below(_ELEMENT)._replace(always=False) if obstacle is not None else None


def has_own_tree(info: TypeInfo) -> bool:
    """Whether a named tuple says itself what its leaves are. mypy keeps no decorators of one."""
    return class_model.is_pytree(info) or class_model.may_be_registered_elsewhere(info)


def _is_written_for_objects(item: ProperType) -> bool:
    """Whether people write `Type[State]` for a state: of a named tuple or a pytree, they pass objects."""
    if isinstance(item, Instance):
        return item.type.fullname == NAMED_TUPLE or item.type.is_named_tuple or class_model.is_pytree(item.type)
    return isinstance(item, TupleType)


def _is_callable(typ: Type | None) -> bool:
    """Whether a value may be a `Partial` or a module, which are pytrees."""
    return isinstance(get_proper_type(typ), FunctionLike)
