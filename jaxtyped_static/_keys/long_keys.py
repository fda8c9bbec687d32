"""Remembers the keys of long tuples and sets, while these live."""

from __future__ import annotations

import enum
import weakref
from collections.abc import Callable, Collection, Hashable
from types import EllipsisType, NoneType
from typing import Any, Final

_CONSTANTS: Final = frozenset({int, bool, float, complex, str, bytes, NoneType, EllipsisType})
_CONTAINERS: Final = frozenset({tuple, frozenset})


class LongKey:
    """The key of one tuple or set, with a known hash."""

    __slots__ = ("__weakref__", "_hash", "contents", "value")

    def __init__(self, value: Collection[Any], key: Hashable) -> None:
        self.value = value
        self.contents = key
        self._hash = hash(key)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, LongKey) and self.contents == other.contents)


# By the id of the tuple or set, which its key keeps alive.
_known: Final[dict[int, weakref.ref[LongKey]]] = {}


def long_key(value: Any, make_key: Callable[[Any], tuple[Hashable, bool]]) -> LongKey:
    """Returns the key of a tuple or set, made by `make_key` unless this very object has one.

    `make_key` also says whether it knows that nothing inside can change.
    """
    number = id(value)
    reference = _known.get(number)
    known = None if reference is None else reference()
    if known is not None and known.value is value:
        return known
    contents, is_constant = make_key(value)
    key = LongKey(value, contents)
    if is_constant or _is_constant(value):
        _known[number] = weakref.ref(key, _forgetting(number))
    return key


def _forgetting(number: int) -> Callable[[object], None]:
    forget = _known.pop  # Local, because module globals disappear during interpreter shutdown.

    def forget_key(_: object) -> None:
        forget(number, None)

    return forget_key


def _is_constant(value: Collection[Any]) -> bool:
    """Returns whether nothing inside can change, at any depth."""
    kinds = set(map(type, value)) - _CONSTANTS
    containers = kinds & _CONTAINERS
    if not all(issubclass(kind, enum.Enum) for kind in kinds - containers):
        return False
    return not containers or all(_is_constant(item) for item in value if type(item) in containers)
