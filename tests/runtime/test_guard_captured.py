"""A guard sees what a compiled function captures, and the static arguments of functions that it calls."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyped_static import Static, guard, jit
from tests.runtime.guarded_values import Config, refusal, set_anyway


class Runner(Config):
    def run(self, x: Any) -> Any:
        return x * self.power

    def __call__(self, x: Any) -> Any:
        return self.run(x)


def scale(config: Any, x: Any, *, by: Any = None) -> Any:
    return x * config.power if by is None else x * by.power


@jit
def inner(x: Any, config: Static[Any]) -> Any:
    return x * config.power


HELD: dict[str, Any] = {}  # Globals are not captured.


def in_global(config: Any, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    HELD["config"] = config
    return function


MAKERS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "closure": (lambda config: lambda x: x * config.power, "config.power"),
    "closure of a captured function": (
        lambda config: (lambda read: lambda x: x * read())(lambda: config.power),
        "read.<captured config>.power",
    ),
    "bound by position": (lambda config: functools.partial(scale, config), "args[0].power"),
    "bound by name": (lambda config: functools.partial(scale, None, by=config), "by.power"),
    "self": (lambda config: config.run, "self.power"),
    "a callable object": (lambda config: config, "self.power"),
    "a static argument inside": (lambda config: in_global(config, lambda x: inner(x, HELD["config"])), "Runner.power"),
    "deeper inside": (
        lambda config: in_global(config, lambda x: jax.vmap(jax.jit(lambda y: inner(y, HELD["config"])))(x[None])[0]),
        "Runner.power",
    ),
}


@pytest.mark.parametrize(("make", "path"), MAKERS.values(), ids=MAKERS)
def test_a_change_of_what_a_compiled_function_holds_is_refused(make: Callable[[Any], Any], path: str) -> None:
    config = Runner(2.0)
    outer = jax.jit(make(config))
    x = jnp.float32(1)
    with guard():
        assert outer(x) == outer(x) == 2
        set_anyway(config, "power", 5.0)
        for _ in range(2):
            error = refusal(lambda: outer(x))
            assert (error.code, error.path) == ("static-mutable", path)
        assert outer(jnp.ones(3))[0] in (5, 2)  # By jax.jit; `inner` has a program for this shape, or makes one.
        set_anyway(config, "power", 2.0)
        assert outer(x) == 2


def test_a_reused_program_hands_on_what_it_depends_on() -> None:
    HELD["config"] = config = Config(2.0)
    middle = jax.jit(lambda x: inner(x, HELD["config"]) + 1)
    with guard():
        assert middle(jnp.float32(1)) == 3
        outer = jax.jit(lambda x: middle(x) * 1)
        assert outer(jnp.float32(1)) == 3
        set_anyway(config, "power", 5.0)
        error = refusal(lambda: outer(jnp.float32(1)))
    assert str(error).startswith('inner(): argument "config": Config.power: 2.0 → 5.0: changed since ')


def test_the_message_names_what_is_captured() -> None:
    config = Config(2.0)

    @jax.jit
    def outer(x: Any) -> Any:
        return x * config.power

    with guard():
        outer(1.0)
        set_anyway(config, "power", 5.0)
        assert str(refusal(lambda: outer(1.0))).startswith(
            "outer(): config.power: 2.0 → 5.0: changed since outer was compiled with it; make a new value instead"
        )


def test_a_captured_table_that_is_written_to_is_refused_and_a_list_of_results_is_not() -> None:
    table, results = np.ones(3), [0.0]

    @jax.jit
    def outer(x: Any) -> Any:
        return (x * table).sum() + 0 * len(results)

    with guard():
        for _ in range(3):
            results.append(float(outer(1.0)))
        table[0] = 5.0
        assert refusal(lambda: outer(1.0)).path == "table"
