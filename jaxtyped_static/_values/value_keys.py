"""Exact keys: equal exactly if two values are the same for a program, with the same classes at every depth.

Python's own equality is coarser: `1 == 1.0 == True`, `0.0 == -0.0`, `frozenset({1}) == frozenset({True})`. Interning
compares keys. Making a key also verifies a value: a value that breaks the static contract has none.
"""

from __future__ import annotations

import enum
import threading
import weakref
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from itertools import chain
from operator import attrgetter
from types import EllipsisType, FunctionType, NoneType
from typing import Any, Final

from jaxtyped_static._values.classification import classify
from jaxtyped_static._values.enum_members import member_parts
from jaxtyped_static._values.handling import Handling, Part, Parts
from jaxtyped_static._values.key_steps import Keyer, Steps, follow, remember
from jaxtyped_static._values.known_values import float_key
from jaxtyped_static._values.long_keys import long_key
from jaxtyped_static._values.refusals import Refused, class_name
from jaxtyped_static._values.words import WORDS, Reason

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
    number = id(cls)
    known = _Known(cls, lambda _: _known.pop(number, None))
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
        _part_key(step, part, may_have_none=False)
    except Refused as refused:
        if WORDS[refused.reason].code in _FAULTS_OF_MEMBERS:
            raise


def _key_by(handling: Handling) -> Keyer | None:
    parts = handling.parts
    if parts is None:
        return handling.key
    if handling.own_eq:
        return lambda value: _refined(value, parts, parts_decide=handling.parts_decide)
    if handling.fields:
        return _fields_keyer(handling.fields, parts)
    return lambda value: _parts_key(parts(value), ordered=handling.ordered)


def hashable(value: Any) -> Hashable:
    """Returns the value itself.

    Raises:
        Refused: it has no hash, because of something inside it.
    """
    try:
        hash(value)
    except Exception as error:
        raise Refused(Reason.UNHASHABLE, class_name(type(value)), str(error)) from error
    checked: Hashable = value
    return checked


def _fields_keyer(names: tuple[str, ...], parts: Parts) -> Keyer:
    """Returns a keyer that reads these attributes and keys their values."""
    read = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)

    def keyed(value: Any) -> Hashable:
        try:
            values = read(value)
        except AttributeError:  # A field is not set.
            return _parts_key(parts(value))
        types = tuple(map(type, values))
        types, steps = _plans.get(types) or _new_plan(types)
        return types, follow(steps, values, lambda index: f".{names[index]}") if steps else values

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


def _refined(value: Any, parts: Parts, *, parts_decide: bool) -> Hashable:
    if id(value) in _keying.ids:
        return id(type(value))
    _keying.ids.add(id(value))
    try:
        return Refined(value, parts, parts_decide=parts_decide)
    finally:
        _keying.ids.discard(id(value))


class Refined:
    """The key of a value whose class has its own `__eq__`, which may leave `1` and `1.0` equal.

    Attributes that this `__eq__` takes for equal but that have different keys distinguish such values. So do all parts,
    if the `__eq__` does not look at them. The value may come to refer to what it is a key of, so the key does not keep
    it alive.
    """

    __slots__ = ("_hash", "_parts", "keys", "parts_decide", "value")

    def __init__(self, value: Any, parts: Parts, *, parts_decide: bool) -> None:
        keyed = ((step, _part_key(step, part, may_have_none=parts_decide)) for step, part in parts(value))
        self.keys = {step: key for step, key in keyed if key is not None}
        self.parts_decide = parts_decide
        self._parts = parts
        self._hash = hash(hashable(value))
        self.value: Callable[[], Any] = weakref.ref(value) if type(value).__weakrefoffset__ else lambda: value

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Refined):
            return False
        value, its_value = self.value(), other.value()
        if value is None or its_value is None or not equal(value, its_value):
            return self is other
        both = self.keys.keys() & other.keys.keys()
        differing = {step for step in both if self.keys[step] != other.keys[step]}
        if not differing or self.parts_decide:
            return not differing
        parts, its_parts = dict(self._parts(value)), dict(other._parts(its_value))
        return not any(_are_equal_and_differ(step, parts.get(step), its_parts.get(step)) for step in differing)


def _are_equal_and_differ(step: str, part: Any, its_part: Any) -> bool:
    """Compares the current attributes, as `__eq__` does: one may have stored a hash since the keys were made."""
    if not equal(part, its_part):
        return False
    return _part_key(step, part, may_have_none=False) != _part_key(step, its_part, may_have_none=False)


def _part_key(step: str, part: Any, *, may_have_none: bool) -> Hashable | None:
    """Returns a part's key; None for a private attribute without one, such as a cache: `__eq__` decides on it."""
    is_private = step.startswith("._")
    if is_private and type(part) is FunctionType:  # `__eq__` compares it by identity, too.
        return None
    try:
        return _parts_key([(step, part)])
    except Refused as refused:
        if (may_have_none or is_private) and refused.reason is not Reason.TRACER:
            return None
        raise


def equal(one: object, other: object) -> bool:
    """Compares as containers compare their items."""
    return one is other or bool(one == other)
