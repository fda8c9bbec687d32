"""Private objects: objects of a static class that are not in the table, because they bypassed the constructor.

They come from `copy.copy`, `object.__new__`, `cls.__new__(cls)` and libraries that fill in objects field by field. A
private object belongs to its creator, who may go on setting its fields. Yet it is equal to the shared object of its
value, has the same hash, and is replaced by it wherever this package can: in the field of another static object, or in
a pytree.

Whoever hashes a private object may keep it as a key, as JAX does. If its fields are set after that, it equals nothing
but itself: otherwise JAX would find what it compiled for the old value when it is called with the new one.

The table's own objects are hashed and compared by `object`'s methods, in C. A class gets a hash in Python when one of
its private objects is first seen.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Collection
from typing import Any, Final

from jaxtyped_static._attributes.added_attributes import added_attributes
from jaxtyped_static._attributes.attributes import attributes_of
from jaxtyped_static._keys.interning import Row, interned, row_of
from jaxtyped_static._kinds import decorated_class

# The ids of objects whose constructor is running: the table may already have another object for the result.
being_made: Final[set[int]] = set()
# By the id of a private object that was hashed: the shared object of the value that it had then, whose hash it has.
_hashed: Final[dict[int, tuple[weakref.ref[Any], Any]]] = {}


def raw_object(cls: Any) -> Any:
    """Returns an empty object, for the caller to fill in."""
    hash_by_value(cls)
    return object.__new__(cls)


def duplicate(value: Any, fields: Collection[str]) -> Any:
    """Returns a private copy with the fields, and without caches, as it may be changed."""
    made = object.__new__(type(value))
    caches = added_attributes(value, fields)
    fill(made, {name: item for name, item in attributes_of(value) if name not in caches})
    return made


def fill(instance: Any, attributes: dict[str, Any]) -> None:
    """Sets attributes of a private object."""
    for name, value in attributes.items():
        object.__setattr__(instance, name, value)


def hash_by_value(cls: Any) -> None:
    """Makes a class hash private objects by value."""
    owner = decorated_class(cls)
    if owner.__hash__ is object.__hash__:
        owner.__hash__ = _hash


def _hash(
    self: Any,
    row_of: Callable[[Any], Row | None] = row_of,
    being_made: set[int] = being_made,
    hash_of: Callable[[Any], int] = object.__hash__,
) -> int:
    """The class's `__hash__`, once it has private objects; works during interpreter shutdown, too."""
    is_settled = row_of(self) is not None or id(self) in being_made
    return hash_of(self if is_settled else _hashed_as(self))


def _hashed_as(value: Any) -> Any:
    """Returns the shared object of the value that a private object had when it was first hashed."""
    number = id(value)
    known = _hashed.get(number)
    if known is None or known[0]() is not value:
        forget = _hashed.pop  # Local, because module globals disappear during interpreter shutdown.
        known = _hashed[number] = weakref.ref(value, lambda _: forget(number, None)), interned(value)
    return known[1]


def equals(self: Any, other: object) -> Any:
    """The class's `__eq__`. An incomplete object equals only itself."""
    if self is other:
        return True
    if type(self) is not type(other):
        return NotImplemented
    if row_of(self) is not None and row_of(other) is not None:
        return False
    try:
        shared = interned(self)
        return shared is interned(other) and shared is _as_hashed(self, shared) is _as_hashed(other, shared)
    except TypeError:
        return False


def _as_hashed(value: Any, shared: Any) -> Any:
    """Returns the shared object of the value that an object had when it was hashed, or has, if it was not."""
    known = _hashed.get(id(value))
    return shared if known is None or known[0]() is not value else known[1]
