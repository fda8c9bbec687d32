"""One object for each value: the table that static classes are looked up in when they are made.

The table is weak: a value that nobody refers to any more is freed. It takes no locks, so that it may be used from any
thread and from finalisers: `dict.get` and `dict.setdefault` are atomic, and so is the removal of a dead entry.
"""

from __future__ import annotations

import weakref
from _weakref import _remove_dead_weakref  # type: ignore[attr-defined]  # As in `weakref`, whose dictionaries use it.
from collections.abc import Callable, Hashable, Sequence
from operator import attrgetter
from typing import Any, Final

import jax

from jaxtyped_static.handling import ITSELF, Handling
from jaxtyped_static.refusals import Refused, class_name
from jaxtyped_static.value_keys import Steps, follow, key_of, plan_of


class _Entry(weakref.ref[Any]):
    __slots__ = ("key",)
    key: Hashable


_table: Final[dict[Hashable, _Entry]] = {}


def _forget(entry: Any) -> None:
    _remove_dead_weakref(_table, entry.key)


def find(key: Hashable) -> Any:
    """The object with this key; None if there is none."""
    entry = _table.get(key)
    return None if entry is None else entry()


def publish(instance: Any, key: Hashable) -> Any:
    """Makes `instance` the one object with this key, unless another thread was faster: then the other's."""
    entry = _Entry(instance, _forget)
    entry.key = key
    while True:
        winner = _table.setdefault(key, entry)
        if winner is entry:
            return instance
        if (known := winner()) is not None:
            return known
        _remove_dead_weakref(_table, key)


def intern(instance: Any, key: Hashable) -> Any:
    """The one object with this key: an earlier one, or else `instance`."""
    known = find(key)
    return publish(instance, key) if known is None else known


def is_published(instance: Any) -> bool:
    """Whether others may have seen it."""
    return any(isinstance(reference, _Entry) for reference in weakref.getweakrefs(instance))


def interned_count() -> int:
    """How many values are alive, of all static classes."""
    return len(_table)


class Layout:
    """The fields of a static class, and how their values are read and keyed."""

    def __init__(self, names: Sequence[str], by_id: frozenset[str], *, runs_code: bool) -> None:
        """`runs_code`: code of the class runs while an object is made, and may hand it to others before it is known."""
        self.names = tuple(names)
        self.handling = Handling(verify=_check_published) if runs_code else ITSELF
        self.values = _reader(self.names)
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
        types, steps = plan_of(tuple(map(type, values)))
        if self._by_id:
            steps = self._with_identities(steps)
        if steps:
            try:
                values = follow(steps, values, self._step)
            except Refused as refused:
                raise refused.as_error(class_name(cls)) from None
        return cls, types, values

    def _with_identities(self, steps: Steps) -> Steps:
        """As for any values, but for the fields that are hashed by identity."""
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
