"""What is known of the items of a container, and of a container after a change; of what an operator makes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mypy.nodes import RefExpr

from ...knowledge.python_functions import COMPARISONS, OPERATORS
from .joining import element, join, joined, joined_lists
from .values import (
    CONTAINERS,
    Cell,
    Each,
    Entries,
    Holds,
    Items,
    Traced,
    Value,
    array_from,
    combined,
    origin,
    present,
    sequence,
)

_BITWISE: Final = ("&", "|", "^")
_OPERANDS: Final = 2


def operation(op: str, left: Value, right: Value) -> Value:
    """Arithmetic with a tracer is traced; adding tuples keeps their items."""
    left, right = present(left), present(right)
    if op == "+" and isinstance(left, Items) and isinstance(right, Items):
        return sequence(left.values + right.values)
    if op == "+" and isinstance(left, (Items, Each)) and isinstance(right, (Items, Each)):
        whole = extended(left, right)
        if whole is not None:
            return whole
    sources = [source for value in (left, right) if (source := origin(value)) is not None]
    if not sources:
        return None
    source = combined(sources)
    if isinstance(left, CONTAINERS) or isinstance(right, CONTAINERS):
        return Holds(source)
    masks = isinstance(left, Traced) and left.is_mask and isinstance(right, Traced) and right.is_mask
    return array_from(source, is_mask=masks and op in _BITWISE)


def operated(function: RefExpr, values: Sequence[Value]) -> Value:
    """What a function of `operator` returns: `operator.add(x, y)` is `x + y`."""
    if len(values) != _OPERANDS:
        return None
    if (op := OPERATORS.get(function.fullname)) is not None:
        return operation(op, *values)
    sources = [value.source for value in map(present, values) if isinstance(value, Traced)]
    return array_from(combined(sources), is_mask=True) if sources and function.fullname in COMPARISONS else None


def item(value: Value, key: int | str | None) -> Value:
    """The value of `value[key]`; `key` is None unless it is a literal."""
    if isinstance(value, Items):
        inside = isinstance(key, int) and -len(value.values) <= key < len(value.values)
        return value.values[key] if inside and isinstance(key, int) else element(value)
    if isinstance(value, Entries):
        if isinstance(key, str):
            return dict(value.values).get(key, value.other)
        return of_entries(value) if value.is_closed else value.other
    if isinstance(value, Cell):
        return array_from(value.source)
    return value if isinstance(value, Traced) else element(value)


def unpacked(value: Value, count: int) -> tuple[Value, ...]:
    """The values for so many targets of an unpacking."""
    if isinstance(value, Items) and len(value.values) == count:
        return value.values
    if isinstance(value, Items):
        return (None,) * count
    return (value if isinstance(value, Traced) else element(value),) * count


def extended(base: Value, more: Value) -> Value:
    """A list after its items come those of another."""
    if isinstance(base, Items) and isinstance(more, Items):
        return sequence(base.values + more.values)
    lists = isinstance(base, (Items, Each)) and isinstance(more, (Items, Each))
    return joined_lists(base, more) if lists else None  # type: ignore[arg-type]


def with_item(base: Value, key: int | str | None, value: Value) -> Value:
    """A list or dict after `base[key] = value`; `key` is None unless it is a literal."""
    if isinstance(base, Items) and isinstance(key, int) and -len(base.values) <= key < len(base.values):
        values = list(base.values)
        values[key] = value
        return replace(base, values=tuple(values))
    if isinstance(base, (Items, Each)):
        return extended(base, Items((value,))) if base != Items(()) else None
    if not isinstance(base, Entries):
        return None
    if isinstance(key, str):
        return replace(base, values=tuple({**dict(base.values), key: value}.items()))
    known = tuple((name, join(one, value)) for name, one in base.values)
    is_first = base.is_closed and base.other is None
    return replace(base, values=known, other=value if is_first else join(base.other, value))


def of_entries(entries: Entries) -> Value:
    """What all values of a dict are."""
    others = () if entries.other is None and entries.is_closed else (entries.other,)
    return joined((*(value for _, value in entries.values), *others))
