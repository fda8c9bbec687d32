"""A static class refuses what it cannot keep, or computes what a plain dataclass computes."""

from __future__ import annotations

import gc
import math
from collections.abc import Callable
from dataclasses import InitVar, dataclass
from typing import Any, NamedTuple

import jax
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxtyped_static import StaticContractError, field, static_dataclass


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
