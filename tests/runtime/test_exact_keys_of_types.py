"""Whether a value of any type is the same static value as another: as a program can tell them apart."""

from __future__ import annotations

import copy
import dataclasses
import datetime
import fractions
import ipaddress
import itertools
import random
import threading
import time
import typing
import uuid
import weakref
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Annotated, Any

import attrs
import jax
import jax.numpy as jnp
import numpy as np
import pydantic
import pytest
from immutabledict import immutabledict

from jaxtyped_static import StaticContractError, check_static
from tests.runtime.hand_written_values import ByHand
from tests.runtime.static_values import Box, label


class Model(pydantic.BaseModel, frozen=True):
    n: int = 1
    _scale: Any = pydantic.PrivateAttr(default=1.0)

    def scaled(self, scale: Any) -> Model:
        made = self.model_copy()
        made._scale = scale  # type: ignore[misc]  # mypy takes it for a field of the frozen model.
        return made


class Open(pydantic.BaseModel, frozen=True, extra="allow"):
    n: int = 1


@attrs.frozen
class Noted:
    n: int
    note: Any = attrs.field(eq=False)


@dataclasses.dataclass(frozen=True)
class Partly:
    """Its `__eq__` leaves out a field."""

    n: Any
    m: Any = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partly) and self.n == other.n

    def __hash__(self) -> int:
        return hash(self.n)


@dataclasses.dataclass(frozen=True)
class Derived:
    """Keeps something beside its fields."""

    n: int

    def with_extra(self, extra: Any) -> Derived:
        made = copy.copy(self)
        object.__setattr__(made, "extra", extra)
        return made


class WithProperty(ByHand):
    """Compares a property."""

    a = property(lambda self: round(self._a))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WithProperty) and self.a == other.a

    __hash__ = ByHand.__hash__


class Exact(datetime.datetime):
    """Overrides what a key may not rely on, and has no attributes."""

    __slots__ = ()

    def isoformat(self, *_: Any, **__: Any) -> str:
        return "now"

    def replace(self, *_: Any, **__: Any) -> Any:
        raise TypeError("it is immutable")


class Days(datetime.timedelta):
    __slots__ = ()
    days = property(lambda self: 0)


class Ratio(fractions.Fraction):
    __slots__ = ()
    numerator = property(lambda self: 1)


class Unlisted(ByHand):
    """Python has used up its list of slots."""

    __slots__ = iter(["_more"])

    def __init__(self, more: Any) -> None:
        super().__init__(1)
        self._more = more


class Buffered(ByHand):
    def __init__(self, cache_len: int) -> None:
        super().__init__(1)
        self._cache_len = cache_len


def struct_time(zone: str) -> time.struct_time:
    return time.struct_time((2020, 1, 1, 0, 0, 0, 0, 1, 0, zone, 0))


Shape: Any = jax.ShapeDtypeStruct
# Releases of Python before 3.11.4 make one object of the two, which no program can tell apart.
ANNOTATED = [
    (Annotated[int, 1], Annotated[int, 1.0]),
    (list[Annotated[int, 1]], list[Annotated[int, 1.0]]),
]
DIFFERENT: list[tuple[Any, Any]] = [
    (Model(), Model().scaled(5.0)),
    (Model().scaled(1), Model().scaled(1.0)),
    (Open(k=1), Open(k=1.0)),  # type: ignore[call-arg]
    (Noted(1, 2), Noted(1, 3)),
    (Partly(1, 2), Partly(1, 3)),
    (Derived(1).with_extra(1), Derived(1).with_extra(2)),
    (Derived(1), Derived(1).with_extra(np.arange(3))),
    (ByHand(1, 2), ByHand(1, 3)),
    (ByHand([1]), ByHand([1.0])),
    (ByHand([ByHand(1)]), ByHand([ByHand(1.0)])),
    (ByHand({"a": {1}}), ByHand({"a": {True}})),
    (ByHand(1, np.float32(2)), ByHand(1, np.arange(2))),
    (ByHand(1, lambda x: x), ByHand(1, lambda x: 2 * x)),
    (ByHand(1, np.array([1, None], object)), ByHand(1, np.array([2, None], object))),
    (ByHand(1, np.array([1], object)), ByHand(1, np.array([1.0], object))),
    (ByHand(1, np.array([[1]], object)), ByHand(1, np.array([1], object))),
    (ByHand(1, random.Random(1)), ByHand(1, random.Random(2))),
    (ByHand(1, np.random.default_rng(1)), ByHand(1, np.random.default_rng(2))),
    (ByHand(1, np.random.RandomState(1)), ByHand(1, np.random.RandomState(2))),
    (ByHand(1, itertools.count(1)), ByHand(1, itertools.count(2))),
    (ByHand(1, iter([1])), ByHand(1, iter([2]))),
    (ByHand(1, itertools.chain([1])), ByHand(1, itertools.chain([2]))),
    (ByHand(1, (x for x in [1])), ByHand(1, (x for x in [2]))),
    (WithProperty(1.1), WithProperty(1.2)),
    *((one, other) for one, other in ANNOTATED if repr(one) != repr(other)),
    (int | str, str | int),
    (typing.ForwardRef("int"), typing.ForwardRef("int", is_class=True)),
    (uuid.UUID(int=1), uuid.UUID(int=1, is_safe=uuid.SafeUUID.safe)),
    (Shape((1,), "f4"), Shape((True,), "f4")),
    (struct_time("A"), struct_time("B")),
    (Exact(2020, 1, 1), Exact(2021, 1, 1)),
    (Days(1), Days(2)),
    (Ratio(1, 7), Ratio(2, 7)),
    (Unlisted(1), Unlisted(2)),
    (Buffered(1), Buffered(2)),
    (ByHand(1, deque([1], 1)), ByHand(1, deque([1], 2))),
    (ByHand(1, defaultdict(int)), ByHand(1, defaultdict(list))),
    (ByHand(1, jnp.asarray(1.0)), ByHand(1, jnp.float32(1.0))),
    (ByHand(1, jax.random.key(1, impl="rbg")), ByHand(1, jax.random.key(1, impl="unsafe_rbg"))),
    (ByHand(1, jnp.zeros(2, jnp.float8_e4m3fn)), ByHand(1, jnp.zeros(2, jnp.float8_e5m2))),
    (ByHand(1, np.zeros(1, [("a", "f4")])), ByHand(1, np.zeros(1, [("b", "f4")]))),
    (ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("10.0.0.0/9")),
    (ipaddress.ip_interface("10.0.0.1/8"), ipaddress.ip_interface("10.0.0.2/8")),
]


@pytest.mark.parametrize("pair", DIFFERENT, ids=label)
def test_values_that_a_program_can_tell_apart_are_different(pair: tuple[Any, Any]) -> None:
    one, other = pair
    assert Box(one) is Box(one) and Box(other) is Box(other)
    assert Box(one) is not Box(other)


class Settling(ByHand):
    """Its hash changes how it is stored."""

    def __init__(self, a: Any) -> None:
        super().__init__(a)
        self._is_sorted = False

    __eq__ = ByHand.__eq__

    def __hash__(self) -> int:
        self._is_sorted = True
        return hash(self._a)


SAME: list[Callable[[], Any]] = [
    lambda: Settling(1),
    lambda: Exact(2020, 1, 1),
    lambda: ipaddress.ip_network("fe80::/10"),
    lambda: ipaddress.ip_interface("10.0.0.1/8"),
    lambda: Model().scaled(2.0),
    lambda: Derived(1).with_extra((1, "a")),
    lambda: ByHand(1, [2, {"a": threading.Lock()}]),
    lambda: ByHand(1, lambda x: x),
    lambda: ByHand(1, np.array([1, None], object)),
    lambda: ByHand(1, random.Random(1)),
    lambda: ByHand(1, np.random.default_rng(1)),
    lambda: ByHand(1, np.random.RandomState(1)),
    lambda: ByHand(1, itertools.count(1)),
    lambda: ByHand(1, iter([1])),
    lambda: Annotated[int, ByHand(1)],
    lambda: struct_time("A"),
    lambda: immutabledict({"a": 1}),
    lambda: np.float64(1.5),
    lambda: np.str_("a"),
]


@pytest.mark.parametrize("make", SAME)
def test_values_made_alike_are_one(make: Callable[[], Any]) -> None:
    assert Box(make()) is Box(make())
    check_static(make())


def test_times_of_pandas_are_compared_with_their_units() -> None:
    pd = pytest.importorskip("pandas")
    for one, other in (
        (pd.Timestamp("2020").as_unit("s"), pd.Timestamp("2020").as_unit("ns")),
        (pd.Timedelta("1s").as_unit("s"), pd.Timedelta("1s").as_unit("ns")),
        (pd.Timestamp(1), pd.Timestamp(2)),
        (pd.Timestamp("2020-01-01 12:00", tz="UTC"), pd.Timestamp("2020-01-01 13:00", tz="Europe/Berlin")),
        (pd.Interval(0, 1), pd.Interval(0.0, 1.0)),
    ):
        assert Box(one) is Box(copy.deepcopy(one)) is not Box(other)
    assert Box(pd.NaT) is Box(pd.NaT)


def test_a_private_table_of_pandas_is_part_of_the_value() -> None:
    pd = pytest.importorskip("pandas")
    for table in (pd.Series, pd.DataFrame):
        for one, other in (([1], [2]), ([1, None], [2, None]), (["a"], ["b"])):
            box = Box(ByHand(1, table(one)))  # type: ignore[static-eq]
            assert box is Box(ByHand(1, table(one))) is not Box(ByHand(1, table(other)))  # type: ignore[static-eq]


class Reference(weakref.ref[Any]):
    """Holds what only C code can reach, and what cannot be pickled."""


def test_state_that_cannot_be_seen_is_refused() -> None:
    with pytest.raises(
        StaticContractError, match="Reference may hold state that its == ignores: it is written in C"
    ) as caught:
        Box(Reference(Derived(1)))
    assert caught.value.code == "static-eq"
