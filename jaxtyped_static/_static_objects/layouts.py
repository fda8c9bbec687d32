"""The fields of a class with interned values: how they are read, keyed and assembled."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from inspect import Parameter
from operator import attrgetter
from typing import Any, Final, TypeAlias

import jax

from jaxtyped_static._attributes.added_attributes import check_only_caches_added
from jaxtyped_static._keys.interning import find, interned, publish, row_of
from jaxtyped_static._keys.key_steps import Steps, follow, remember
from jaxtyped_static._keys.value_keys import key_of, parts_in, steps_of
from jaxtyped_static._kinds import is_static
from jaxtyped_static._parts.walking import check_depth
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._static_objects.init_parameters import InitParameter
from jaxtyped_static._static_objects.private_objects import being_made, duplicate, fill, hash_by_value

Values: TypeAlias = tuple[Any, ...]
_REST: Final = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
# The classes of the values (always the same object); how to key such values; the steps that remain if floats are keyed
# already; the indices of static objects; whether the fields that may be such floats are. Not a named tuple, which takes
# longer to unpack.
Plan: TypeAlias = tuple[tuple[type, ...], Steps, Steps, tuple[int, ...], bool]


# What a layout learns about the constructor.
_LEARNED: Final = ("arguments", "required", "is_plain", "keeps_calls", "must_set", "computed")


class Layout:
    """The fields of a static class, or the static fields of a dynamic one.

    Attributes:
        names: the names of the fields.
        by_id: the fields that are compared by identity.
        floats: the fields that `__new__` keys itself if the value is a float.
        runs_code: whether code of the class runs while an object is made.
        arguments: the fields that the constructor takes, if it needs nothing else; otherwise None.
        required: those of them that have no default.
        is_plain: whether the constructor takes all fields, and no code of the class runs.
        keeps_calls: whether it takes something that is not a field.
        must_set: the fields that a hand-written `__init__` has to set.
        computed: the fields that the constructor computes from its arguments.
        values: an object → the values of its fields.
        plans: what is known of combinations of the values' classes.
    """

    def __init__(
        self, names: Sequence[str], by_id: frozenset[str], floats: frozenset[str] = frozenset(), *, runs_code: bool
    ) -> None:
        self.names = tuple(names)
        self.by_id = by_id
        self.floats = floats - by_id
        self.runs_code = runs_code
        self.arguments: tuple[str, ...] | None = self.names
        self.required: tuple[str, ...] = self.names
        self.is_plain = not runs_code
        self.keeps_calls = False
        self.must_set: tuple[str, ...] = ()
        self.computed: tuple[str, ...] = ()
        self.values = _reader(self.names)
        self.plans: dict[tuple[type, ...], Plan] = {}
        self._by_id = tuple((index, _by_id) for index, name in enumerate(names) if name in by_id)

    def __reduce__(self) -> tuple[object, ...]:
        state = {name: getattr(self, name) for name in _LEARNED}
        return _layout, (self.names, self.by_id, self.floats, self.runs_code), state

    def key(self, instance: Any) -> Hashable:
        """Returns the key of an object whose fields are set.

        Raises:
            StaticContractError: the value of a field breaks the contract.
            TypeError: a field is not set.
        """
        return self.key_of_values(type(instance), self.settled(self.read(instance)))

    def read(self, instance: Any) -> Values:
        """Returns the values of the fields.

        Raises:
            TypeError: a field is not set.
        """
        try:
            return self.values(instance)
        except AttributeError as error:
            raise self._unset(instance) from error

    def settled(self, values: Values) -> Values:
        """Returns the values, with private objects replaced by the shared ones.

        Raises:
            StaticContractError: the value of a field of a private object breaks the contract.
            TypeError: one of them is still being made.
        """
        static = self.plan(tuple(map(type, values)))[3]
        return settled(values, static) or values

    def key_of_values(self, cls: type, values: Values) -> Hashable:
        """Returns the key of an object that will have these values, which are settled."""
        types, steps, _, _, _ = self.plan(tuple(map(type, values)))
        return cls, types, self.follow(cls, steps, values) if steps else values

    def follow(self, cls: type, steps: Steps, values: Values) -> tuple[Hashable, ...]:
        """Returns the keys of the values of the fields.

        Raises:
            StaticContractError: one of them breaks the contract.
        """
        try:
            return self._follow(steps, values)
        except Refused as refused:
            raise refused.as_error(class_name(cls)) from None

    def _follow(self, steps: Steps, values: Values) -> tuple[Hashable, ...]:
        try:
            return follow(steps, values, self._step)
        except RecursionError:
            for index, _ in steps:
                check_depth(values[index], parts_in, self._step(index))
            raise

    def take_parameters(self, parameters: Iterable[InitParameter]) -> None:
        """Learns what the constructor takes."""
        known = {parameter.name: parameter for parameter in parameters if parameter.kind not in _REST}
        needed = [name for name, parameter in known.items() if parameter.is_required]
        by_position = any(parameter.kind is Parameter.POSITIONAL_ONLY for parameter in known.values())
        is_known = set(needed) <= set(self.names) and not by_position
        self.arguments = tuple(name for name in known if name in self.names) if is_known else None
        self.required = tuple(needed)
        self.is_plain = not self.runs_code and sorted(known) == sorted(self.names) and is_known
        self.computed = tuple(name for name in self.names if name not in known) if is_known else ()
        self.keeps_calls = not set(known) <= set(self.names) or not is_known

    def lacks_computed(self, instance: Any) -> bool:
        """Returns whether an object that bypassed the constructor lacks what it would have computed."""
        return not all(hasattr(instance, name) for name in self.computed)

    def publish(self, instance: Any) -> Any:
        """Makes an object the shared one of its value, or returns the one that exists."""
        values = self.read(instance)
        final = self.settled(values)
        if final is not values:
            fill(instance, dict(zip(self.names, final, strict=True)))
        return publish(instance, self.key_of_values(type(instance), final))

    def make(self, cls: type, values: Values) -> Any:
        """Returns the shared object whose fields have these values, for a class without code that runs."""
        key = self.key_of_values(cls, values)
        known = find(key)
        if known is not None:
            return known
        made: Any = object.__new__(cls)
        fill(made, dict(zip(self.names, values, strict=True)))
        return publish(made, key)

    def shared(self, value: Any) -> Any:
        """Finds or makes the shared object of a private one: by the constructor, which computes fields; else as a copy.

        Raises:
            StaticContractError: the value of a field breaks the contract.
            TypeError: a field is not set, or the object is still being made.
        """
        cls = type(value)
        if id(value) in being_made:
            raise TypeError(
                f"this {class_name(cls)} is still being made, so another static object cannot hold it; "
                f"make the other object afterwards"
            )
        hash_by_value(cls)
        self._check_only_caches_added(value)
        if self.lacks_computed(value):
            return self.constructed(cls, value)
        key = self.key(value)
        known = find(key)
        if known is not None:
            return known
        made = self.constructed(cls, value)
        row = row_of(made)
        return made if row is not None and row.key == key else publish(duplicate(value, self.names), key)

    def _check_only_caches_added(self, value: Any) -> None:
        try:
            check_only_caches_added(value, self.names)
        except Refused as refused:
            raise refused.as_error("") from None

    def constructed(self, cls: type, like: Any) -> Any:
        """Returns what the constructor makes from an object's field values; the object itself if it needs more."""
        if self.arguments is None:
            return like
        if self.is_plain:
            return self.make(cls, self.settled(self.values(like)))
        return cls(**{name: getattr(like, name) for name in self.arguments})

    def plan(self, types: tuple[type, ...]) -> Plan:
        """Returns how values of these classes are treated."""
        known = self.plans.get(types)
        if known is not None:
            return known
        by_id = {index for index, _ in self._by_id}
        static = tuple(index for index, cls in enumerate(types) if is_static(cls) and index not in by_id)
        steps = (*(step for step in steps_of(types) if step[0] not in by_id.union(static)), *self._by_id)
        rest = tuple(step for step in steps if types[step[0]] is not float or self.names[step[0]] not in self.floats)
        all_floats = all(cls is float for name, cls in zip(self.names, types, strict=True) if name in self.floats)
        plan = (types, steps, rest, static, all_floats)
        remember(self.plans, types, plan)
        return plan

    def _step(self, index: int) -> str:
        return f".{self.names[index]}"

    def _unset(self, instance: Any) -> TypeError:
        cls = class_name(type(instance))
        name = next((name for name in self.names if not hasattr(instance, name)), "?")
        return TypeError(
            f"{cls}.{name} was not set; set it in __post_init__ with object.__setattr__(self, {name!r}, ...)"
        )


def _layout(names: Sequence[str], by_id: frozenset[str], floats: frozenset[str], runs_code: bool) -> Layout:
    """Makes a layout without cached plans; pickles of a class refer to this function by name."""
    return Layout(names, by_id, floats, runs_code=runs_code)


def layout_of(cls: Any) -> Layout:
    """Returns the fields of a static class."""
    layout: Layout = cls.__static_layout__
    return layout


def settled(values: Values, static: tuple[int, ...]) -> Values | None:
    """Replaces private objects among the values at these places by the shared ones; None if there are none."""
    private = [index for index in static if row_of(values[index]) is None]
    if not private:
        return None
    return tuple(interned(value) if index in private else value for index, value in enumerate(values))


def _by_id(value: Any) -> Hashable:
    """Keys by identity, but refuses a tracer: it leaks out of its trace, however it is compared."""
    return key_of(value) if isinstance(value, jax.core.Tracer) else id(value)


def _reader(names: tuple[str, ...]) -> Callable[[Any], Values]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda instance: tuple(getattr(instance, name) for name in names)
