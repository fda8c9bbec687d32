"""Attributes that are set by force, past the constructor, or by a frozen class, are found when a value is used."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import Any

import attrs
import jax
import pytest

from jaxtyped_static import Static, StaticContractError, check_static, guard, jit
from jaxtyped_static.testing import check_static_type
from tests.runtime.computed_attributes import Grid, refused
from tests.runtime.static_values import Box

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
