"""The intern table: static classes look up each value in it, so that equal values are one object.

The table is weak: a value that is no longer used is freed. It takes no locks, so any thread and any finaliser may use
it: `dict.get` and `dict.setdefault` are atomic, and so is the removal of a dead entry.
"""

from __future__ import annotations

import weakref
from _weakref import _remove_dead_weakref  # type: ignore[attr-defined]  # As in `weakref`, whose dictionaries use it.
from collections.abc import Callable, Hashable
from typing import Any, Final

from jaxtyped_static._kinds import LAYOUT


class Entry(weakref.ref[Any]):
    """One row of the table: an object, its key, and the call that made it if a pickle needs that."""

    __slots__ = ("call", "key")
    key: Hashable
    call: tuple[tuple[Any, ...], dict[str, Any]]


_table: Final[dict[Hashable, Entry]] = {}

# `find_entry` returns the entry of a key; `claim` does so after trying to become that entry.
find_entry: Final = _table.get
claim: Final = _table.setdefault


def forget(
    entry: Any, table: dict[Hashable, Entry] = _table, remove: Callable[..., None] = _remove_dead_weakref
) -> None:
    """Removes an entry whose object is gone. Works during interpreter shutdown, when module globals disappear."""
    remove(table, entry.key)


def find(key: Hashable) -> Any:
    """Returns the object with this key; None if there is none."""
    entry = find_entry(key)
    return None if entry is None else entry()


def publish(instance: Any, key: Hashable) -> Any:
    """Makes `instance` the shared object of this key, or returns the one that exists."""
    entry = Entry(instance, forget)
    entry.key = key
    while True:
        winner = claim(key, entry)
        if winner is entry:
            return instance
        if (known := winner()) is not None:
            return known
        forget(entry)


def entry_of(
    instance: Any, references_to: Callable[[Any], list[Any]] = weakref.getweakrefs, of: type[Entry] = Entry
) -> Entry | None:
    """Returns the row of an object; None if it is not a shared object. Works during interpreter shutdown, too."""
    for reference in references_to(instance):
        if type(reference) is of:  # Only the table keeps references of this class.
            found: Entry = reference
            return found
    return None


def interned(value: Any) -> Any:
    """Returns the shared object with the value of a static object: itself, unless it is private.

    Raises:
        StaticContractError: the value of a field breaks the contract.
        TypeError: a field is not set, or the object is still being made.
    """
    # The class's `Layout` finds it by a key of the fields' keys, which are made here again if they are static.
    return value if entry_of(value) is not None else getattr(type(value), LAYOUT).shared(value)


def keep_call(instance: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Remembers how an object was made, while it lives."""
    entry = entry_of(instance)
    if entry is not None:
        entry.call = args, kwargs


def interned_count() -> int:
    """Returns how many values of static classes are alive."""
    return len(_table)
