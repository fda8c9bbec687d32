"""Inside a guard, a changed static value is an error; without one, JAX returns the old value's result."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import pytest

from jaxtyped_static import Static, StaticContractError, guard, jit, jitted
from tests.runtime.guarded_values import Model, Registry, Solver, limiter, refusal, set_anyway, set_limiter

# What can be changed in a model, how it is used, and what the guard reports.


def _set_weight(model: Model) -> None:
    model.registry.weight = 5.0


def _set_in_array(model: Model) -> None:
    model.registry.table[1] = 5.0


def _set_in_list(model: Model) -> None:
    model.registry.nested["a"][0] = 5.0


def _set_private(model: Model) -> None:
    model.registry.nested["a"][1]._dt = 5.0


def _set_function(model: Model) -> None:
    model.registry.scale = lambda x: x * 5.0


def _set_field(model: Model) -> None:
    set_anyway(model, "order", 5)


def _set_solver(model: Model) -> None:
    set_anyway(model, "solver", Solver(5.0))


CHANGES: list[tuple[Callable[[Model], None], Callable[[Model, Any], Any], str, str]] = [
    (_set_weight, lambda model, x: x * model.registry.weight, "Model.registry.weight", "2.0 → 5.0"),
    (
        _set_in_array,
        lambda model, x: x * model.registry.table[1],
        "Model.registry.table",
        "float64[2] → another float64[2]",
    ),
    (_set_in_list, lambda model, x: x * model.registry.nested["a"][0], "Model.registry.nested['a'][0]", "1.0 → 5.0"),
    (
        _set_private,
        lambda model, x: x * model.registry.nested["a"][1]._dt,
        "Model.registry.nested['a'][1]._dt",
        "2.0 → 5.0",
    ),
    (_set_function, lambda model, x: model.registry.scale(x), "Model.registry.scale", "<lambda> → another <lambda>"),
    (_set_field, lambda model, x: x * model.order, "Model.order", "1 → 5"),
    (_set_solver, lambda model, x: x * model.solver._dt, "Model.solver._dt", "2.0 → 5.0"),
]


@pytest.mark.parametrize(("change", "use", "path", "values"), CHANGES)
def test_a_changed_value_is_refused_where_jax_returns_the_old_number(
    change: Callable[[Model], None], use: Callable[[Model, Any], Any], path: str, values: str
) -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return use(model, x)

    stale = Model(Registry())
    before = step(1.0, stale)
    change(stale)
    assert step(1.0, stale) == before != use(stale, 1.0)

    model = Model(Registry())
    with guard():
        step(1.0, model)
        step(1.0, model)
        change(model)
        for _ in range(2):
            error = refusal(lambda: step(1.0, model))
            assert (error.code, error.path) == ("static-mutable", path)
            assert error.reason == f"{values}: changed since step was compiled with it"
            assert str(error).startswith(f'step(): argument "model": {path}: {values}: changed since step ')
            assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_value_that_was_changed_back_is_accepted() -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x * model.registry.weight

    model = Model(Registry())
    with guard():
        step(1.0, model)
        model.registry.weight = 5.0
        refusal(lambda: step(1.0, model))
        model.registry.weight = 2.0
        assert step(1.0, model) == 2


def test_once_jax_has_forgotten_its_programs_a_changed_value_is_a_new_one() -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x * model.registry.weight

    model = Model(Registry())
    with guard():
        step(1.0, model)
        model.registry.weight = 5.0
        jax.clear_caches()  # type: ignore[no-untyped-call]
        assert step(1.0, model) == 5


def test_a_guard_remembers_what_earlier_guards_saw() -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x * model.registry.weight

    model = Model(Registry())
    with guard():
        step(1.0, model)
    model.registry.weight = 5.0
    assert step(1.0, model) == 2
    with guard():
        refusal(lambda: step(1.0, model))


def test_captured_variables_are_part_of_a_function() -> None:
    @jit
    def step(x: Any, limiter: Static[Any]) -> Any:
        return limiter(x)

    with guard():
        assert step(1.0, limiter) == 2
        set_limiter(5.0)
        error = refusal(lambda: step(1.0, limiter))
        assert error.path == "limiter.<captured dt>"
        set_limiter(2.0)
        assert step(1.0, limiter) == 2


def test_after_clear_cache_a_changed_value_is_accepted() -> None:
    @dataclass(frozen=True)
    class Scale:
        factor: float

        def __hash__(self) -> int:
            return 1

    @jit
    def scaled(x: Any, scale: Static[Scale]) -> Any:
        return x * scale.factor

    scale = Scale(2.0)
    with guard():
        assert scaled(1.0, scale) == 2
        object.__setattr__(scale, "factor", 5.0)
        with pytest.raises(StaticContractError, match=r"Scale\.factor: 2\.0 → 5\.0"):
            scaled(1.0, scale)
        jitted(scaled).clear_cache()
        assert scaled(1.0, scale) == scaled(1.0, scale) == 5
        object.__setattr__(scale, "factor", 7.0)
        with pytest.raises(StaticContractError, match=r"Scale\.factor: 5\.0 → 7\.0"):
            scaled(1.0, scale)
