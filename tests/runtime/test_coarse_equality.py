"""Library values that are equal but mean different programs: each gets its own result, wherever it is."""

from __future__ import annotations

import contextlib
import datetime
import pathlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyped_static import Dynamic, Static, check_static, dynamic_dataclass, guard, jit
from tests.runtime.guarded_values import Model, Registry, refusal, unseen
from tests.runtime.static_values import Box


@jax.tree_util.register_dataclass
@dataclass
class Raised:
    x: Any
    power: Any = field(metadata={"static": True})


class WeightedPath(pathlib.PurePosixPath):
    weight: Any


class CachedPath(WeightedPath):
    _cache: Any = None


class CaselessPath(WeightedPath):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, CaselessPath) and str(self).lower() == str(other).lower()

    def __hash__(self) -> int:
        return hash(str(self).lower())


def weighted(weight: Any, cls: type[WeightedPath] = WeightedPath) -> WeightedPath:
    path = cls("weights")
    path.weight = weight
    return path


def zone(name: str) -> datetime.timezone:
    return datetime.timezone(datetime.timedelta(hours=1), name)


def at_noon(name: str) -> datetime.datetime:
    return datetime.datetime(2020, 1, 1, 12, tzinfo=zone(name))


def scaled(scale: Any) -> np.dtype[Any]:
    return np.dtype("float32", metadata={"scale": scale})


def structure(power: Any) -> Any:
    return jax.tree.structure([{"a": Raised(1.0, power), "b": 2.0}])


def raise_by(tree: Any, x: Any) -> Any:
    return x ** jax.tree.unflatten(tree, [1.0, 2.0])[0]["a"].power


class Case(NamedTuple):
    """Values that are equal, what a program computes from one, and the right numbers."""

    values: tuple[Any, ...]
    compute: Callable[[Any, Any], Any]
    numbers: tuple[float, ...]


X = jnp.int32(100_000)
CASES = {
    "tree structures": Case((structure(2), structure(2.0)), raise_by, (1410065408, 1e10)),
    "time zones": Case((zone("A"), zone("UTC+1")), lambda zone, x: x * len(zone.tzname(None)), (100_000, 500_000)),
    "times": Case((at_noon("A"), at_noon("BB")), lambda at, x: x * len(at.tzname()), (100_000, 200_000)),
    "dtypes": Case(
        (scaled(2), scaled(2.0), scaled(3.0)), lambda dtype, x: x ** dtype.metadata["scale"], (1410065408, 1e10, 1e15)
    ),
    "fields of dtypes": Case(
        tuple(np.dtype([("a", scaled(scale))]) for scale in (2, 3)),
        lambda dtype, x: x * dtype["a"].metadata["scale"],
        (200_000, 300_000),
    ),
    "paths": Case(
        (weighted(2), weighted(2.0), weighted(3.0)), lambda path, x: x**path.weight, (1410065408, 1e10, 1e15)
    ),
    "paths with an equality of their own": Case(
        tuple(weighted(weight, CaselessPath) for weight in (2, 2.0)), lambda path, x: x**path.weight, (1410065408, 1e10)
    ),
}
cases = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@dynamic_dataclass
class State:
    x: Dynamic[jax.Array]
    config: Static[Any]


@cases
@pytest.mark.parametrize("hold", [Box, lambda value: Box((1, (Box(value),)))], ids=["a field", "deep inside"])
def test_inside_a_static_value_each_value_gets_its_own_number(case: Case, hold: Callable[[Any], Box]) -> None:
    def held(config: Any) -> Any:
        return held(config.item if type(config) is Box else config[-1]) if type(config) in (Box, tuple) else config

    @jit
    def program(x: jax.Array, config: Static[Box]) -> Any:
        return case.compute(held(config), x)

    assert len({*case.values}) == 1 and len({hold(value) for value in case.values}) == len(case.values)
    for watched in (contextlib.nullcontext(), guard()):
        with watched:
            for value, number in zip(case.values, case.numbers, strict=True):
                assert program(X, hold(value)) == pytest.approx(number)


@cases
def test_as_a_static_field_of_a_pytree_each_value_gets_its_own_number(case: Case) -> None:
    @jit
    def program(state: State) -> Any:
        return case.compute(state.config, state.x)

    for value, number in [*zip(case.values, case.numbers, strict=True)] * 2:
        assert program(State(X, value)) == pytest.approx(number)


@cases
def test_the_first_value_gets_its_number_and_the_guard_refuses_the_others(case: Case) -> None:
    @jit
    def program(x: jax.Array, config: Static[Any]) -> Any:
        return case.compute(config, x)

    with guard():
        for value in (case.values[0], case.values[0]):
            assert program(X, value) == pytest.approx(case.numbers[0])
        for value in case.values[1:]:
            error = refusal(lambda value=value: program(X, value))  # type: ignore[misc]
            assert (error.code, error.function, error.parameter) == ("static-eq", "program", "config")
        assert program(X, case.values[0]) == pytest.approx(case.numbers[0])


@cases
def test_the_guard_notices_a_replaced_part(case: Case) -> None:
    @jit
    def program(x: jax.Array, model: Static[Model]) -> Any:
        return case.compute(model.registry.weight, x)

    model = Model(Registry())
    model.registry.weight = unseen(case.values[0])
    with guard():
        program(X, model)
        program(X, model)
        model.registry.weight = unseen(case.values[1])
        assert refusal(lambda: program(X, model)).path.startswith("Model.registry.weight")


def test_a_private_attribute_of_a_path_without_a_key_does_not_count() -> None:
    path, other = weighted(2, CachedPath), weighted(2, CachedPath)
    unseen(path)._cache = {"size": 1}
    assert Box(unseen(path)) is Box(unseen(other)) is not Box(unseen(weighted(3, CachedPath)))


def test_unkeyable_data_in_a_tree_structure_is_left_to_jax() -> None:
    lists = [structure([2]), structure([2]), structure([3])]
    assert Box(lists[0]) is Box(lists[1]) is not Box(lists[2])
    for one, other in ((structure(([2], 3)), structure(([2], 3.0))), (structure(None), structure(()))):
        assert Box(one) is not Box(other)


def test_objects_that_exist_once_per_dtype_are_accepted() -> None:
    finfo: Any = jnp.finfo
    for value in (finfo("float32"), finfo(jnp.bfloat16), np.finfo(np.float64)):
        check_static(value)
        assert Box(value) is Box(value)
    assert Box(finfo("float32")) is not Box(finfo("float16"))
