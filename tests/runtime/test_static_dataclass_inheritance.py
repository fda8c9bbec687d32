"""Static classes with abstract, generic, protocol and plain bases; and their subclasses."""

from __future__ import annotations

import abc
import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast

import pytest

from jaxtyped_static import static_dataclass
from tests.runtime.static_values import Solver

T = TypeVar("T")


@static_dataclass
class Base(abc.ABC):
    n: int

    @abc.abstractmethod
    def order(self) -> int: ...


@static_dataclass
class First(Base):
    def order(self) -> int:
        return self.n


@static_dataclass(slots=True)
class Second(First):
    extra: float = 0.0


class Renamed(First):
    """Not decorated: it only overrides methods."""

    LIMIT: ClassVar[int] = 3

    def order(self) -> int:
        return -self.n


def test_subclasses_are_different_classes() -> None:
    assert len({First(1), Second(1), Renamed(1), First(1)}) == 3
    assert First(1) is First(1) != Renamed(1) is Renamed(1)
    assert Second(1) is Second(1, 0.0) is not Second(1, -0.0)
    assert Renamed(1).order() == -1
    for value in (First(1), Second(1), Renamed(1)):
        assert isinstance(value, Base)
        assert pickle.loads(pickle.dumps(value)) is value is replace(value) is copy.deepcopy(value)
    with pytest.raises(TypeError, match="abstract"):
        Base(1)  # type: ignore[abstract]


def test_a_subclass_that_adds_state_must_be_decorated() -> None:
    class Field(First):
        more: int = 0

    class Init(First):
        def __init__(self, n: int) -> None: ...

    class Equal(First):
        def __eq__(self, other: object) -> bool:
            return True

    @dataclasses.dataclass(frozen=True)
    class Plain(First):
        more: int = 0

    class Both(First, Solver):  # type: ignore[misc]
        pass

    for cls, what in ((Field, "field 'more'"), (Init, "__init__"), (Equal, "__eq__"), (Plain, "__init__")):
        made = cast(Callable[[int], object], cls)
        with pytest.raises(TypeError, match=rf"{cls.__name__} adds .*{what} to the static class First; decorate it"):
            made(1)
    with pytest.raises(TypeError, match=r"Both adds the field 'order' to the static class First"):
        cast(Any, Both)(1)


def test_multiple_inheritance_generics_protocols_and_init_subclass() -> None:
    seen: list[type] = []

    class Registered:
        def __init_subclass__(cls, **options: Any) -> None:
            super().__init_subclass__()
            seen.append(cls)

    class Ordered(Protocol):
        n: int

    @static_dataclass
    class Pair(Registered, Generic[T]):
        a: T
        n: int = 0

    @static_dataclass
    class Third(Pair[int], Ordered):
        b: int = 1

    assert seen == [Pair, Third]
    assert Pair[int](1) is Pair(1)
    assert Third(1) is Third(1, 0, 1) != Pair(1)
    assert hash(Third(1)) == object.__hash__(Third(1))


def test_a_value_equality_of_a_base_is_replaced() -> None:
    @dataclasses.dataclass(frozen=True)
    class Plain:
        x: float

    @static_dataclass
    class Made(Plain):
        y: int = 0

    assert Made(1.0) is Made(1.0)
    assert Made(0.0) != Made(-0.0)
    assert Made(1.0) != Plain(1.0) != Made(1.0)
