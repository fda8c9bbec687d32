"""The intern table: static classes look up each value in it, so that equal values are one object.

The table is weak: a value that is no longer used is freed. It takes no locks, so any thread and any finaliser may use
it: `dict.get` and `dict.setdefault` are atomic, and so is the removal of a dead row.
"""

from __future__ import annotations

import weakref
from _weakref import _remove_dead_weakref  # type: ignore[attr-defined]  # As in `weakref`, whose dictionaries use it.
from collections.abc import Callable, Hashable
from typing import Any, Final

from jaxtyped_static._kinds import LAYOUT


class Row(weakref.ref[Any]):
    """One row of the table: an object, its key, and the call that made it if a pickle needs that."""

    __slots__ = ("call", "key")
    key: Hashable
    call: tuple[tuple[Any, ...], dict[str, Any]]


_table: Final[dict[Hashable, Row]] = {}

# `find_row` returns the row of a key; `claim` does so after trying to become that row.
find_row: Final = _table.get
claim: Final = _table.setdefault


def forget(row: Any, table: dict[Hashable, Row] = _table, remove: Callable[..., None] = _remove_dead_weakref) -> None:
    """Removes a row whose object is gone. Works during interpreter shutdown, when module globals disappear."""
    remove(table, row.key)


def find(key: Hashable) -> Any:
    """Returns the object with this key; None if there is none."""
    row = find_row(key)
    return None if row is None else row()


def publish(instance: Any, key: Hashable) -> Any:
    """Makes `instance` the shared object of this key, or returns the one that exists."""
    row = Row(instance, forget)
    row.key = key
    while True:
        winner = claim(key, row)
        if winner is row:
            return instance
        if (known := winner()) is not None:
            return known
        forget(row)


def row_of(
    instance: Any, references_to: Callable[[Any], list[Any]] = weakref.getweakrefs, of: type[Row] = Row
) -> Row | None:
    """Returns the row of an object; None if it is not a shared object. Works during interpreter shutdown, too."""
    for reference in references_to(instance):
        if type(reference) is of:  # Only the table keeps references of this class.
            found: Row = reference
            return found
    return None


def interned(value: Any) -> Any:
    """Returns the shared object with the value of a static object: itself, unless it is private.

    Raises:
        StaticContractError: the value of a field breaks the contract.
        TypeError: a field is not set, or the object is still being made.
    """
    # The class's `Layout` finds it by a key of the fields' keys, which are made here again if they are static.
    return value if row_of(value) is not None else getattr(type(value), LAYOUT).shared(value)


def keep_call(instance: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Remembers how an object was made, while it lives."""
    row = row_of(instance)
    if row is not None:
        row.call = args, kwargs


def interned_count() -> int:
    """Returns how many values of static classes are alive."""
    return len(_table)
