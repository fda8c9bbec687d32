"""The value of an expression in a flatten function: which attributes it holds, and which it is computed from."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

Attributes = frozenset[str]
_NO_NAMES: Final[Attributes] = frozenset()
_NO_ITEMS: Final[Mapping[str, "FlattenValue"]] = MappingProxyType({})


class FlattenValue(NamedTuple):
    """What is known of a value. Unknown parts count as sources, and never as attributes that are kept."""

    sources: Attributes | None = _NO_NAMES  # the attributes that it is computed from; None if that is unknown
    own: Attributes = _NO_NAMES  # the attribute that it is, unchanged
    held: Attributes = _NO_NAMES  # attributes that it holds unchanged, as items
    items: Mapping[str, "FlattenValue"] = _NO_ITEMS  # of a dict, by key
    without: Attributes | None = None  # of a dict with all attributes of the object: those removed
    text: str | None = None  # of a string
    is_sequence: bool = False  # a tuple or list display

    @property
    def kept(self) -> Attributes:
        """The attributes that it is, or holds, unchanged."""
        return self.own.union(self.held, *(item.kept for item in self.items.values()))

    def item(self, key: str) -> "FlattenValue":
        """`value["key"]`."""
        if key in self.items:
            return self.items[key]
        if self.without is not None and key not in self.without:
            return attribute(key)
        return FlattenValue(self.sources)

    def with_item(self, key: str, value: "FlattenValue") -> "FlattenValue":
        without = self.without | {key} if self.without is not None else None
        sources = union_of((self.sources, value.sources))
        return self._replace(sources=sources, items={**self.items, key: value}, without=without)

    def without_item(self, key: str) -> "FlattenValue":
        items = {name: value for name, value in self.items.items() if name != key}
        return self._replace(items=items, without=self.without | {key} if self.without is not None else None)

    def updated(self, other: "FlattenValue") -> "FlattenValue":
        """`{**value, **other}`."""
        without = None
        if self.without is not None or other.without is not None:
            both = (value.without for value in (self, other) if value.without is not None)
            without = frozenset.intersection(*both).union(other.items)
        held = self.held | other.held
        return FlattenValue(
            union_of((self.sources, other.sources)), held=held, items={**self.items, **other.items}, without=without
        )

    def as_items(self) -> "FlattenValue":
        """What iterating over it, or copying it into another collection, leaves unchanged."""
        return self._replace(own=_NO_NAMES, text=None)


NOTHING: Final = FlattenValue()
UNKNOWN: Final = FlattenValue(sources=None)
WHOLE: Final = FlattenValue(sources=None, without=_NO_NAMES)


def attribute(name: str) -> FlattenValue:
    return FlattenValue(sources=frozenset((name,)), own=frozenset((name,)))


def union_of(sources: Iterable[Attributes | None]) -> Attributes | None:
    """All sources; None if some are unknown."""
    found: set[str] = set()
    for names in sources:
        if names is None:
            return None
        found |= names
    return frozenset(found)


def computed(parts: Iterable[FlattenValue]) -> FlattenValue:
    """A value that is computed from others."""
    return FlattenValue(union_of(part.sources for part in parts))


def sequence(parts: Iterable[FlattenValue]) -> FlattenValue:
    """A tuple, list or set of these values."""
    values = list(parts)
    held = _NO_NAMES.union(*(value.kept for value in values))
    whole = next((value.without for value in values if value.without is not None), None)
    return FlattenValue(union_of(value.sources for value in values), held=held, without=whole, is_sequence=True)


def either(one: FlattenValue, other: FlattenValue) -> FlattenValue:
    """A value that is one or the other: keeps what both keep, or what one does if the other keeps a constant."""
    if one == other or not _is_of_object(other):
        return one
    if not _is_of_object(one):
        return other
    return FlattenValue(
        union_of((one.sources, other.sources)),
        own=one.own & other.own,
        held=one.held & other.held,
        items={key: _either_item(key, one, other) for key in {*one.items, *other.items}},
        without=one.without | other.without if one.without is not None and other.without is not None else None,
        is_sequence=one.is_sequence and other.is_sequence,
    )


def _either_item(key: str, one: FlattenValue, other: FlattenValue) -> FlattenValue:
    return either(one.items.get(key, NOTHING), other.items.get(key, NOTHING))


def _is_of_object(value: FlattenValue) -> bool:
    """Whether anything of the object is in a value."""
    return value.sources is None or bool(value.sources)
