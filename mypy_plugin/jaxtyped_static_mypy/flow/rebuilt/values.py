"""The values in a function that takes a pytree apart, or rebuilds it, as far as the source writes them out."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mypy.nodes import CallExpr, TypeInfo


class Value:
    """A value of which nothing is known."""


@dataclass(frozen=True)
class Nothing(Value):
    """`None`."""


@dataclass(frozen=True)
class Attribute(Value):
    """An attribute of the object, unchanged."""

    name: str


@dataclass(frozen=True)
class Items(Value):
    """A tuple or list, all items of which are written out."""

    values: tuple[Value, ...]
    is_tuple: bool = True


@dataclass(frozen=True)
class Entries(Value):
    """A dict, all keys of which are written out."""

    values: Mapping[str, Value]


@dataclass(frozen=True)
class Class(Value):
    """A class of the program."""

    info: TypeInfo


@dataclass(frozen=True)
class Object(Value):
    """What is taken apart."""


@dataclass(eq=False)
class New(Value):
    """An object that is made to hold the values, and the attributes that it is given afterwards."""

    info: TypeInfo
    call: CallExpr | None = None  # of the constructor, if that makes it
    attributes: dict[str, Value] = field(default_factory=dict)
    is_seen: bool = True  # nothing else may have changed it


UNKNOWN = Value()
NOTHING = Nothing()


def joined(one: Value, other: Value) -> Value:
    """A value that is one or the other."""
    if one == other:
        return one
    if isinstance(one, Items) and isinstance(other, Items) and len(one.values) == len(other.values):
        values = (joined(left, right) for left, right in zip(one.values, other.values, strict=True))
        return Items(tuple(values), is_tuple=one.is_tuple and other.is_tuple)
    return UNKNOWN
