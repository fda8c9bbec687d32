"""What a static class keeps beside its fields: nothing that its own code sets while an object is made, but caches."""

from __future__ import annotations

import copy
import gc
import math
import pickle
from collections.abc import Callable
from dataclasses import InitVar, dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import attrs
import jax
import jax.numpy as jnp
import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxtyped_static import (
    Static,
    StaticContractError,
    check_static,
    dynamic_dataclass,
    field,
    guard,
    jit,
    static_dataclass,
)
from jaxtyped_static.testing import check_static_type
from tests.runtime.static_values import Box

msgspec: Any = pytest.importorskip("msgspec")
cattrs: Any = pytest.importorskip("cattrs")

T = TypeVar("T")
NOT_A_FIELD = r"was set, but is not a field: .* declare it as a field, .* or make it a property  \[static-eq\]"


def refused(call: Callable[[], object], name: str) -> StaticContractError:
    with pytest.raises(StaticContractError, match=rf"{name} {NOT_A_FIELD}") as caught:
        call()
    assert caught.value.code == "static-eq"
    return caught.value


# Refused


SCALE = 2.0


def of_init_var(self: Any, length: float = 1.0) -> None:
    object.__setattr__(self, "dx", length)


def of_global(self: Any, *_: float) -> None:
    object.__setattr__(self, "dx", SCALE)


def of_dtype(self: Any, *_: float) -> None:
    object.__setattr__(self, "dx", jnp.result_type(float))


def a_list(self: Any, *_: float) -> None:
    self.__dict__["dx"] = [1]


def an_array(self: Any, *_: float) -> None:
    object.__setattr__(self, "dx", jnp.arange(3))


def private(self: Any, *_: float) -> None:
    object.__setattr__(self, "dx", None)


@pytest.mark.parametrize("post_init", [of_init_var, of_global, of_dtype, a_list, an_array, private])
def test_code_of_the_class_may_set_only_fields(post_init: Callable[..., None]) -> None:
    @static_dataclass
    class Grid:
        cells: int
        length: InitVar[float] = 1.0

        __post_init__ = post_init  # type: ignore[misc]

    for _ in range(2):
        refused(lambda: Grid(4, 8.0), r"Grid\.dx")
    with pytest.raises(StaticContractError, match=r"Grid\.dx was set"):
        check_static_type(Grid, map(Grid, (1, 2)))


def test_wherever_it_is_set() -> None:
    class Mixin:
        def __post_init__(self, *_: object) -> None:
            object.__setattr__(self, "mixed", 1)

    class Base:
        __slots__ = ("kept",)

        def __init__(self) -> None:
            object.__setattr__(self, "kept", 1)

    @static_dataclass
    class Mixed(Mixin):  # type: ignore[static-eq]
        n: int

    @static_dataclass
    class ByHand(Base):  # type: ignore[static-eq]
        n: int

        def __init__(self, n: int) -> None:
            super().__init__()
            object.__setattr__(self, "n", n)

    @static_dataclass(slots=True)
    class Slotted(Mixin):  # type: ignore[static-eq]
        n: int

    @static_dataclass
    class Finer(Box):
        length: InitVar[float]

        def __post_init__(self, length: float) -> None:
            object.__setattr__(self, "length", length)  # type: ignore[static-eq]

    refused(lambda: Mixed(1), r"Mixed\.mixed")
    refused(lambda: ByHand(1), r"ByHand\.kept")
    refused(lambda: Slotted(1), r"Slotted\.mixed")
    error = refused(lambda: Finer(1, 2.0), r"Finer\.length")
    assert error.advice == "declare it as a field, `length: ...` instead of an InitVar, or make it a property"


def test_an_empty_memo_and_a_lock_are_told_the_way_that_works() -> None:
    """Declared as fields, they would be refused once more. `tests/rules/advice-static-eq.md` has the same words."""

    @static_dataclass
    class Grid:
        cells: int

        def __post_init__(self) -> None:
            object.__setattr__(self, "_cache", {})  # type: ignore[static-eq]

    assert refused(lambda: Grid(1), r"Grid\._cache").advice == (
        "declare it as a field, `_cache: ... = field(init=False)`, a cache or a lock as "
        "`_cache: ClassVar[... | None] = None` that a method sets when it needs it, or make it a property"
    )


def test_a_dynamic_class_says_the_same() -> None:
    @dynamic_dataclass
    class Grid:
        cells: int

        def __post_init__(self) -> None:
            object.__setattr__(self, "dx", 1 / self.cells)

    with pytest.raises(TypeError, match=r"Grid\.dx was set, but is not a field: the first jit, .* `dx: \.\.\. = field"):
        Grid(4)


def test_a_tracer_does_not_stay_in_a_value() -> None:
    @static_dataclass
    class Table:
        n: int

        def __post_init__(self) -> None:
            object.__setattr__(self, "total", jnp.arange(self.n).sum())  # type: ignore[static-eq]

    inner = jax.jit(lambda x, table: x + table.total, static_argnums=1)
    refused(lambda: jax.jit(lambda x: inner(x, Table(11)))(1.0), r"Table\.total")


# The way out


@static_dataclass
class Grid:
    cells: int
    length: InitVar[float] = 1.0
    dx: float = field(init=False)

    def __post_init__(self, length: float) -> None:
        object.__setattr__(self, "dx", length / self.cells)


def test_as_a_field_each_value_has_its_own() -> None:
    program = jax.jit(lambda x, grid: x * grid.dx, static_argnums=1)
    one, other = Grid(4, 1.0), Grid(4, 8.0)
    assert one is not other and one != other and Grid(4, 8.0) is other
    assert (program(1.0, one), program(1.0, other)) == (0.25, 2.0)
    assert replace(other) is Grid(4) and replace(other, length=8.0) is other
    assert pickle.loads(pickle.dumps(other)) is other is copy.deepcopy(other)
    del one, other
    gc.collect()
    assert program(1.0, Grid(4, 8.0)) == 2.0
    check_static_type(Grid, [Grid(4), Grid(4, 8.0), Grid(2, 8.0)])


@static_dataclass
class Square:
    side: float
    area: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "area", self.side**2)


MAKERS: dict[str, Callable[[], Square]] = {
    "cls.__new__": lambda: Square.__new__(Square),
    "object.__new__": lambda: object.__new__(Square),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_the_shared_object_of_one_without_computed_fields_has_them(make: Callable[[], Square]) -> None:
    made = make()
    object.__setattr__(made, "side", 3.0)
    assert made == Square(3.0) and hash(made) == hash(Square(3.0))
    assert Box(made).item is Square(3.0) and Box(made).item.area == 9.0


def test_libraries_compute_the_fields() -> None:
    for made in (
        pydantic.TypeAdapter(Square).validate_python({"side": 3.0}),
        cattrs.structure({"side": 3.0}, Square),
    ):
        assert made is Square(3.0) and made.area == 9.0


def test_a_generic_class_is_told_its_argument() -> None:
    @static_dataclass
    class Of(Generic[T]):
        item: T

        def __post_init__(self) -> None: ...

    assert Of[int](1) is Of(1)
    check_static(Of[int](1))


def test_a_descriptor_may_store_the_value_of_its_field() -> None:
    class Absolute:
        def __set_name__(self, owner: type, name: str) -> None:
            self.name = f"stored_{name}"

        def __get__(self, instance: Any, owner: type) -> Any:
            return 0 if instance is None else getattr(instance, self.name)

        def __set__(self, instance: Any, value: int) -> None:
            object.__setattr__(instance, self.name, abs(value))

    @static_dataclass
    class Distance:
        length: Any = Absolute()  # type: ignore[static-mutable]
        extra: InitVar[bool] = False

        def __post_init__(self, extra: bool) -> None:
            if extra:
                object.__setattr__(self, "other", 1)  # type: ignore[static-eq]

    made: Any = Distance
    assert made(-1) is made(1) and made(-2).length == 2
    check_static(made(-1))
    refused(lambda: made(1, True), r"Distance\.other")


# Caches


@static_dataclass
class Cached:
    n: int
    offset: InitVar[int] = 0
    _memo: ClassVar[int | None] = None

    def __post_init__(self, offset: int) -> None:
        if offset:
            self.__dict__["squares"] = (offset,)
        assert self.doubled == 2 * self.n

    @cached_property
    def doubled(self) -> int:
        return 2 * self.n

    @cached_property
    def squares(self) -> tuple[int, ...]:
        return tuple(k**2 for k in range(self.n))

    @lru_cache  # noqa: B019
    def cubed(self) -> int:
        return self.n**3

    def tripled(self) -> int:
        if self._memo is None:
            object.__setattr__(self, "_memo", 3 * self.n)
        return 3 * self.n

    def halved(self) -> float:
        if "half" not in self.__dict__:
            object.__setattr__(self, "half", self.n / 2)
        return float(self.__dict__["half"])

    @classmethod
    def hidden(cls, n: int, value: int) -> Cached:
        made = cls.__new__(cls)
        object.__setattr__(made, "n", n)
        object.__setattr__(made, "_hidden", value)
        return made


def test_caches_are_filled_later() -> None:
    value = Cached(3)
    assert (value.doubled, value.squares, value.cubed(), value.tripled(), value.halved()) == (6, (0, 1, 4), 27, 9, 1.5)
    assert Cached(3) is value
    for holder in (value, Box(value), (1, (value,)), copy.copy(value)):
        check_static(holder)
    private = copy.copy(value)
    assert private.__dict__ == {"n": 3}
    assert private.tripled() == 9 and private.halved() == 1.5 and private.doubled == 6
    check_static(private)
    assert Box(private).item is value and hash(private) == hash(value)
    assert pickle.loads(pickle.dumps(value)) is value
    check_static_type(Cached, [value, Cached(4), private])


def test_a_cache_filled_while_an_object_is_made_is_computed_again_from_its_fields() -> None:
    value = Cached(2, 5)
    assert value.__dict__ == {"n": 2}
    assert value.squares == (0, 1) and Cached(2) is value


class Reify:
    """Replaces itself by what it computes, as in Pyramid."""

    def __init__(self, compute: Callable[[Any], Any]) -> None:
        self.compute = compute

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        return instance.__dict__.setdefault(self.compute.__name__, self.compute(instance))


def memoised(method: Callable[[Any], Any]) -> Callable[[Any], Any]:
    name = f"memo_{method.__name__}"

    def look_up(self: Any) -> Any:
        if not hasattr(self, name):
            object.__setattr__(self, name, method(self))
        return getattr(self, name)

    return look_up


@static_dataclass
class CachedByOthers:
    n: int

    def __post_init__(self) -> None:
        assert self.doubled == 2 * self.n

    doubled = Reify(lambda self: 2 * self.n)
    doubled.compute.__name__ = "doubled"
    tripled = memoised(lambda self: 3 * self.n)


def test_caches_of_decorators_of_other_libraries_are_filled_later() -> None:
    value = CachedByOthers(3)
    assert value.__dict__ == {"n": 3}
    for each in (value, copy.copy(value)):
        assert (each.doubled, each.tripled()) == (6, 9) and len(each.__dict__) == 3
        check_static((each,))
        assert hash(each) == hash(value) and Box(each).item is value


# Objects that bypass the constructor, and attributes set by force


def test_a_private_object_is_refused_when_it_is_shared() -> None:
    made = object.__new__(Grid)
    object.__setattr__(made, "cells", 4)
    object.__setattr__(made, "dx", 8.0)
    assert Box(made).item.dx == 8.0
    object.__setattr__(made, "colour", "red")
    for call in (lambda: Box(made), lambda: check_static(made), lambda: hash(made)):
        refused(call, r"Grid\.colour")
    with pytest.raises(ValueError, match=r"Grid\.colour was set, but is not a field"):
        jax.jit(lambda x, value: x, static_argnums=1)(1.0, made)
    refused(lambda: check_static((Cached.hidden(3, 1),)), r"Cached\._hidden")
    refused(lambda: hash(Cached.hidden(3, 1)), r"Cached\._hidden")


@jit
def step(x: Any, grid: Static[Grid]) -> Any:
    return x


def test_an_attribute_set_by_force_is_found() -> None:
    value = Grid(16)
    object.__setattr__(value, "colour", "red")
    error = refused(lambda: check_static((1, Box(value))), r"value\[1\]\.item: Grid\.colour")
    assert error.path == "value[1].item"
    with guard():
        refused(lambda: step(1.0, value), r'step\(\): argument "grid": Grid\.colour')
    del value.__dict__["colour"]
    check_static(value)


# Frozen classes


@dataclass(frozen=True)
class Plain:
    cells: int
    length: InitVar[float] = 1.0

    def __post_init__(self, length: float) -> None:
        object.__setattr__(self, "dx", length / self.cells)


class Lengths:
    """Divides into a list."""

    def __truediv__(self, other: object) -> list[object]:
        return [other]


@attrs.frozen(slots=False, init=False)
class ByAttrs:
    n: int

    def __init__(self, n: int, scale: float) -> None:
        self.__attrs_init__(n)
        object.__setattr__(self, "scaled", n * scale)


@dataclass(frozen=True)
class OfFields:
    cells: int
    length: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "dx", self.length / self.cells)


def test_an_attribute_that_equal_frozen_objects_may_differ_in() -> None:
    refused(lambda: check_static(Plain(4)), r"Plain\.dx")
    refused(lambda: check_static(ByAttrs(4, 2.0)), r"ByAttrs\.scaled")
    assert refused(lambda: check_static((Plain(4),)), r"value\[0\]: Plain\.dx").path == "value[0]"
    check_static(OfFields(4, 8.0))


def test_a_static_class_distinguishes_what_a_frozen_one_does_not_compare() -> None:
    assert Box(Plain(4)) is Box(Plain(4)) is not Box(Plain(4, 8.0))  # type: ignore[static-eq]
    assert Box((ByAttrs(4, 2.0),)).item[0].scaled == 8.0 != Box((ByAttrs(4, 3.0),)).item[0].scaled  # type: ignore[static-eq]
    table: Any = Plain
    with pytest.raises(StaticContractError, match=r"Box\.item\.dx: list is mutable"):
        Box(table(1, Lengths()))


def test_examples_show_it_without_source() -> None:
    namespace: dict[str, Any] = {"__name__": __name__}
    exec("import itertools\nnumbers = itertools.count()", namespace)
    exec("def __post_init__(self): object.__setattr__(self, 'number', next(numbers))", namespace)
    numbered: Any = dataclass(frozen=True)(
        type("Numbered", (), {"__annotations__": {"n": int}, "__post_init__": namespace["__post_init__"]})
    )
    check_static(numbered(1))
    refused(lambda: check_static_type(numbered, [numbered(1), numbered(1)]), r"Numbered\.number")
    check_static_type(OfFields, [OfFields(4, 8.0), OfFields(4, 8.0), OfFields(2, 8.0)])


# Generated classes


class Attribute(NamedTuple):
    """An attribute that a generated class computes, and from what; None stands for the global."""

    name: str
    is_declared: bool
    sources: tuple[int | None, ...]


class Spec(NamedTuple):
    fields: int
    init_vars: int
    attributes: tuple[Attribute, ...]
    by_init: bool


def specs() -> st.SearchStrategy[Spec]:
    sources = st.lists(st.one_of(st.none(), st.integers(0, 3)), min_size=1, max_size=2).map(tuple)
    names = st.sampled_from(["dx", "_scale", "table"])
    listed = st.lists(st.builds(Attribute, names, st.booleans(), sources), max_size=2, unique_by=lambda each: each.name)
    return st.builds(Spec, st.integers(1, 2), st.integers(0, 2), listed.map(tuple), st.booleans())


def made_class(spec: Spec, state: list[float], decorate: Callable[[Any], Any]) -> Any:
    """Returns a class as specified. Its constructor takes the fields, then the InitVars."""
    fields = [f"x{number}" for number in range(spec.fields)]
    passed = [f"v{number}" for number in range(spec.init_vars)]

    def fill(self: Any, *arguments: float) -> None:
        for each in spec.attributes:
            numbers = [state[0] if at is None else arguments[at % len(arguments)] for at in each.sources]
            object.__setattr__(self, each.name, math.fsum(numbers))

    def __post_init__(self: Any, *arguments: float) -> None:
        fill(self, *(getattr(self, name) for name in fields), *arguments)

    def __init__(self: Any, *arguments: float) -> None:
        for name, value in zip(fields, arguments, strict=False):
            object.__setattr__(self, name, value)
        fill(self, *arguments)

    annotations = dict.fromkeys(fields, float) | dict.fromkeys(passed, InitVar[float])
    declared = {each.name: field(init=False) for each in spec.attributes if each.is_declared}
    method = __init__ if spec.by_init else __post_init__
    body = {"__annotations__": annotations | dict.fromkeys(declared, float), method.__name__: method, **declared}
    return decorate(type("Made", (), body))


NUMBERS = st.sampled_from([0.5, 1.0, 2.0, 8.0])


@settings(max_examples=30, deadline=None)
@given(specs(), st.lists(st.tuples(st.lists(NUMBERS, min_size=4, max_size=4), st.booleans(), NUMBERS), max_size=4))
def test_a_static_class_refuses_or_gives_the_numbers_of_a_plain_one(
    spec: Spec, steps: list[tuple[list[float], bool, float]]
) -> None:
    state = [1.0]
    plain = made_class(spec, state, dataclass(frozen=True, eq=False))
    static = made_class(spec, state, static_dataclass)
    names = [*(f"x{number}" for number in range(spec.fields)), *(each.name for each in spec.attributes)]
    program = jax.jit(
        lambda x, value: x * sum((k + 2) ** 3 * getattr(value, n) for k, n in enumerate(names)), static_argnums=1
    )
    kept: list[Any] = []
    for numbers, keeps, scale in steps:
        state[0] = scale
        arguments = numbers[: spec.fields + spec.init_vars]
        if not all(each.is_declared for each in spec.attributes):
            with pytest.raises(StaticContractError, match="was set, but is not a field"):
                static(*arguments)
            continue
        value, expected = static(*arguments), plain(*arguments)
        assert [getattr(value, name) for name in names] == [getattr(expected, name) for name in names]
        assert program(1.0, value) == program(1.0, expected)
        kept = [*kept, value] if keeps else []
        del value
        if not keeps:
            gc.collect()
