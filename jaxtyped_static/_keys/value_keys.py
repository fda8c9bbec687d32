"""Exact keys: equal exactly if two values are the same for a program, with the same classes at every depth.

Python's own equality is coarser: `1 == 1.0 == True`, `0.0 == -0.0`, `frozenset({1}) == frozenset({True})`. Interning
compares keys. Making a key also verifies a value: a value that breaks the static contract has none.
"""

from __future__ import annotations

import enum
import threading
import weakref
from collections import Counter
from collections.abc import Hashable, Iterable
from functools import partial
from itertools import chain
from operator import attrgetter
from types import EllipsisType, NoneType
from typing import Any, Final

from jaxtyped_static._attributes.attributes import Part
from jaxtyped_static._keys.classification import classify
from jaxtyped_static._keys.handling import Handling
from jaxtyped_static._keys.key_steps import Keyer, Steps, follow, remember
from jaxtyped_static._keys.known_values import float_key
from jaxtyped_static._keys.long_keys import long_key
from jaxtyped_static._keys.refined_keys import Access, Refined
from jaxtyped_static._keys.state_keys import Look, state_key
from jaxtyped_static._keys.states import State, WithState, part_key, read_state
from jaxtyped_static._parts.contents import member_parts, parts_of
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._refusals.words import WORDS, Reason

# Values of exactly these classes are their own keys: their equality is exact, and hashing them runs in C.
_ATOMS: Final = frozenset({int, bool, str, bytes, NoneType, EllipsisType})


def key_of(value: Any) -> Hashable:
    """Returns the key of one value, for comparison with keys of values of the same class.

    Raises:
        Refused: the value breaks the static contract.
    """
    keyer = keyer_of(type(value))
    key: Hashable = value if keyer is None else keyer(value)
    return key


def keyer_of(cls: type) -> Keyer | None:
    """Returns how the values of a class are keyed; None if each is its own key."""
    if cls in _ATOMS:
        return None
    known = _known.get(id(cls))
    return _learn(cls).keyer if known is None else known.keyer


def handling_of(cls: type) -> Handling:
    """Returns what is known of a class."""
    known = _known.get(id(cls))
    return (_learn(cls) if known is None else known).handling


def parts_in(value: Any) -> Iterable[Part]:
    """Returns the parts that a value is made of, as its key is."""
    parts = handling_of(type(value)).parts
    return () if parts is None else parts(value)


def steps_of(types: Iterable[type]) -> Steps:
    """Returns how to key those values of a sequence, of these classes, that are not their own keys."""
    keyers = map(keyer_of, types)
    return tuple((index, keyer) for index, keyer in enumerate(keyers) if keyer is not None)


# By the classes of the values.
_plans: Final[dict[tuple[type, ...], tuple[tuple[type, ...], Steps]]] = {}


class _Known(weakref.ref[type]):
    """What was learnt of a class, kept while the class lives."""

    __slots__ = ("handling", "keyer")
    handling: Handling
    keyer: Keyer | None


# By the id of the class; a reference would keep the class alive as long as this table.
_known: Final[dict[int, _Known]] = {}


def _learn(cls: type) -> _Known:
    number, forget = id(cls), _known.pop  # Local, because module globals disappear during interpreter shutdown.
    known = _Known(cls, lambda _: forget(number, None))
    known.handling = classify(cls)
    known.keyer = _keyer(cls, known.handling)
    _known[number] = known
    return known


def _keyer(cls: type, handling: Handling) -> Keyer | None:
    if cls in _IMMUTABLE_KEYERS:
        return _IMMUTABLE_KEYERS[cls]
    if issubclass(cls, enum.Enum):
        return _member_keyer(handling)
    verify, key = handling.verify, _key_by(handling)
    if verify is None:
        return key

    def verified(value: Any) -> Hashable:
        verify(value)
        return hashable(value) if key is None else key(value)

    return verified


# Faults that matter in an enum member. Its hash does not: the member is its own key.
_FAULTS_OF_MEMBERS: Final = frozenset({"static-mutable", "static-dynamic", "static-traced"})


def _member_keyer(handling: Handling) -> Keyer:
    """Keys a member by identity; it is verified once, and lives as long as its class."""
    verified: set[int] = set()

    def keyed(member: Any) -> Hashable:
        number = id(member)
        if number not in verified:
            if handling.verify is not None:
                handling.verify(member)
            for step, part in member_parts(member):
                _check_in_member(step, part)
            verified.add(number)
        return number

    return keyed


def _check_in_member(step: str, part: Any) -> None:
    try:
        part_key(step, part, _LOOK)
    except Refused as refused:
        if WORDS[refused.reason].code in _FAULTS_OF_MEMBERS:
            raise


def _key_by(handling: Handling) -> Keyer | None:
    parts, state = handling.parts, handling.state
    if handling.own_eq:
        return lambda value: _refined(value, handling)
    if parts is None:
        return handling.key
    if handling.fields:
        return _fields_keyer(handling)
    if state is None:
        return lambda value: _parts_key(parts(value), ordered=handling.ordered)
    return lambda value: _with_state(_parts_key(parts(value), ordered=handling.ordered), state(value))


def _with_state(key: Hashable, state: Iterable[Part]) -> Hashable:
    """Adds state to the key of a value, most of which have none."""
    beside = {step: state_key(part, _LOOK) for step, part in state}
    return WithState(key, beside) if beside else key


def hashable(value: Any) -> Hashable:
    """Returns the value itself.

    Raises:
        Refused: it has no hash, because of something inside it.
    """
    try:
        hash(value)
    except RecursionError:
        raise
    except Exception as error:
        raise Refused(Reason.UNHASHABLE, class_name(type(value)), str(error)) from error
    checked: Hashable = value
    return checked


def _fields_keyer(handling: Handling) -> Keyer:
    """Returns a keyer that reads the fields and keys their values."""
    names, parts, state = handling.fields, handling.parts, handling.state
    plain_size = handling.plain_size
    assert parts is not None and state is not None
    read = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)

    def keyed(value: Any) -> Hashable:
        try:
            values = read(value)
        except AttributeError:  # A field is not set.
            return _with_state(_parts_key(parts(value)), state(value))
        types = tuple(map(type, values))
        types, steps = _plans.get(types) or _new_plan(types)
        key = types, follow(steps, values, lambda index: f".{names[index]}") if steps else values
        if plain_size is not None and len(value.__dict__) == plain_size:
            return key
        return _with_state(key, state(value))

    return keyed


def _tuple_key(value: tuple[Any, ...]) -> Hashable:
    if len(value) > _MANY:
        return long_key(value, _key_of_many)
    return _key_of_items(value)


def _key_of_items(value: tuple[Any, ...]) -> Hashable:
    types = tuple(map(type, value))
    types, steps = _plans.get(types) or _new_plan(types)
    return types, follow(steps, value, "[{}]".format) if steps else value


def _new_plan(types: tuple[type, ...]) -> tuple[tuple[type, ...], Steps]:
    """Returns how values of these classes are keyed, and the tuple of classes, which is always the same object."""
    plan = (types, steps_of(types))
    remember(_plans, types, plan)
    return plan


def _key_of_many(value: tuple[Any, ...]) -> tuple[Hashable, bool]:
    """Keys a long tuple; returns whether it is a table of atoms, in one or two dimensions, which cannot change."""
    items, kinds = value, set(map(type, value))
    if kinds == {tuple}:
        items = tuple(chain.from_iterable(value))
        kinds = set(map(type, items))
    if not kinds <= _ATOMS:
        return _key_of_items(value), False
    return ((kinds.pop() if len(kinds) == 1 else tuple(map(type, items))), value), True


def _frozenset_key(value: frozenset[Any]) -> Hashable:
    return long_key(value, _key_of_elements) if len(value) > _MANY else _key_of_elements(value)[0]


def _key_of_elements(value: frozenset[Any]) -> tuple[Hashable, bool]:
    kinds = set(map(type, value))
    if len(kinds) == 1 and kinds <= _ATOMS:
        return (kinds.pop(), value), True
    return _parts_key((("[...]", element) for element in value), ordered=False), False


# Classes that cannot change and hold no attributes; not their subclasses.
_IMMUTABLE_KEYERS: Final[dict[type, Keyer]] = {tuple: _tuple_key, frozenset: _frozenset_key, float: float_key}
_MANY: Final = 16


def _parts_key(parts: Iterable[Part], *, ordered: bool = True) -> Hashable:
    types, keys = [], []
    for step, part in parts:
        types.append(type(part))
        try:
            keys.append(key_of(part))
        except Refused as refused:
            raise refused.under(step) from None
    if ordered:
        return tuple(types), tuple(keys)
    return frozenset(Counter(zip(types, keys, strict=True)).items())  # Counted: a set may hold NaN more than once.


class _Keying(threading.local):
    def __init__(self) -> None:
        self.ids: set[int] = set()


# The values that are being taken apart: a value may contain itself where its `__eq__` does not look.
_keying: Final = _Keying()


def _refined(value: Any, handling: Handling) -> Hashable:
    if id(value) in _keying.ids:
        return id(type(value))
    return Refined(
        value, Access(partial(_state_of, handling=handling), lambda value: hash(hashable(value)), _visible_parts)
    )


def _visible_parts(value: Any) -> Iterable[Part]:
    """Returns the parts of a static value, or of what only a private attribute may hold."""
    return parts_in(value) or parts_of(value) or ()


def _state_of(value: Any, handling: Handling) -> State:
    _keying.ids.add(id(value))
    try:
        return read_state(value, handling, _LOOK)
    finally:
        _keying.ids.discard(id(value))


_LOOK: Final = Look(key_of, handling_of)
