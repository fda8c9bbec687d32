"""State that only a class's C code can reach: seen by what the class tells `pickle`, or else refused."""

from __future__ import annotations

import copyreg
import functools
from collections.abc import Iterator
from types import MemberDescriptorType
from typing import Any, Final

from jaxtyped_static._attributes.attributes import Part
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._refusals.words import Reason

_POINTER: Final = tuple.__itemsize__
# From CPython's `object.h`: the pointer is not in the object's own memory.
_MANAGED_WEAKREF: Final = 1 << 3
_MANAGED_DICT: Final = 1 << 4


class Pickled:
    """What a class written in C tells `pickle` about a value."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def hidden_parts(value: Any, known: Any = object) -> Iterator[Part]:
    """Yields the state that a value has in addition to its attributes, and to the state of a known base.

    Raises:
        Refused: the class does not tell.
    """
    cls: Any = type(value)
    if not has_hidden_state(cls, known):
        return
    try:
        state = _reduced(value)
    except Exception as error:
        raise Refused(Reason.UNSEEN_STATE, class_name(cls)) from error
    yield ".<state>", Pickled(state)


def pickled(value: Any) -> Any:
    """Returns what a class tells `pickle` about a value: a name or a tuple; None if it tells nothing."""
    if type(value).__module__ == "itertools":  # Deprecated there, with a warning.
        return None
    try:
        return _reduced(value)
    except Exception:  # A generator, a connection, a file.
        return None


def _reduced(value: Any) -> Any:
    reduce = copyreg.dispatch_table.get(type(value))
    state = value.__reduce_ex__(4) if reduce is None else reduce(value)
    return state if isinstance(state, str) else tuple(map(_listed, state))


def _listed(part: Any) -> Any:
    """Returns the items of an iterator; a pickle has two, for items of lists and of dictionaries."""
    return tuple(part) if isinstance(part, Iterator) else part


@functools.lru_cache(maxsize=1024)
def has_hidden_state(cls: Any, known: Any = object) -> bool:
    """Returns whether objects take more memory than their attributes and those of the known base account for."""
    while cls is not known and cls is not object and cls is not None:
        if cls.__basicsize__ - cls.__base__.__basicsize__ > _accounted_for(cls) or _has_unnamed_items(cls):
            return True
        cls = cls.__base__
    return False


def _accounted_for(cls: Any) -> int:
    """Returns the size of the attributes that a class adds to its base."""
    slots = sum(
        isinstance(member, MemberDescriptorType) and member.__objclass__ is cls for member in vars(cls).values()
    )
    added = cls.__flags__ & ~cls.__base__.__flags__
    has_dict = cls.__dictoffset__ and not cls.__base__.__dictoffset__ and not added & _MANAGED_DICT
    has_weakref = cls.__weakrefoffset__ and not cls.__base__.__weakrefoffset__ and not added & _MANAGED_WEAKREF
    return _POINTER * (slots + bool(has_dict) + bool(has_weakref))


def _has_unnamed_items(cls: Any) -> bool:
    """Returns whether it is like `time.struct_time`: a tuple with more attributes than items."""
    return vars(cls).get("n_fields", 0) > vars(cls).get("n_sequence_fields", 0) and issubclass(cls, tuple)
