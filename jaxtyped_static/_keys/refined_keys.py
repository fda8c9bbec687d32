"""The key of a value whose class has its own `__eq__`, which may be coarser than what a program can read."""

from __future__ import annotations

import decimal
import sys
import weakref
from collections.abc import Callable, Hashable, Iterable
from itertools import islice
from operator import ne
from typing import Any, Final, NamedTuple

import jax
import numpy as np

from jaxtyped_static._attributes.attributes import Part, attribute_parts
from jaxtyped_static._keys.long_keys import LongKey
from jaxtyped_static._keys.states import State, WithState, leniently
from jaxtyped_static._kinds import is_static
from jaxtyped_static._parts.walking import places


class Access(NamedTuple):
    """How to read a value: its state, its hash, and the parts of it and of any other object."""

    state_of: Callable[[Any], State]
    hash_of: Callable[[Any], int]
    parts_of: Callable[[Any], Iterable[Part]]


class Refined:
    """Equal to another key if `__eq__` says so of the values, and everything that they consist of has the same keys.

    Two caches are distinguished only where `__eq__` would take them for equal: they may be filled differently.

    The value may come to refer to what it is a key of, so the key does not keep it alive. It may also be changed, so a
    value that no longer has the state of its key is different from all others.
    """

    __slots__ = ("_hash", "_holds_nan", "_state_of", "state", "value")

    def __init__(self, value: Any, access: Access) -> None:
        own_hash = _hash_of(value, access)  # First, because it may fill a cache.
        self.state = access.state_of(value)
        self._state_of = access.state_of
        self._holds_nan = holds_nan(value, access.parts_of)
        self._hash = hash(type(value)) if self._holds_nan else own_hash
        self.value: Callable[[], Any] = weakref.ref(value) if type(value).__weakrefoffset__ else lambda: value

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> bool:
        if self is other:
            return True
        # During interpreter shutdown, what the class's `__eq__` refers to may be gone.
        if not isinstance(other, Refined) or is_finalizing() or not self.state.equals(other.state):
            return False
        value, its_value = self.value(), other.value()
        if value is None or its_value is None:
            return False
        if value is its_value:
            return True
        if not self._equals(value, its_value, both_nan=other._holds_nan):
            return False
        # A dictionary compares the key that it has, `self`, with the one that is looked up, which was just made.
        return self._is_current(value) and self._have_equal_caches(other, value, its_value)

    def _equals(self, value: Any, its_value: Any, *, both_nan: bool) -> bool:
        """Compares by `__eq__`, which cannot be right if the values hold NaN."""
        return equal(value, its_value) or (self._holds_nan and both_nan)

    def _is_current(self, value: Any) -> bool:
        """Returns whether a value has the state that it had, though it may have filled a table since."""
        try:
            with leniently():
                return self._state_of(value).equals(self.state)
        except Exception:  # It now holds what has no key.
            return False

    def _have_equal_caches(self, other: Refined, value: Any, its_value: Any) -> bool:
        """Compares as `__eq__` does, by the current state: it may have stored a hash since the keys were made."""
        caches, its_caches = self.state.caches, other.state.caches
        differing = [step for step in caches.keys() & its_caches.keys() if caches[step] != its_caches[step]]
        if not differing:
            return True
        now, its_now = self._state_of(value).caches, self._state_of(its_value).caches
        parts, its_parts = dict(attribute_parts(value)), dict(attribute_parts(its_value))
        return not any(
            now.get(step) != its_now.get(step) and equal(parts.get(step), its_parts.get(step)) for step in differing
        )


def may_change(key: Hashable) -> bool:
    """Returns whether the value of a key may come to have another key: it holds an object with attributes of its own.

    A class that knows all its fields is frozen; of any other, nothing says that its attributes stay as they are.
    """
    if isinstance(key, (Refined, WithState)):
        return True
    if isinstance(key, LongKey):
        return may_change(key.contents)
    return isinstance(key, (tuple, frozenset)) and any(map(may_change, key))


def _hash_of(value: Any, access: Access) -> int:
    try:
        return access.hash_of(value)
    except Exception:
        access.state_of(value)  # Says more, if a part breaks the contract.
        raise


def equal(one: object, other: object) -> bool:
    """Compares as containers compare their items."""
    return one is other or bool(one == other)


_NEVER_NAN: Final = frozenset({int, bool, str, bytes, type(None), type(...)})
_NUMBERS: Final = (float, complex, decimal.Decimal, np.generic)
_ARRAYS: Final = (np.ndarray, jax.Array, jax.core.Tracer)
# A larger graph of objects does not configure a program.
_MAX_OBJECTS: Final = 20_000


def holds_nan(value: Any, parts_of: Callable[[Any], Iterable[Part]]) -> bool:
    """Returns whether a value is or holds NaN, which differs from itself and is hashed by identity."""

    def parts_that_may(value: Any) -> Iterable[Part]:
        cls = type(value)
        is_table = cls in (tuple, list) and _is_of_atoms(value)
        may_not = cls in _NEVER_NAN or cls is float or is_static(cls) or isinstance(value, _ARRAYS)
        return () if is_table or may_not else parts_of(value)

    return any(_is_nan(place.value) for place in islice(places(value, parts_that_may), _MAX_OBJECTS))


def _is_nan(value: Any) -> bool:
    if type(value) in (tuple, list):
        return _is_of_atoms(value) and any(map(ne, value, value))
    return isinstance(value, _NUMBERS) and bool(value != value)


def _is_of_atoms(value: Iterable[Any]) -> bool:
    return set(map(type, value)) <= _NEVER_NAN | {float}
