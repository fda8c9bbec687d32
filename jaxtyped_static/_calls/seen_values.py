"""Remembers the values that a function was called with, and their state then, while JAX may hold a program for them."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Hashable
from typing import Any, Final, TypeAlias, TypeVar

from jaxtyped_static._calls.fingerprints import Fingerprint
from jaxtyped_static._calls.plain_values import exact_key, is_plain
from jaxtyped_static._calls.unchanged import Check, check_of
from jaxtyped_static._class_contract.hashing import is_hashed_by_identity

# Limits values without weak references, which would never be forgotten; JAX itself keeps about 8000 programs.
_MAX_HELD: Final = 4096
# Of values that are made again for each call, one of each is kept, to compare the next one with.
_MAX_KEPT: Final = 64
# Of values with the same hash, which JAX may take for each other when one of them has changed.
_MAX_ALIKE: Final = 16


class _Weak(weakref.ref[Any]):
    """The state of a value, kept while the value lives."""

    __slots__ = ("check", "exact", "fingerprint", "key")
    check: Check | None
    exact: Hashable | None
    fingerprint: Fingerprint
    key: _Key | None


class _Strong:
    """The state of a value that has no weak references."""

    __slots__ = ("check", "exact", "fingerprint", "key", "value")
    check: Check | None
    exact: Hashable | None
    fingerprint: Fingerprint
    key: _Key | None

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self) -> Any:
        return self.value


K = TypeVar("K")
_Key: TypeAlias = tuple[type, int]
Seen: TypeAlias = _Weak | _Strong


class SeenValues:
    """The values that one function was compiled for, and the objects in them."""

    def __init__(self) -> None:
        self._seen: dict[int, Seen] = {}  # By id.
        self._held: dict[int, None] = {}  # The strong ones, oldest first.
        self._by_key: dict[_Key, dict[int, Seen]] = {}
        self._by_exact_key: dict[Hashable, Seen] = {}
        self._plain_classes: set[type] = set()
        self._kept: dict[Hashable, Any] = {}  # By exact key, oldest first.

    def __len__(self) -> int:
        return len(self._seen)

    def known_fingerprint(self, value: Any) -> Fingerprint | None:
        """Returns the remembered fingerprint of this very object; None if it was not seen."""
        seen = self._seen.get(id(value))
        return seen.fingerprint if seen is not None and seen() is value else None

    def is_unchanged(self, value: Any) -> bool:
        """Returns whether an argument surely is unchanged, or exactly like another one that did not change."""
        seen = self._seen.get(id(value))
        if seen is None or seen() is not value:
            return self._has_exactly(value)
        return seen.check is not None and seen.check(value) and self._none_became_equal_to(seen)

    def _none_became_equal_to(self, seen: Seen) -> bool:
        """Returns whether no other value of the same hash has changed, which JAX could then take for this one."""
        alike = self._by_key.get(seen.key) if seen.key is not None else None
        if alike is None or len(alike) == 1:
            return True
        others = [other for other in list(alike.values()) if other is not seen]
        return len(others) < _MAX_ALIKE and all(map(_is_as_seen, others))

    def _has_exactly(self, value: Any) -> bool:
        if type(value) not in self._plain_classes:
            return False
        seen = self._by_exact_key.get(exact_key(value))
        if seen is None or seen.check is None:
            return False
        known = seen()
        return known is not None and seen.check(known) and self._none_became_equal_to(seen)

    def expect(self, value: Any) -> None:
        """Lets `is_unchanged` answer for a static argument that was found unchanged."""
        seen = self._seen.get(id(value))
        if seen is None or seen() is not value:
            return
        try:
            seen.check = check_of(value)
            seen.exact = exact_key(value) if is_plain(value) else None
        except RecursionError:  # It is examined on each call.
            seen.check = seen.exact = None
        if seen.exact is not None:
            self._by_exact_key[seen.exact] = seen
            self._plain_classes.add(type(value))
            self._kept[seen.exact] = value
            if len(self._kept) > _MAX_KEPT:
                self._kept.pop(_oldest(self._kept), None)

    def remember(self, value: Any, fingerprint: Fingerprint) -> None:
        """Remembers the state of an argument."""
        number = id(value)
        seen = self._seen.get(number)
        if seen is None or seen() is not value:
            seen = self._refer(value, number)
            seen.exact = None
            seen.key = _key_of(value)
            self._seen[number] = seen
            if seen.key is not None:
                self._by_key.setdefault(seen.key, {})[number] = seen
        seen.fingerprint = fingerprint
        seen.check = None
        self.expect(value)

    def _refer(self, value: Any, number: int) -> Seen:
        if type(value).__weakrefoffset__:
            return _Weak(value, lambda _: self._forget(number))
        self._held[number] = None
        if len(self._held) > _MAX_HELD:
            self._forget(_oldest(self._held) or 0)
        return _Strong(value)

    def _forget(self, number: int) -> None:
        seen = self._seen.pop(number, None)
        self._held.pop(number, None)
        if seen is None:
            return
        if seen.exact is not None and self._by_exact_key.get(seen.exact) is seen:
            del self._by_exact_key[seen.exact]
        if seen.key is not None and (alike := self._by_key.get(seen.key)) is not None:
            alike.pop(number, None)
            if not alike:
                self._by_key.pop(seen.key, None)


def _key_of(value: Any) -> _Key | None:
    """Returns the class and the hash; None if the value equals only itself, or cannot be hashed."""
    if is_hashed_by_identity(type(value)):
        return None
    with contextlib.suppress(Exception):
        return type(value), hash(value)
    return None


def _is_as_seen(seen: Seen) -> bool:
    value = seen()
    return value is None or (seen.check is not None and seen.check(value))


def _oldest(table: dict[K, Any]) -> K | None:
    return next(iter(list(table)), None)
