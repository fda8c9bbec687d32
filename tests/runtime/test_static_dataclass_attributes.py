"""What a static class keeps beside its fields: nothing that its own code sets while an object is made, but caches."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Callable
from dataclasses import InitVar, replace
from typing import Any, Generic, TypeVar

import jax
import jax.numpy as jnp
import pydantic
import pytest

from jaxtyped_static import StaticContractError, check_static, dynamic_dataclass, field, static_dataclass
from jaxtyped_static.testing import check_static_type
from tests.runtime.computed_attributes import Grid, refused
from tests.runtime.static_values import Box

cattrs: Any = pytest.importorskip("cattrs")

T = TypeVar("T")


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
