"""The guard uses the name of an attribute only if the attribute is not declared; and it looks into enum members."""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import attrs
import numpy as np
import pydantic
import pytest

from jaxtyped_static import Static, StaticContractError, check_static, guard, jit, static_dataclass
from tests.runtime.guarded_values import Model, Registry, refusal, set_anyway, unseen
from tests.runtime.static_values import Box, minmod


def same_hash(_: Any) -> int:
    """Stays what it was when a value changes: some versions of JAX trace again for another hash."""
    return 1


@dataclass(frozen=True)
class Frozen:
    cache_len: int
    hash_size: int = 1

    __hash__ = same_hash


@static_dataclass
class Interned:
    cache_len: int


@attrs.frozen
class Attrs:
    cache_len: int

    __hash__ = same_hash


class Pydantic(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(frozen=True)
    cache_len: int

    __hash__ = same_hash


class Tuple(NamedTuple):
    cache_len: int


@jit
def attend(x: Any, config: Static[Any]) -> Any:
    return x * config.cache_len


@pytest.mark.parametrize("make", [Frozen, Interned, Attrs, Pydantic])
def test_a_declared_field_is_part_of_the_value_whatever_its_name(make: Callable[..., Any]) -> None:
    config = make(cache_len=128)
    with guard():
        assert attend(1.0, config) == 128
        set_anyway(config, "cache_len", 256)
        error = refusal(lambda: attend(1.0, config))
        assert (error.code, error.path) == ("static-mutable", f"{make.__name__}.cache_len")
        set_anyway(config, "cache_len", 128)
        assert attend(1.0, config) == 128


def test_a_field_of_a_named_tuple_is_part_of_the_value() -> None:
    @jit
    def attend_to(x: Any, model: Static[Model]) -> Any:
        return x * model.registry.nested.cache_len

    model = Model(Registry())
    model.registry.nested = Tuple(128)
    with guard():
        assert attend_to(1.0, model) == 128
        model.registry.nested = Tuple(256)
        assert refusal(lambda: attend_to(1.0, model)).path == "Model.registry.nested.cache_len"


@dataclass(frozen=True)
class Remembering:
    """Declares the field in which it stores what it computes."""

    dt: float
    _hash: int = field(default=0, init=False, repr=False, compare=False)
    memo: dict[str, float] = field(default_factory=dict, init=False, compare=False)


def test_a_declared_field_that_is_neither_passed_nor_compared_may_be_a_cache() -> None:
    @jit
    def step(x: Any, config: Static[Any]) -> Any:
        return x * config.dt

    model = Model(Registry())
    model.registry.nested = Remembering(2.0)

    @jit
    def step_in(x: Any, model: Static[Model]) -> Any:
        return x * model.registry.nested.dt

    with guard():
        step_in(1.0, model)
        set_anyway(model.registry.nested, "_hash", 17)
        model.registry.nested.memo["a"] = 1.0
        assert step_in(1.0, model) == 2


class Scheme(enum.Enum):
    """Has attributes that `__init__` sets, as in the documentation of `enum`."""

    EULER = (1, 0.5)
    HEUN = (2, 0.25)

    def __init__(self, order: int, weight: float) -> None:
        self.order = order
        self.weight = weight


class Table(enum.Enum):
    ONES = np.array([1.0, 1.0])


class Kernel(enum.Enum):
    SHAPE = [1]  # noqa: RUF012
    SOLVER = enum.member(functools.partial(minmod))
    NESTED = (1, [2])
    GOOD = Frozen(1)


class Attached(enum.Enum):
    BAD = 1

    def __init__(self, order: int) -> None:
        self.table = [order]


def test_the_contents_of_enum_members_must_keep_the_contract() -> None:
    faults: dict[Any, tuple[str, str]] = {
        Table.ONES: ("static-dynamic", "Box.item.value"),
        Kernel.SHAPE: ("static-mutable", "Box.item"),
        Kernel.NESTED: ("static-mutable", "Box.item.value[1]"),
        Attached.BAD: ("static-mutable", "Box.item.table"),
    }
    for member, fault in faults.items():
        for _ in range(2):
            with pytest.raises(StaticContractError) as caught:
                Box(unseen(member))
            assert (caught.value.code, caught.value.path) == fault
    for good in map(unseen, (Kernel.GOOD, Kernel.SOLVER, Scheme.EULER)):
        check_static(good)
        assert Box(good) is Box(good)


def test_a_changed_enum_member_is_refused_where_jax_returns_the_old_number() -> None:
    @jit
    def step(x: Any, scheme: Static[Scheme]) -> Any:
        return x * scheme.weight

    with guard():
        assert step(1.0, Scheme.EULER) == 0.5
        try:
            unseen(Scheme.EULER).weight = 0.75
            assert refusal(lambda: step(1.0, Scheme.EULER)).path == "Scheme.weight"
            assert step(1.0, Scheme.HEUN) == 0.25
        finally:
            unseen(Scheme.EULER).weight = 0.5
        assert step(1.0, Scheme.EULER) == 0.5
