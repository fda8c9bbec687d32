"""Keys are as fine as what a program can tell apart: each value gets its own number, or is refused."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import datetime
import decimal
import fractions
import ipaddress
import itertools
import math
import pathlib
import random
import threading
import time
import typing
import uuid
import weakref
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Annotated, Any, Final

import attrs
import flax.core
import jax
import jax.numpy as jnp
import numpy as np
import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from immutabledict import immutabledict

from jaxtyped_static import Static, StaticContractError, check_static, dynamic_dataclass, guard, jit
from tests.runtime.guarded_values import unseen
from tests.runtime.static_values import Box, label

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


@dynamic_dataclass
class State:
    x: jax.Array
    config: Static[Any]


def compiled(function: Any, *static: str) -> Any:
    return unseen(jit)(function, static_argnames=static)


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


class ByHand:
    def __init__(self, a: Any, b: Any = 0) -> None:
        self._a, self._b = a, b

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._a == other._a

    def __hash__(self) -> int:
        return hash(type(self))


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


# NaN


@dataclasses.dataclass(frozen=True)
class Holder:
    item: Any


@pytest.mark.parametrize(
    "make",
    [
        lambda: WithHash(float("nan")),
        lambda: WithHash((float("nan"), 1)),
        lambda: WithHash(WithHash(float("nan"))),
        lambda: WithHash(Holder(float("nan"))),
        lambda: Holder(WithHash(float("nan"))),
        lambda: WithHash(complex(math.nan, 0)),
    ],
)
def test_nan_in_a_hand_written_class_is_one_value(make: Callable[[], Any]) -> None:
    traces: list[Any] = []

    def body(x: Any, box: Any) -> Any:
        traces.append(box)
        return x

    program = compiled(body, "box")
    for _ in range(3):
        program(1.0, Box(make()))
    assert len(traces) == 1 and Box(make()) is not Box(unseen(WithHash(1.0)))


class WithHash(ByHand):
    __eq__ = ByHand.__eq__

    def __hash__(self) -> int:
        return hash(self._a)


class Unique(ByHand):
    """Distinguishes objects by more than their attributes."""

    def __init__(self, a: Any) -> None:
        super().__init__(a)
        NUMBERS_OF[id(self)] = len(NUMBERS_OF)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unique) and NUMBERS_OF[id(self)] == NUMBERS_OF[id(other)]

    __hash__ = ByHand.__hash__


NUMBERS_OF: dict[int, int] = {}


def test_what_the_own_equality_distinguishes_stays_distinct() -> None:
    one, other = unseen(Unique(1)), unseen(Unique(1))
    assert Box(one) is Box(one) is not Box(other)


# Values that change


@pytest.mark.parametrize("cls", [ByHand, WithHash])
def test_a_changed_copy_does_not_pass_its_program_on(cls: Any) -> None:
    program = compiled(lambda x, box: x * box.item._a, "box")
    value = cls(1.0)
    copied = copy.copy(value)
    assert program(1.0, Box(copied)) == 1
    copied._a = 5.0
    numbers = [float(program(1.0, Box(each))) for each in (value, cls(1.0), cls(5.0), copied, value, cls(5.0))]
    assert numbers == [1, 1, 5, 5, 1, 5]


@pytest.mark.parametrize("cls", [ByHand, WithHash])
def test_a_changed_value_in_a_new_pytree_gets_a_program_of_its_own(cls: Any) -> None:
    program = compiled(lambda state: state.x * state.config._a)
    value, x = cls(1.0), jnp.ones(())
    kept = State(x, value)
    assert program(kept) == program(State(x, value)) == 1
    value._a = 7.0
    numbers = [float(program(state)) for state in (State(x, value), kept, State(x, cls(1.0)), State(x, cls(7.0)))]
    assert numbers == [7, 7, 1, 7]


def test_a_changed_copy_of_a_static_object_does_not_either() -> None:
    program = compiled(lambda x, box: x * box.item, "box")
    copied = copy.copy(Box(1.0))
    assert program(1.0, copied) == 1
    object.__setattr__(copied, "item", 5.0)
    assert program(1.0, Box(5.0)) == 5
    assert program(1.0, Box(1.0)) == 1
    assert copied not in (Box(1.0), Box(5.0))


class Lazy(ByHand):
    """Computes on first use, and keeps the result."""

    def __init__(self, a: Any) -> None:
        super().__init__(a)
        self._table: dict[str, Any] = {}
        self._norm: Any = None

    def norm(self) -> Any:
        self._norm, self._later = np.ones(3), 1
        self._table["norm"] = 1
        return self._a


def test_what_an_object_computes_later_costs_no_compilation_on_each_call() -> None:
    traces: list[Any] = []

    def body(x: Any, box: Any) -> Any:
        traces.append(box)
        return x * (box.item if type(box) is Box else box).norm()

    for hold in (Box, unseen):
        traces.clear()
        program = compiled(body, "box")
        with guard():
            for _ in range(5):
                assert program(1.0, hold(unseen(Lazy(2.0)))) == 2
        assert len(traces) == 1


def test_a_pytree_keeps_its_structure_while_a_memo_of_its_value_is_filled() -> None:
    def double(state: Any, _: object) -> tuple[Any, None]:
        return State(state.x * state.config.norm(), state.config), None

    value = unseen(Lazy(2.0))
    last, _ = jax.lax.scan(double, State(jnp.ones(()), value), length=3)
    assert last.x == 8
    other = unseen(Lazy(3.0))  # No other object is equal to it.
    before: Any = jax.tree.structure(State(jnp.ones(()), other))
    other.norm()
    assert before == jax.tree.structure(State(jnp.ones(()), other))


class Node(ByHand):
    """Knows its neighbours, which know it."""

    def __init__(self, a: Any) -> None:
        super().__init__(a)
        self._neighbours: list[Node] = []


def network(numbers: Any) -> Any:
    nodes = [Node(number) for number in numbers]
    for node in nodes:
        node._neighbours += nodes
    return nodes[0]


def test_a_network_of_private_objects_is_one_value_and_is_visited_once() -> None:
    boxes = [Box(network(numbers)) for numbers in (range(40), range(40), map(float, range(40)))]
    assert boxes[0] is boxes[1] is not boxes[2]
