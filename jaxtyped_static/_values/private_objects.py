"""Objects of a static class that are not in the table, because something made them past the constructor.

`copy.copy`, `object.__new__`, `cls.__new__(cls)` and libraries that fill in objects field by field make them. Such an
object belongs to who made it, who may go on to set its fields. It is equal to the one object of its value all the same,
has its hash, and that object stands for it wherever we are asked: in the field of another static object, in a pytree.

The table's own objects are hashed and told apart by `object.__hash__`, in C. A class gets a hash in Python when a
private object of it is first seen.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Final

from jaxtyped_static._values.class_contract import attributes_of
from jaxtyped_static._values.handling import Handling
from jaxtyped_static._values.interning import Entry, entry_of, find, publish
from jaxtyped_static._values.refusals import class_name
from jaxtyped_static._values.static_classes import decorated_class, layout_of

# The ids of objects whose constructor runs: the table may have another object for what becomes of them.
being_made: Final[set[int]] = set()
# By the id of a private object: the object that stands for it, which keeps its hash for as long as the other lives.
_twins: Final[dict[int, tuple[weakref.ref[Any], Any]]] = {}


def interned(value: Any) -> Any:
    """The one object with the value of this one: itself, unless it is private.

    Raises:
        StaticContractError: the value of a field breaks the contract.
        TypeError: a field is not set, or the object is still being made.
    """
    if entry_of(value) is not None:
        return value
    if id(value) in being_made:
        raise TypeError(
            f"this {class_name(type(value))} is still being made, so another static object cannot hold it; "
            f"make that one after it"
        )
    hash_by_value(type(value))
    key = layout_of(type(value)).key(value)
    twin = find(key)
    if twin is None:
        twin = _made_again(value, key)
    number = id(value)
    _twins[number] = weakref.ref(value, lambda _: _twins.pop(number, None)), twin
    return twin


# A static object is known by the one object of its value.
STATIC: Final = Handling(key=interned)


def _made_again(value: Any, key: object) -> Any:
    """A new object of this value: by the constructor, which computes what is no field; else as the value is."""
    layout = layout_of(type(value))
    made = layout.constructed(type(value), value)
    entry = entry_of(made)
    return made if entry is not None and entry.key == key else publish(duplicate(value), key)


def raw_object(cls: Any) -> Any:
    """An empty object, to be filled in by whoever asked for it."""
    hash_by_value(cls)
    return object.__new__(cls)


def duplicate(value: Any) -> Any:
    """A private object with all that this one holds, but for what a cached property left there."""
    made = object.__new__(type(value))
    fill(made, dict(attributes_of(value)))
    return made


def fill(instance: Any, attributes: dict[str, Any]) -> None:
    """Sets attributes of a private object."""
    for name, value in attributes.items():
        object.__setattr__(instance, name, value)


def hash_by_value(cls: Any) -> None:
    """Lets private objects of a class have the hashes of their values."""
    owner = decorated_class(cls)
    if owner.__hash__ is object.__hash__:
        owner.__hash__ = _hash


def _hash(
    self: Any,
    entry_of: Callable[[Any], Entry | None] = entry_of,
    being_made: set[int] = being_made,
    hash_of: Callable[[Any], int] = object.__hash__,
) -> int:
    """The class's `__hash__`, once there are private objects; works while the interpreter ends, too."""
    is_settled = entry_of(self) is not None or id(self) in being_made
    return hash_of(self if is_settled else interned(self))


def equals(self: Any, other: object) -> Any:
    """The class's `__eq__`. What is not complete is equal to nothing but itself."""
    if self is other:
        return True
    if type(self) is not type(other):
        return NotImplemented
    if entry_of(self) is not None and entry_of(other) is not None:
        return False
    try:
        return interned(self) is interned(other)
    except TypeError:
        return False
