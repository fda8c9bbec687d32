"""A field that is neither passed nor compared holds what follows from the others, so it may be a memo."""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from typing import Any

import attrs
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyped_static import Static, StaticContractError, check_static, dynamic_dataclass, guard, jit
from tests.runtime.guarded_values import unseen
from tests.runtime.static_values import Box


@dynamic_dataclass
class State:
    x: jax.Array
    config: Static[Any]


@dataclass(frozen=True)
class Tables:
    n: int
    _cache: dict[str, Any] = field(init=False, compare=False, default_factory=dict)
    _table: dict[str, Any] = field(init=False, compare=False, default_factory=dict)
    _norm: Any = field(init=False, compare=False, default=None)
    squared: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "squared", self.n**2)

    def filled(self) -> Tables:
        self._table["a"] = self._cache["a"] = np.arange(self.n)
        object.__setattr__(self, "_norm", np.ones(self.n))
        return self


@attrs.frozen
class AttrsTables:
    n: int
    _cache: dict[str, Any] = attrs.field(init=False, factory=dict, eq=False)
    squared: int = attrs.field(init=False, eq=False)

    @squared.default
    def _square(self) -> int:
        return self.n**2

    def filled(self) -> AttrsTables:
        self._cache["a"] = np.arange(self.n)
        return self


@pytest.mark.parametrize("cls", [Tables, AttrsTables])
def test_a_field_that_is_a_memo_is_no_part_of_the_value(cls: Any) -> None:
    program = unseen(jit)(lambda x, box: x * box.item.filled().squared, static_argnames=("box",))
    value = cls(2)
    box = Box(value)
    assert Box(cls(2)) is box is not Box(cls(3))
    with guard():
        assert program(1.0, box) == program(1.0, Box(cls(2))) == 4
    value.filled()
    for each in (value, box, cls(2), State(jnp.int32(1), value)):
        check_static(each.config if isinstance(each, State) else each)


@dataclass(frozen=True)
class Scaled:
    n: int
    scale: InitVar[float] = 1.0
    _cache: Any = field(init=False, compare=False, default=None)

    def __post_init__(self, scale: float) -> None:
        object.__setattr__(self, "_cache", scale)


def test_a_field_that_equal_values_may_differ_in_is_no_memo() -> None:
    one, other = unseen(Scaled(1, 2.0)), unseen(Scaled(1, 3.0))
    assert Box(one) is not Box(other)
    with pytest.raises(StaticContractError, match=r"Scaled\._cache: .* the field is not compared"):
        check_static(one)
