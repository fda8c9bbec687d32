"""The checker's own `dataclass` and `NamedTuple` define what Python's define."""

import dataclasses
import pickle
import typing
from typing import Any, Generic, TypeVar

import pytest

from jaxtyped_static_mypy.records import NamedTuple, dataclass

T = TypeVar("T")


class Point(NamedTuple):
    """A point."""

    x: int
    y: int = 0

    @property
    def total(self) -> int:
        return self.x + self.y

    @classmethod
    def at(cls, place: int) -> "Point":
        return cls(place, y=place)


class Empty(NamedTuple):
    pass


class Box(NamedTuple, Generic[T]):
    content: T


@dataclass(frozen=True)
class Value:
    name: str
    note: str = dataclasses.field(default="", compare=False)


@dataclass(frozen=True)
class Other:
    name: str
    note: str = ""


@dataclass
class Open:
    names: list[str] = dataclasses.field(default_factory=list)


@dataclass(eq=False)
class Single:
    last: int


def test_a_named_tuple_is_made_as_pythons_is() -> None:
    assert Point(1) == (1, 0) == Point(x=1) == Point(y=0, x=1)
    assert Point.at(2)._replace(x=5) == (2 + 3, 2)
    assert Point._make([1, 2]).total == 3
    assert (Point._fields, Point._field_defaults, Point.__doc__) == (("x", "y"), {"y": 0}, "A point.")
    assert (repr(Point(1)), Point(1)._asdict()) == ("Point(x=1, y=0)", {"x": 1, "y": 0})
    assert pickle.loads(pickle.dumps(Point(3))) == Point(3)
    assert isinstance(pickle.loads(pickle.dumps(Point(3))), Point)
    assert (Empty(), Box("a").content, hash(Point(1))) == ((), "a", hash((1, 0)))
    match Point(1, 2):
        case Point(1, y):
            assert y == 2


@pytest.mark.parametrize("arguments", [{}, {"y": 1}, {"x": 1, "z": 1}], ids=str)
def test_a_named_tuple_refuses_what_pythons_refuses(arguments: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="argument"):
        Point(**arguments)


def test_a_named_tuple_has_no_attributes_but_its_fields() -> None:
    assert not hasattr(Point(1), "__dict__")
    missing = {name for name in dir(typing.NamedTuple("Python", [("x", int)])) if not hasattr(Point, name)}
    assert missing <= {"__orig_bases__"}


def test_dataclasses_compare_and_show_what_pythons_do() -> None:
    assert Value("a", "b") == Value("a")
    assert Value("a") != Value("b")
    other: object = Other("a")
    assert Value("a") != other
    assert hash(Value("a", "b")) == hash(Value("a"))
    assert dataclasses.replace(Value("a"), name="b") == Value("b")
    assert repr(Value("a")) == "Value(name='a', note='')"
    assert Open(["a"]) == Open(["a"])
    with pytest.raises(TypeError, match="unhashable"):
        hash(Open())
    assert Single(last=1) != Single(last=1)
