"""`check_static_type` tests the laws of the static contract for a class, on examples or on generated values."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import itertools
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from jaxtyped_static._attributes.added_attributes import is_init_var, not_a_field
from jaxtyped_static._attributes.attributes import attributes_of
from jaxtyped_static._contract import check_static, root_of
from jaxtyped_static._keys.equality import attributes_not_compared, owner_of_eq
from jaxtyped_static._keys.refined_keys import equal
from jaxtyped_static._keys.states import are_alike
from jaxtyped_static._keys.value_keys import handling_of, key_of
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._refusals.words import Reason

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["check_static_type"]

T = TypeVar("T")

_REPLACE: Final = "dataclasses.replace"
_CAN_GROW: Final = (list, dict, set, bytearray)


def check_static_type(cls: type[T], make: Iterable[T] | SearchStrategy[T], /) -> None:
    """Verifies that a class keeps the static contract, on examples of its values or on those of a Hypothesis strategy.

    Each value is verified as by `check_static`. In addition: copies and pickled copies are equal and have the same
    hash; values with equal fields have the same other attributes, except caches; values that differ, even if only in
    the class of a part (`1` and `1.0`), are not equal; a value of a subclass does not equal one of the class; no public
    attribute can be set or deleted. Classes that cannot be copied or subclassed skip those tests. Give examples that
    differ in each field, and in each other parameter of the constructor, in turn.

    Raises:
        StaticContractError: for the first law that does not hold.
        TypeError: a value is not of the class.
    """
    if _is_strategy(make):
        _check_generated(cls, make)
        return
    examples = list(make)  # type: ignore[arg-type]  # Not a strategy.
    for value in examples:
        _check_value(cls, value)
    for first, second in itertools.combinations(examples, 2):
        _check_pair(first, second)


def _is_strategy(make: object) -> bool:
    """Returns whether it is a strategy; only a program that has imported Hypothesis can have one."""
    strategies = sys.modules.get("hypothesis.strategies")
    return strategies is not None and isinstance(make, strategies.SearchStrategy)


def _check_generated(cls: type, make: Any) -> None:
    from hypothesis import given, settings  # Imported already, by the program: the package does not need it.

    @settings(database=None, deadline=None)
    @given(make, make)
    def check(one: Any, other: Any) -> None:
        _check_value(cls, one)
        _check_pair(one, other)

    check()


def _check_value(cls: type, value: object) -> None:
    if type(value) is not cls:
        raise TypeError(f"check_static_type({class_name(cls)}, ...) got a {class_name(type(value))}: {value!r}")
    check_static(value)
    try:
        for name, duplicate in _copies(value):
            if name == _REPLACE and value != duplicate and _has_init_vars(cls):
                continue  # It was made with the default of an InitVar.
            _check_equal(value, duplicate, f"its {name}")
            _check_attributes(value, duplicate)
        _check_refuses_change(value)
        _check_subclass_differs(value)
    except Refused as refused:
        raise refused.as_error(root_of(value)) from None


def _check_pair(one: object, other: object) -> None:
    """Verifies that two values are equal exactly if their exact keys are."""
    try:
        if type(one) is not type(other):
            return
        if are_alike(key_of(one), key_of(other)):
            _check_equal(one, other, repr(other))
            _check_attributes(one, other)
        elif one == other:
            _check_attributes(one, other)
            raise Refused(Reason.DIFFERENT_BUT_EQUAL, repr(one), repr(other))
    except Refused as refused:
        raise refused.as_error(root_of(one)) from None


def _check_equal(value: object, duplicate: object, name: str) -> None:
    if not (value == duplicate and duplicate == value):
        raise Refused(Reason.COPY_NOT_EQUAL, repr(value), name)
    if hash(value) != hash(duplicate):
        raise Refused(Reason.COPY_NOT_HASHED_ALIKE, repr(value), name)


def _check_attributes(value: object, equal_one: object) -> None:
    """Verifies that equal values have the same attributes beside their fields; either may have filled a cache."""
    held, its = dict(attributes_of(value)), dict(attributes_of(equal_one))
    for name in attributes_not_compared(value):
        if name in its and not _may_be_the_same(held[name], its[name]):
            raise not_a_field(type(value), name)


def _may_be_the_same(one: object, other: object) -> bool:
    """Returns whether two attributes may follow from equal fields: None and what can grow may be caches."""
    if one is None or other is None or isinstance(one, _CAN_GROW):
        return True
    with contextlib.suppress(Exception):  # Arrays have no truth value; other classes may not know each other.
        return equal(one, other)
    return True


def _through_pickle(protocol: int, value: object) -> object:
    return pickle.loads(pickle.dumps(value, protocol))


_COPIERS: Final[dict[str, Callable[[Any], Any]]] = {
    "copy": copy.copy,
    "deep copy": copy.deepcopy,
    _REPLACE: dataclasses.replace,
    **{
        f"pickle (protocol {protocol})": partial(_through_pickle, protocol)
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
    },
}


def _copies(value: object) -> Iterator[tuple[str, object]]:
    for name, make in _COPIERS.items():
        with contextlib.suppress(Exception):
            yield name, make(value)


def _has_init_vars(cls: Any) -> bool:
    return any(map(is_init_var, getattr(cls, "__dataclass_fields__", {}).values()))


def _check_refuses_change(value: object) -> None:
    for name, item in attributes_of(value):
        if name.startswith("_"):
            continue
        try:
            setattr(value, name, item)
        except Exception:
            continue
        raise Refused(Reason.ASSIGNABLE_ATTRIBUTE, class_name(type(value)), name)


def _check_subclass_differs(value: Any) -> None:
    """Verifies that a hand-written `__eq__` distinguishes the class from a subclass."""
    of_subclass = _of_subclass(value) if handling_of(type(value)).parts is not None else None
    if of_subclass is not None and (value == of_subclass or of_subclass == value):
        cls = type(value)
        raise Refused(Reason.CLASS_NOT_COMPARED, class_name(cls), class_name(owner_of_eq(cls)))


def _of_subclass(value: Any) -> Any:
    """Returns the same value in a subclass that adds nothing; None if it cannot be made, as for tuples."""
    cls: Any = type(value)
    with contextlib.suppress(Exception):
        made: Any = object.__new__(type(cls)(cls.__name__, (cls,), {}))
        for name, item in attributes_of(value):
            object.__setattr__(made, name, item)
        return made
    return None
