"""Inside a guard, every call must keep the contract, and no value gets another value's program."""

from __future__ import annotations

import dataclasses
import decimal
import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from immutabledict import immutabledict

from jaxtyped_static import Static, guard, jit
from tests.runtime.guarded_values import Config, Model, Registry, Solver, refusal, unseen, weigh
from tests.runtime.static_values import label


class Scaled(Config):
    """Has its own class: JAX compares any two values of one class, but NumPy cannot compare a number with a tuple."""


# Equal values share programs.


def test_a_new_value_does_not_get_a_changed_values_program() -> None:
    def make() -> Any:
        @jit
        def step(x: Any, solver: Static[Solver]) -> Any:
            return x * solver._dt

        return step

    step, solver = make(), Solver(2.0)
    step(1.0, solver)
    solver._dt = 5.0
    is_stale = step(1.0, Solver(5.0)) != 5  # In JAX 0.9 and later.

    step, solver = make(), Solver(2.0)
    with guard():
        step(1.0, solver)
        solver._dt = 5.0
        if is_stale:
            error = refusal(lambda: step(1.0, Solver(5.0)))
            assert error.code == "static-mutable"
            assert error.reason.startswith("2.0 → 5.0 in a value that is equal to this one: changed since step was")
        else:
            assert step(1.0, Solver(5.0)) == 5
        assert step(1.0, Solver(7.0)) == 7
        assert step(1.0, Solver(2.0)) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Config(2), Config(2.0)),
        (Config((1, 2)), Config((1, 2.0))),
        (Config(0.0), Config(-0.0)),
        (Scaled(np.float32(2)), Scaled(2.0)),
        (0.0, -0.0),
        ((2,), (2.0,)),
        (immutabledict(a=1), immutabledict(a=True)),
    ],
    ids=label,
)
def test_equal_values_that_differ_do_not_share_a_program(first: Any, second: Any) -> None:
    seen: list[Any] = []

    @jit
    def step(x: Any, config: Static[Any]) -> Any:
        seen.append(config)
        return x

    with guard():
        step(1.0, first)
        error = refusal(lambda: step(1.0, second))
        assert (error.code, error.function, error.parameter) == ("static-eq", "step", "config")
        assert "runs the program that step compiled for" in error.reason
        step(1.0, first)
        step(jnp.ones(2), second)  # JAX traces, so the result is right.
        step(jnp.ones(2), second)
    assert [repr(value) for value in seen] == [repr(first), repr(second)]


@dataclasses.dataclass(frozen=True)
class WithInitVar:
    n: int
    given: dataclasses.InitVar[float] = 1.0

    def __post_init__(self, given: float) -> None:
        object.__setattr__(self, "scale", given)


class Tagged(decimal.Decimal):
    scale: float

    def __new__(cls, scale: float) -> Tagged:
        made = super().__new__(cls, "1")
        made.scale = scale
        return made


@pytest.mark.parametrize("make", [lambda scale: WithInitVar(1, scale), Tagged])
def test_an_attribute_that_no_comparison_sees_does_not_share_a_program(make: Callable[[float], Any]) -> None:
    step = jax.jit(lambda x, value: x * value.scale, static_argnums=1)
    with guard():
        assert step(1.0, make(2.0)) == 2
        error = refusal(lambda: step(1.0, make(3.0)))
        assert (error.code, error.path) == ("static-eq", f"{type(make(2.0)).__name__}.scale")
        assert step(1.0, make(2.0)) == 2


# The contract.


@pytest.fixture
def new() -> Any:
    return lambda x: x


def test_every_call_must_keep_the_contract(new: Any) -> None:
    @jit
    def step(x: Any, config: Static[Any], *, other: Static[Any] = None) -> Any:
        return x

    @jit
    def outer(x: Any) -> Any:
        return step(x, Config(new))

    calls: list[tuple[Callable[[], Any], str, str]] = [
        (lambda: step(1.0, Config(new)), "static-callable", "config"),
        (lambda: step(1.0, config=Config(new)), "static-callable", "config"),
        (lambda: step(1.0, 1, other=Config(new)), "static-callable", "other"),
        (lambda: step(1.0, unseen(Registry())), "static-mutable", "config"),
        (lambda: step(1.0, 1, other=(1, new)), "static-callable", "other"),
        (lambda: jax.vmap(lambda x: step(x, Config(new)))(jnp.ones(2)), "static-callable", "config"),
        (lambda: outer(1.0), "static-callable", "config"),
        (lambda: jax.grad(lambda x: step(x, unseen(Registry())))(1.0), "static-mutable", "config"),
    ]
    for call, code, parameter in calls:
        with guard():
            for _ in range(2):
                error = refusal(call)
                assert (error.code, error.parameter) == (code, parameter)
                assert error.function == "step"
        call()


def test_methods_and_variadic_arguments_are_named() -> None:
    class Machine:
        def __init__(self) -> None:
            self.speed = 1.0

        @jit
        def run(self: Static[Any], x: Any) -> Any:
            return x

    @functools.partial(jit, static_argnums=(1, 2))
    def variadic(*args: Any) -> Any:
        return args[0]

    with guard():
        error = refusal(lambda: unseen(Machine()).run(1.0))
        assert str(error).startswith('Machine.run(): argument "self": Machine is mutable: "speed" can be assigned')
        assert refusal(lambda: variadic(1.0, 2, unseen(Registry()))).parameter == "args[2]"
        program = functools.partial(jax.jit, static_argnums=-1)(functools.partial(weigh.__wrapped__, 2.0))
        model = Model(Registry())
        program(model)
        model.registry.weight = 5.0
        error = refusal(lambda: program(model))
        assert (error.function, error.parameter) == ("weigh", "model")


def test_on_a_cache_miss_a_call_is_refused_before_the_function_runs() -> None:
    ran = []

    @jit
    def step(x: Any, config: Static[Any]) -> Any:
        ran.append(config)
        return x

    with guard():
        refusal(lambda: step(1.0, unseen(Registry())))
    assert not ran
