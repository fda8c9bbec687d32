"""What a value consists of, when its class's own `__eq__` may not look at all of it."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterator, Mapping
from types import NoneType
from typing import Any, Final, NamedTuple

from jaxtyped_static._attributes.own_state import declared_by, is_cache
from jaxtyped_static._class_contract.hashing import is_hashed_by_identity
from jaxtyped_static._keys.handling import Handling
from jaxtyped_static._keys.state_keys import Look, state_key
from jaxtyped_static._refusals.refused import Refused


class State(NamedTuple):
    """The keys of what a value consists of, by the step that leads to each.

    Attributes:
        exact: of what a program reads.
        private: of private attributes, each with its class.
        caches: of attributes whose names say that they are caches.
    """

    exact: Mapping[str, Hashable]
    private: Mapping[str, tuple[type, Hashable]]
    caches: Mapping[str, Hashable]

    def equals(self, other: State) -> bool:
        """Compares everything but caches; leniently if the current thread asks for it."""
        if self.exact != other.exact:
            return False
        if self.private == other.private:
            return True
        both = self.private.keys() & other.private.keys()
        return _comparison.is_lenient and all(_may_be_filled(self.private[step], other.private[step]) for step in both)


class WithState:
    """The key of a value with fields that has more than these: what is beside them is compared, too.

    Leniently, the other value may lack a private attribute: it follows from the fields, and is filled later.
    """

    __slots__ = ("beside", "key")

    def __init__(self, key: Hashable, beside: dict[str, tuple[type, Hashable]]) -> None:
        self.key = key
        self.beside = beside

    def __hash__(self) -> int:
        return hash((self.key, frozenset(self.beside.items())))

    def __eq__(self, other: object) -> bool:
        key, beside = (other.key, other.beside) if isinstance(other, WithState) else (other, {})
        if self.key != key:
            return False
        if self.beside == beside:
            return True
        both = self.beside.keys() & beside.keys()
        return _comparison.is_lenient and all(
            _is_private(step) and (step not in both or _may_be_filled(self.beside[step], beside[step]))
            for step in self.beside.keys() | beside.keys()
            if self.beside.get(step) != beside.get(step)
        )


class _ThreadComparison(threading.local):
    is_lenient = False


_comparison: Final = _ThreadComparison()


def are_alike(one: Hashable, other: Hashable) -> bool:
    """Returns whether two keys are equal, apart from private attributes that one value has filled and the other not."""
    with leniently():
        return one == other


@contextlib.contextmanager
def leniently() -> Iterator[None]:
    """Lets the current thread compare private attributes leniently."""
    was_lenient, _comparison.is_lenient = _comparison.is_lenient, True
    try:
        yield
    finally:
        _comparison.is_lenient = was_lenient


_TABLES: Final = (Mapping, list, deque)


def _may_be_filled(one: tuple[type, Hashable], other: tuple[type, Hashable]) -> bool:
    """Returns whether the states of an attribute are equal, or may be the same table at different times."""
    (cls, key), (its_cls, its_key) = one, other
    if one == other or NoneType in (cls, its_cls):
        return True
    if (
        cls is not its_cls
        or not issubclass(cls, _TABLES)
        or not (isinstance(key, tuple) and isinstance(its_key, tuple))
    ):
        return False
    entries, its_entries = dict(key), dict(its_key)
    return all(entries[step] == its_entries[step] for step in entries.keys() & its_entries.keys())


def read_state(value: Any, handling: Handling, look: Look) -> State:
    """Returns the current state of a value.

    Raises:
        Refused: a part that is neither private nor a cache breaks the contract.
    """
    cls: Any = type(value)
    declared, by_identity = declared_by(cls), is_hashed_by_identity(cls)
    exact: defaultdict[str, list[Hashable]] = defaultdict(list)
    private: dict[str, tuple[type, Hashable]] = {}
    caches: dict[str, Hashable] = {}
    if handling.key is not None:
        exact[""].append(handling.key(value))
    for step, part in handling.parts(value) if handling.parts is not None else ():
        if is_cache(step, declared):
            caches[step] = state_key(part, look)
        elif not _is_private(step):
            exact[step].append(state_key(part, look) if handling.is_lenient else part_key(step, part, look))
        elif not by_identity:  # Then `__eq__` is exact.
            private[step] = state_key(part, look)
    for step, part in handling.state(value) if handling.state is not None else ():
        exact[step].append(state_key(part, look))
    return State({step: _collected(keys, handling) for step, keys in exact.items()}, private, caches)


def part_key(step: str, part: Any, look: Look) -> tuple[type, Hashable]:
    """Returns the class and the key of a part; a private attribute need not keep the contract.

    Raises:
        Refused: another part breaks it.
    """
    if _is_private(step):
        return state_key(part, look)
    try:
        return type(part), look.key_of(part)
    except Refused as refused:
        raise refused.under(step) from None


def _is_private(step: str) -> bool:
    return step.startswith("._")


def _collected(keys: list[Hashable], handling: Handling) -> Hashable:
    """Returns the keys of all parts with the same step, such as the elements of a set, which may hold NaN twice."""
    return tuple(keys) if handling.ordered else frozenset(Counter(keys).items())
