"""One object for each value: the table that static classes are looked up in when they are made.

The table is weak: a value that nobody refers to any more is freed. It takes no locks, so that it may be used from any
thread and from finalisers: `dict.get` and `dict.setdefault` are atomic, and so is the removal of a dead entry.
"""

from __future__ import annotations

import weakref
from _weakref import _remove_dead_weakref  # type: ignore[attr-defined]  # As in `weakref`, whose dictionaries use it.
from collections.abc import Callable, Hashable, Sequence
from operator import attrgetter
from typing import Any, Final, TypeAlias

import jax

from jaxtyped_static.values.handling import ITSELF, Handling
from jaxtyped_static.values.refusals import Refused, class_name
from jaxtyped_static.values.value_keys import Steps, follow, key_of, remember, steps_of


class Entry(weakref.ref[Any]):
    """One row of the table: an object, and its key."""

    __slots__ = ("key",)
    key: Hashable


_table: Final[dict[Hashable, Entry]] = {}

# The entry that has a key; the same, after an attempt to be that one.
find_entry: Final = _table.get
claim: Final = _table.setdefault


def forget(
    entry: Any, table: dict[Hashable, Entry] = _table, remove: Callable[..., None] = _remove_dead_weakref
) -> None:
    """Removes an entry whose object is gone; also while the interpreter ends, and takes the names of modules away."""
    remove(table, entry.key)


def find(key: Hashable) -> Any:
    """The object with this key; None if there is none."""
    entry = find_entry(key)
    return None if entry is None else entry()


def publish(instance: Any, key: Hashable) -> Any:
    """Makes `instance` the one object with this key, unless there is one: then that."""
    entry = Entry(instance, forget)
    entry.key = key
    while True:
        winner = claim(key, entry)
        if winner is entry:
            return instance
        if (known := winner()) is not None:
            return known
        forget(entry)


def is_published(instance: Any) -> bool:
    """Whether others may have seen it."""
    return any(isinstance(reference, Entry) for reference in weakref.getweakrefs(instance))


def interned_count() -> int:
    """How many values are alive, of all static classes."""
    return len(_table)


# The classes of values, always the same object; how such values are keyed; and what of that is left to do where floats
# are keyed already. Not a named tuple, which takes longer to take apart.
Plan: TypeAlias = tuple[tuple[type, ...], Steps, Steps]


class Layout:
    """The fields of a static class, and how their values are read and keyed."""

    def __init__(
        self, names: Sequence[str], by_id: frozenset[str], floats: frozenset[str] = frozenset(), *, runs_code: bool
    ) -> None:
        """Describes a class.

        Args:
            names: of its fields.
            by_id: those that are hashed by identity.
            floats: those that `__new__` keys itself when the value is a float.
            runs_code: code of the class runs while an object is made, and may hand it to others before it is known.
        """
        self.names = tuple(names)
        self.floats = floats - by_id
        self.handling = Handling(verify=_check_published) if runs_code else ITSELF
        self.values = _reader(self.names)
        self.plans: dict[tuple[type, ...], Plan] = {}
        self._by_id = tuple((index, _by_id) for index, name in enumerate(names) if name in by_id)

    def key(self, instance: Any) -> Hashable:
        """The key of an instance, whose fields are set.

        Raises:
            StaticContractError: the value of a field breaks the contract.
        """
        try:
            values = self.values(instance)
        except AttributeError as error:
            raise self._unset(instance) from error
        return self.key_of_values(type(instance), values)

    def key_of_values(self, cls: type, values: tuple[Any, ...]) -> Hashable:
        """The key of an instance that will have these values."""
        types, steps, _ = self._plan(tuple(map(type, values)))
        return cls, types, self.follow(cls, steps, values) if steps else values

    def follow(self, cls: type, steps: Steps, values: tuple[Any, ...]) -> tuple[Hashable, ...]:
        """The keys of the values of the fields.

        Raises:
            StaticContractError: one of them breaks the contract.
        """
        try:
            return follow(steps, values, self._step)
        except Refused as refused:
            raise refused.as_error(class_name(cls)) from None

    def _plan(self, types: tuple[type, ...]) -> Plan:
        known = self.plans.get(types)
        if known is not None:
            return known
        steps = self._with_identities(steps_of(types))
        rest = [step for step in steps if types[step[0]] is not float or self.names[step[0]] not in self.floats]
        plan = (types, steps, tuple(rest))
        remember(self.plans, types, plan)
        return plan

    def _with_identities(self, steps: Steps) -> Steps:
        """As for any values, but for the fields that are hashed by identity."""
        if not self._by_id:
            return steps
        indexes = {index for index, _ in self._by_id}
        return (*(step for step in steps if step[0] not in indexes), *self._by_id)

    def _step(self, index: int) -> str:
        return f".{self.names[index]}"

    def _unset(self, instance: Any) -> TypeError:
        cls = class_name(type(instance))
        name = next((name for name in self.names if not hasattr(instance, name)), "?")
        return TypeError(
            f"{cls}.{name} was not set; set it in __post_init__ with object.__setattr__(self, {name!r}, ...)"
        )


def _check_published(value: Any) -> None:
    """Refuses an object that is still being made: another may take its place."""
    if not is_published(value):
        raise TypeError(
            f"this {class_name(type(value))} is still being made, so another static object cannot hold it; "
            f"make that one after it"
        )


def _by_id(value: Any) -> Hashable:
    """Identity is the key; but a tracer leaks out of its trace, whatever it is compared by."""
    return key_of(value) if isinstance(value, jax.core.Tracer) else id(value)


def _reader(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda instance: tuple(getattr(instance, name) for name in names)
