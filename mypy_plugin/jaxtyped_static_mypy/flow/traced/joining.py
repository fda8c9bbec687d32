"""What holds of several values: where paths join, and of all items of a container."""

from dataclasses import replace
from functools import reduce

from .values import (
    Doubt,
    Doubted,
    Each,
    Entries,
    Holds,
    Items,
    OrNone,
    Traced,
    Value,
    or_none,
    origin,
    present,
)


def join(a: Value, b: Value) -> Value:
    """Joins two values: what holds of both."""
    if a == b:
        return a
    if a is None or b is None:
        return None
    if isinstance(a, Doubted) or isinstance(b, Doubted):
        return _join_doubted(a, b)
    if isinstance(a, OrNone) or isinstance(b, OrNone):
        return or_none(join(present(a), present(b)))
    if isinstance(a, Items) and isinstance(b, Items) and len(a.values) == len(b.values) and a.names == b.names:
        return Items(tuple(map(join, a.values, b.values)), a.names)
    if isinstance(a, Entries) and isinstance(b, Entries):
        return _join_entries(a, b)
    if isinstance(a, (Items, Each)) and isinstance(b, (Items, Each)) and (whole := joined_lists(a, b)) is not None:
        return whole
    first, second = origin(a), origin(b)
    if first is None or second is None:
        return None
    if not isinstance(a, Traced) or not isinstance(b, Traced):
        return Holds(first)
    may_be_tree = a.source.may_be_tree or b.source.may_be_tree
    return Traced(replace(first, may_be_tree=may_be_tree), a.is_mask and b.is_mask)


def joined_lists(a: Items | Each, b: Items | Each) -> Value:
    """Joins lists of different lengths: what all of their items are. An empty one says nothing of items."""
    if isinstance(a, Each) and isinstance(b, Each):
        return Each(join(a.element, b.element))
    elements = [element(part) for part in (a, b) if part != Items(())]
    whole = joined(tuple(elements))
    return Each(whole) if whole is not None else None


def _join_entries(a: Entries, b: Entries) -> Value:
    """Joins dicts. A key that one of them does not have says nothing: to read it raises there."""
    values = dict((*a.values, *b.values))
    for key in values:
        values[key] = joined(tuple(_entry(part, key) for part in (a, b) if not _lacks(part, key)))
    others = [part.other for part in (a, b) if not (part.is_closed and part.other is None)]
    return Entries(tuple(values.items()), joined(tuple(others)), a.is_closed and b.is_closed)


def _entry(entries: Entries, key: str) -> "Value":
    return dict(entries.values).get(key, entries.other)


def _lacks(entries: Entries, key: str) -> bool:
    return entries.is_closed and entries.other is None and key not in dict(entries.values)


def _join_doubted(a: Value, b: Value) -> Value:
    """Joins values of which at least one is doubted: what a tracer has that never gets there does not count."""
    doubts = [value.why for value in (a, b) if isinstance(value, Doubted)]
    if isinstance(a, Doubted) and a.why is Doubt.NO_TRACER:
        return b
    if isinstance(b, Doubted) and b.why is Doubt.NO_TRACER:
        return a
    value = join(*(part.value if isinstance(part, Doubted) else part for part in (a, b)))
    return Doubted(value, Doubt.ASKED) if value is not None and Doubt.ASKED in doubts else value


def element(value: Value) -> Value:
    """The value that iterating yields; the keys of a dict are concrete."""
    if isinstance(value, Traced):
        return None if value.source.may_be_tree else value
    if isinstance(value, Each):
        return value.element
    return joined(value.values) if isinstance(value, Items) else None


def joined(values: tuple[Value, ...]) -> Value:
    """Joins all of these values; nothing is known of none."""
    return reduce(join, values) if values else None
