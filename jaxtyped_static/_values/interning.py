"""One object for each value: the table that static classes are looked up in when they are made.

The table is weak: a value that nobody refers to any more is freed. It takes no locks, so that it may be used from any
thread and from finalisers: `dict.get` and `dict.setdefault` are atomic, and so is the removal of a dead entry.
"""

from __future__ import annotations

import weakref
from _weakref import _remove_dead_weakref  # type: ignore[attr-defined]  # As in `weakref`, whose dictionaries use it.
from collections.abc import Callable, Hashable
from typing import Any, Final


class Entry(weakref.ref[Any]):
    """One row of the table: an object and its key; and the call that made it, where a pickle needs that."""

    __slots__ = ("call", "key")
    key: Hashable
    call: tuple[tuple[Any, ...], dict[str, Any]]


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


def entry_of(
    instance: Any, references_to: Callable[[Any], list[Any]] = weakref.getweakrefs, of: type[Entry] = Entry
) -> Entry | None:
    """The row of an object; None if it is not the one object of its value. Works while the interpreter ends, too."""
    for reference in references_to(instance):
        if type(reference) is of:  # Only the table holds on to one.
            found: Entry = reference
            return found
    return None


def keep_call(instance: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Remembers how an object was made, for as long as it lives."""
    entry = entry_of(instance)
    if entry is not None:
        entry.call = args, kwargs


def interned_count() -> int:
    """How many values are alive, of all static classes."""
    return len(_table)
