"""Subclasses of dynamic classes, and other bases of a class."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar, cast

import jax
import jax.numpy as jnp
import pytest

from jaxtyped_static import Static, dynamic_dataclass, static_dataclass
from tests.runtime.dynamic_values import Leaves, State, structure
from tests.runtime.test_dynamic_dataclass_definitions import refused

T = TypeVar("T")


@dynamic_dataclass
class Shape(abc.ABC):
    x: Any
    n: Static[int]

    @abc.abstractmethod
    def area(self) -> Any: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", self.n + 1)


@dynamic_dataclass
class Square(Shape):
    name: Static[str] = "square"

    def area(self) -> Any:
        return self.x**2

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "name", self.name.upper())


@dynamic_dataclass
class Cube(Square):
    y: Any = 0


def test_subclasses_are_different_classes() -> None:
    square, cube = Square(3, 1), Cube(3, 1)
    assert (square.n, square.name, cube.n, cube.name) == (2, "SQUARE", 2, "SQUARE")
    assert structure(square) == structure(Square(4, 1, "Square"))
    assert jax.tree.leaves(cube) == [3, 0]
    assert jax.jit(lambda shape: shape.area())(cube) == 9
    with pytest.raises(TypeError, match="abstract"):
        Shape(1, 2)  # type: ignore[abstract]


def test_generics_protocols_mixins_and_init_subclass() -> None:
    seen: list[type] = []

    class Registered:
        def __init_subclass__(cls, **options: Any) -> None:
            super().__init_subclass__()
            seen.append(cls)

    class Sized(Protocol):
        n: int

    @dynamic_dataclass
    class Base(Registered, Generic[T]):
        a: T
        n: Static[int] = 0

    @dynamic_dataclass
    class Sub(Base[int], Sized):
        b: Any = 1

    assert seen == [Base, Sub]
    assert jax.tree.map(lambda x: x + 1, Base[int](1)) == Base(2)
    assert jax.tree.leaves(Sub(1)) == [1, 1]


def test_a_subclass_without_the_decorator_is_refused_where_it_is_made() -> None:
    class Sub(State):
        pass

    class Init(State):
        def __init__(self) -> None:
            super().__init__(jnp.ones(1), cast(Any, 1))

    @dataclasses.dataclass(frozen=True)
    class Plain(State):
        more: int = 0

    @static_dataclass
    class AsStatic(Leaves):
        pass

    for cls in (lambda: Sub(1, 2), Init, lambda: Plain(1, 2), lambda: AsStatic(1)):  # type: ignore[arg-type]
        refused(
            r"\w+ is not registered as a pytree, though (State|Leaves) is; decorate it with @dynamic_dataclass",
            cast(Callable[[], object], cls),
        )
