"""Keys are as fine as what a program can tell apart: each value gets its own number, or is refused."""

from __future__ import annotations

import contextlib
import copy
import datetime
import decimal
import fractions
import math
import pathlib
import uuid
from collections.abc import Callable
from typing import Any, Final

import flax.core
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from immutabledict import immutabledict

from jaxtyped_static import StaticContractError, guard
from tests.runtime.hand_written_values import State, compiled
from tests.runtime.static_values import Box

# A class to inherit from, and how to make one of its values.
BASES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "object": (object, ()),
    "int": (int, (1,)),
    "float": (float, (1.5,)),
    "complex": (complex, (1j,)),
    "str": (str, ("a",)),
    "bytes": (bytes, (b"a",)),
    "tuple": (tuple, ((1, 2),)),
    "frozenset": (frozenset, ((1, 2),)),
    "Decimal": (decimal.Decimal, ("1",)),
    "Fraction": (fractions.Fraction, (1, 2)),
    "date": (datetime.date, (2020, 1, 1)),
    "datetime": (datetime.datetime, (2020, 1, 1)),
    "time": (datetime.time, (1,)),
    "timedelta": (datetime.timedelta, (1,)),
    "UUID": (uuid.UUID, (str(uuid.UUID(int=1)),)),
    "path": (pathlib.PurePosixPath, ("a",)),
    "immutabledict": (immutabledict, ({"a": 1},)),
    "FrozenDict": (flax.core.FrozenDict, ({"a": 1},)),
    "np.float64": (np.float64, (1.5,)),
    "np.str_": (np.str_, ("a",)),
}
STORAGES: Final = ("__dict__", "__slots__")
EQUALITIES: Final = ("inherited", "of everything", "of the base")
# What the attribute may be; a program reads which of these it is.
CONTENTS: Final = (1, 1.0, True, 0, 0.0, -0.0, 2, "a", None, (1,), (1.0,), [1], [1.0], {"a": 1}, {"a": True}, math.nan)


def equality(base: Any, compared: tuple[str, ...]) -> dict[str, Any]:
    def __eq__(self: Any, other: Any) -> bool:
        is_same = type(self) is type(other) and (base is object or base.__eq__(self, other))
        return is_same and all(getattr(self, name) == getattr(other, name) for name in compared)

    def __hash__(self: Any) -> int:
        return hash((None if base is object else base.__hash__(self), len(compared)))

    return {"__eq__": __eq__, "__hash__": __hash__}


def subclass(name: str, storage: str, compared: str) -> Any:
    """Returns a class that keeps one more attribute; None if Python does not allow it."""
    base, _ = BASES[name]
    if base is object and compared == "inherited":
        return None
    body: dict[str, Any] = {"__slots__": ("_more",)} if storage == "__slots__" else {}
    if compared != "inherited":
        body |= equality(base, ("_more",) if compared == "of everything" else ())
    try:
        return type("Made", (base,), body)
    except TypeError:
        return None


def make(cls: Any, name: str, content: Any) -> Any:
    base, arguments = BASES[name]
    if base.__new__ is object.__new__:
        made = object.__new__(cls)
        base.__init__(made, *arguments)
    else:
        made = base.__new__(cls, *arguments)
    object.__setattr__(made, "_more", copy.copy(content))
    return made


CLASSES: Final = [
    (f"{name}, {storage}, equality {compared}", name, cls)
    for name in BASES
    for storage in STORAGES
    for compared in EQUALITIES
    if (cls := subclass(name, storage, compared)) is not None
]


def number(value: Any) -> int:
    """Returns which of the contents a value has, exactly."""
    return [repr(content) for content in CONTENTS].index(repr(value._more))


def as_a_static_field() -> Callable[[Any], Any]:
    program = compiled(lambda x, box: x * number(box.item), "box")
    return lambda value: program(1, Box(value))


def as_a_static_field_of_a_pytree() -> Callable[[Any], Any]:
    program = compiled(lambda state: state.x * number(state.config))
    return lambda value: program(State(jnp.int32(1), value))


def as_an_argument_below_a_guard() -> Callable[[Any], Any]:
    program = compiled(lambda x, value: x * number(value), "value")

    def call(value: Any) -> Any:
        with guard():
            return program(1, value)

    return call


ROUTES: Final = [as_a_static_field, as_a_static_field_of_a_pytree, as_an_argument_below_a_guard]
routes = pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.__name__)


@routes
@settings(max_examples=50, deadline=None)
@given(st.sampled_from(CLASSES), st.lists(st.sampled_from(CONTENTS), min_size=2, max_size=3))
def test_a_call_returns_the_number_of_its_value_or_is_refused(
    route: Callable[[], Callable[[Any], Any]], made: Any, contents: list[Any]
) -> None:
    _, name, cls = made
    call = route()
    # A guard takes None for a value that is computed later.
    contents = [content for content in contents if content is not None or route is not as_an_argument_below_a_guard]
    values = [make(cls, name, content) for content in contents]
    for value in (*values, *values):
        with contextlib.suppress(StaticContractError):
            assert call(value) == number(value)


@pytest.mark.parametrize(("_", "name", "cls"), CLASSES, ids=[each[0] for each in CLASSES])
def test_what_a_subclass_adds_is_part_of_the_value(_: str, name: str, cls: Any) -> None:
    boxes = [Box(make(cls, name, content)) for content in CONTENTS]
    again = [Box(make(cls, name, content)) for content in CONTENTS]
    assert len(set(map(id, boxes))) == len(CONTENTS)
    assert all(one is other for one, other in zip(boxes, again, strict=True))


class Money(decimal.Decimal):
    currency: str


class Labelled(float):
    __slots__ = ("unit",)


@pytest.mark.parametrize(("cls", "name"), [(Money, "currency"), (Labelled, "unit")])
def test_a_public_attribute_that_can_be_assigned_is_refused_in_a_subclass_too(cls: Any, name: str) -> None:
    value = cls(1)
    setattr(value, name, "EUR")
    with pytest.raises(StaticContractError, match=f'{cls.__name__} is mutable: "{name}" can be assigned') as caught:
        Box(value)
    assert caught.value.code == "static-mutable"


class Price(decimal.Decimal):
    currency: Final[str]  # type: ignore[misc]

    def __new__(cls, amount: str, currency: Any) -> Price:
        self = super().__new__(cls, amount)
        self.currency = currency  # type: ignore[misc]
        return self


def test_the_advice_to_declare_the_attribute_final_works() -> None:
    one: Any = Price("1", "EUR")
    assert Box(one) is Box(Price("1", "EUR")) is not Box(Price("1", "USD"))
