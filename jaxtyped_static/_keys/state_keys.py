"""Keys state that is not held to the contract: private attributes, tables, what a function captures.

Such state is taken as it is now, however it may change later: two values whose state differs now are different values.
"""

from __future__ import annotations

import array
import hashlib
import itertools
import weakref
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxtyped_static._attributes.attributes import Part, attribute_parts
from jaxtyped_static._attributes.fields import package_of
from jaxtyped_static._attributes.own_state import declared_by, is_cache
from jaxtyped_static._keys.handling import Handling
from jaxtyped_static._parts.coarse_equality import dtype_key
from jaxtyped_static._parts.contents import WEAK, ById, parts_of
from jaxtyped_static._parts.pickled_state import Pickled, has_hidden_state, pickled
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._refusals.words import Reason

# Larger arrays are not read each time a key is made.
_MAX_BYTES: Final = 1 << 24
_MAX_BYTES_ON_DEVICE: Final = 1 << 14
# A larger or deeper graph of objects does not configure a program.
_MAX_OBJECTS: Final = 20_000
_MAX_DEPTH: Final = 50


class Look(NamedTuple):
    """How to look at an object: its key, if it keeps the contract, and what is known of its class."""

    key_of: Callable[[Any], Hashable]
    handling_of: Callable[[type], Handling]


def state_key(value: Any, look: Look) -> tuple[type, Hashable]:
    """Returns the class and the key of an object of any kind, made of all that can be seen of it.

    Raises:
        Refused: it is or holds a tracer; or what was pickled of an object in C cannot be seen.
    """
    if type(value) is Pickled:
        return _StateWalk(look, must_be_seen=True).key(value.value)
    return _StateWalk(look, must_be_seen=False).key(value)


class _StateWalk:
    """Visits each object that can change once, so the time is proportional to the size of the graph."""

    def __init__(self, look: Look, *, must_be_seen: bool) -> None:
        self._look = look
        self._must_be_seen = must_be_seen
        self._seen: dict[int, tuple[int, Any]] = {}  # Keeps the objects alive, so that their ids are not reused.
        self._count = self._depth = 0

    def key(self, value: Any) -> tuple[type, Hashable]:
        cls = type(value)
        if cls is ById:
            return cls, id(value.value)
        handling = self._look.handling_of(cls)
        if handling.parts is None and cls is not FunctionType:  # A function made again has the same code.
            try:
                return cls, self._look.key_of(value)
            except Refused as refused:
                if refused.reason is Reason.TRACER:
                    raise
        if not (issubclass(cls, tuple | frozenset) or handling.fields):
            if id(value) in self._seen:
                return cls, self._seen[id(value)][0]
            self._seen[id(value)] = len(self._seen), value
        self._count += 1
        self._depth += 1
        try:
            return cls, self._contents(value, handling)
        finally:
            self._depth -= 1

    def _contents(self, value: Any, handling: Handling) -> Hashable:
        read = next((read for cls, read in _EXACT if isinstance(value, cls)), handling.key)
        if read is None:
            return self._parts(value, handling)
        if (exact := read(value)) is None:
            return self._unseen(value)
        return exact if _is_self_contained(value) else (exact, self._parts(value, handling))

    def _parts(self, value: Any, handling: Handling) -> Hashable:
        if self._count > _MAX_OBJECTS or self._depth > _MAX_DEPTH:
            self._refuse_unseen(value)
            return None
        parts = _parts_of(value, handling)
        if parts is None:
            return self._unseen(value)
        cls: Any = type(value)
        declared = declared_by(cls)
        keys = [(step, self.key(part)) for step, part in parts if not is_cache(step, declared)]
        return frozenset(Counter(keys).items()) if issubclass(cls, set | frozenset) else tuple(keys)

    def _unseen(self, value: Any) -> Hashable:
        self._refuse_unseen(value)
        return None if _holds_no_value(value) else id(value)

    def _refuse_unseen(self, value: Any) -> None:
        if self._must_be_seen:
            raise Refused(Reason.UNSEEN_STATE, class_name(type(value)))


def _parts_of(value: Any, handling: Handling) -> Iterable[Part] | None:
    """Returns what an object consists of; None if only its identity tells."""
    if isinstance(value, set):
        return (("[...]", element) for element in value)
    if isinstance(value, weakref.ref):
        return (("()", value()),)
    if handling.parts is None:
        parts = parts_of(value)
        return _told_by(value) if parts is None else parts
    try:
        state = () if handling.state is None else tuple(handling.state(value))
    except Refused:  # What its C code keeps cannot be pickled.
        return None
    cls: Any = type(value)
    if handling.parts is not attribute_parts or state or not has_hidden_state(cls):
        return (*handling.parts(value), *state)
    told = _told_by(value)
    return None if told is None else (*handling.parts(value), *told)


def _told_by(value: Any) -> list[Part] | None:
    told = None if _holds_no_value(value) else pickled(value)
    if told is None:
        return None
    return [(".<state>", ById(value) if isinstance(told, str) else told)]  # A name is that of a global.


def _holds_no_value(value: Any) -> bool:
    """Returns whether it is a lock or a thread, or a weak table, whose contents others keep alive."""
    return isinstance(value, WEAK) or package_of(type(value)) in ("_thread", "threading")


def _of_array(value: np.ndarray[Any, Any] | np.void) -> Hashable | None:
    if value.dtype.hasobject:  # Its elements are its parts.
        return dtype_key(value.dtype), value.shape
    return _of_numpy(value)


def _of_numpy(value: Any) -> Hashable | None:
    if value.nbytes > _MAX_BYTES:
        return None
    return dtype_key(value.dtype), value.shape, hashlib.blake2b(value.tobytes(), digest_size=16).digest()


def _of_jax(value: jax.Array) -> Hashable | None:
    if value.is_deleted() or value.nbytes > _MAX_BYTES_ON_DEVICE or not value.is_fully_addressable:
        return None
    is_key = jnp.issubdtype(value.dtype, jax.dtypes.prng_key)
    numbers = _of_numpy(np.asarray(jax.random.key_data(value) if is_key else value))
    # Weak types, and the kinds of keys, decide what a program computes.
    return value.dtype, getattr(value.aval, "weak_type", False), numbers


# What identifies such an object apart from its parts; None if that is not to be read.
_EXACT: Final[tuple[tuple[Any, Callable[[Any], Hashable | None]], ...]] = (
    ((np.ndarray, np.void), _of_array),
    (jax.Array, _of_jax),
    (bytearray, bytes),
    (array.array, lambda value: (value.typecode, value.tobytes())),
    (itertools.count, repr),  # Its pickled state is deprecated.
    (FunctionType, lambda value: value.__code__),
    ((type, ModuleType), id),
)
# These have no other parts.
_SELF_CONTAINED: Final = (jax.Array, bytearray, array.array, itertools.count, type, ModuleType)


def _is_self_contained(value: Any) -> bool:
    if isinstance(value, np.ndarray | np.void):
        return not value.dtype.hasobject
    return isinstance(value, _SELF_CONTAINED)
