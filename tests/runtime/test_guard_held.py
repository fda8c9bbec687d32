"""A guard sees a change of what a compiled function has read of plain objects that it captures or got bound."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtyped_static import guard
from tests.runtime.guarded_values import refusal, unseen
from tests.runtime.held_objects import OtherSolver, Plain, bound, by_name, scaled_by

Function = Callable[[Any], Any]


def setting(name: str, value: Any) -> Callable[[Plain], None]:
    return lambda plain: setattr(plain, name, value)


def nested(plain: Plain) -> Function:
    def step(x: Any) -> Any:
        def body(carry: Any, _: Any) -> Any:
            return carry * plain.scale, None

        return jax.lax.scan(body, x, None, length=2)[0]

    return step


def through_an_alias(plain: Plain) -> Function:
    def step(x: Any) -> Any:
        solver = plain.solver
        rate = solver.dt if solver is not None else 1.0
        return x * rate

    return step


def in_a_loop(plain: Plain) -> Function:
    def step(x: Any) -> Any:
        for layer in plain.layers:
            x = layer.apply(x)
        for index, factor in enumerate(plain.factors):
            x = x + index * factor
        return x

    return step


def under_a_condition(plain: Plain) -> Function:
    def step(x: Any, y: Any = None) -> Any:
        if y is None and plain.mode == "scale":
            return x * plain.scale
        return x * plain.other

    return step


def after_a_check(plain: Plain) -> Function:
    def step(x: Any) -> Any:
        if x.ndim > 3:
            raise ValueError(x)
        return x * plain.scale

    return step


def with_getattr(plain: Plain) -> Function:
    return lambda x: x * plain.scale * getattr(x, "unknown", 1)


def decorated(plain: Plain) -> Function:
    def twice(function: Function) -> Function:
        @functools.wraps(function)
        def wrapper(x: Any) -> Any:
            return function(x) * 2

        return wrapper

    @twice
    def step(x: Any) -> Any:
        return x * plain.scale

    return step


# A program, a change, and where it is found.
WRONG: dict[str, tuple[Callable[[Plain], Function], Callable[[Plain], object], str]] = {
    "captured": (lambda it: lambda x: x * it.scale, setting("scale", 3.0), "it.scale"),
    "an integer": (lambda it: lambda x: x * it.scale, setting("scale", 2), "it.scale"),
    "bound by position": (bound, setting("scale", 3.0), "args[0].scale"),
    "bound by name": (lambda it: functools.partial(by_name, plain=it), setting("scale", 3.0), "plain.scale"),
    "a bound method": (lambda it: it.scaled, setting("scale", 3.0), "self.scale"),
    "methods and properties": (lambda it: it.both, setting("scale", 3.0), "self.scale"),
    "a callable object": (lambda it: it, setting("scale", 3.0), "self.scale"),
    "called while captured": (lambda it: lambda x: it(x), setting("scale", 3.0), "it.scale"),
    "an argument": (lambda it: lambda x: scaled_by(it, x), setting("scale", 3.0), "it.scale"),
    "an argument by name": (lambda it: lambda x: by_name(x, plain=it), setting("scale", 3.0), "it.scale"),
    "vmap": (lambda it: jax.vmap(it.scaled), setting("scale", 3.0), "self.scale"),
    "vmap inside": (lambda it: lambda x: jax.vmap(it.scaled)(x), setting("scale", 3.0), "it.scale"),
    "grad": (lambda it: jax.grad(lambda x: it.scaled(x).sum()), setting("scale", 3.0), "it.scale"),
    "a nested function": (nested, setting("scale", 3.0), "plain.scale"),
    "an alias": (through_an_alias, lambda it: setattr(it.solver, "dt", 3.0), "plain.solver.dt"),
    "a nested object": (
        lambda it: lambda x: it.solver.apply(x),
        lambda it: setattr(it.solver, "dt", 3.0),
        "it.solver.dt",
    ),
    "another method": (lambda it: lambda x: it.solver.apply(x), setting("solver", OtherSolver()), "it.solver.rate"),
    "one of a list": (in_a_loop, lambda it: setattr(it.layers[1], "dt", 3.0), "plain.layers[1].dt"),
    "a replaced element": (in_a_loop, lambda it: it.factors.__setitem__(1, 5.0), "plain.factors[1]"),
    "a further element": (in_a_loop, lambda it: it.factors.append(5.0), "plain.factors[2]"),
    "a sum": (lambda it: lambda x: x * sum(it.factors), lambda it: it.factors.__setitem__(0, 5.0), "it.factors[0]"),
    "an array of a list": (
        lambda it: lambda x: x * jnp.array(it.factors).sum(),
        lambda it: it.factors.__setitem__(0, 5.0),
        "it.factors[0]",
    ),
    "an item": (
        lambda it: lambda x: x * it.settings["scale"],
        lambda it: it.settings.update(scale=3.0),
        "it.settings['scale']",
    ),
    "a nested item": (
        lambda it: lambda x: x * it.settings["other"]["inner"],
        lambda it: it.settings["other"].update(inner=3.0),
        "it.settings['other']['inner']",
    ),
    "an item by get": (
        lambda it: lambda x: x * it.settings.get("scale", 1.0),
        lambda it: it.settings.update(scale=3.0),
        "it.settings['scale']",
    ),
    "text": (under_a_condition, setting("mode", "other"), "plain.mode"),
    "the arm that was taken": (under_a_condition, setting("scale", 3.0), "plain.scale"),
    "after a check": (after_a_check, setting("scale", 3.0), "plain.scale"),
    "beside getattr": (with_getattr, setting("scale", 3.0), "plain.scale"),
    "a decorated function": (decorated, setting("scale", 3.0), "plain.scale"),
    "a tuple": (lambda it: lambda x: x * sum(it.sizes), setting("sizes", (1, 3)), "it.sizes[1]"),
    "NumPy": (
        lambda it: lambda x: x.sum() * it.table,
        lambda it: it.table.__setitem__(0, 5.0),
        "it.table",
    ),
    "JAX": (lambda it: lambda x: x.sum() * it.weights, setting("weights", jnp.array([3.0, 1.0])), "it.weights"),
    "a large array": (lambda it: lambda x: x + it.large.sum(), setting("large", jnp.ones(10_000)), "it.large"),
    "a function": (lambda it: lambda x: it.activation(x), setting("activation", jnp.square), "it.activation"),
    "an attribute of the class": (lambda it: lambda x: x * it.shared, setting("shared", 3.0), "it.shared"),
    "a private attribute": (lambda it: lambda x: x * it._private, setting("_private", 3.0), "it._private"),
    "the keys of a comprehension": (
        lambda it: lambda x: x * sum([layer.dt for layer in it.layers]),
        lambda it: setattr(it.layers[0], "dt", 3.0),
        "it.layers[0].dt",
    ),
}


@pytest.mark.parametrize(("make", "change", "path"), WRONG.values(), ids=WRONG)
def test_a_change_of_what_traced_code_has_read_is_refused(make: Any, change: Any, path: str) -> None:
    plain = Plain()
    step = jax.jit(make(plain))
    x = jnp.ones(2)
    with guard():
        for _ in range(3):
            step(x)
        change(plain)
        for _ in range(2):
            error = refusal(lambda: step(x))
            assert (error.code, error.path) == ("static-mutable", path)
        step(jnp.ones(4))  # Traced anew, with the new value.
        step(jnp.ones(4))
        refusal(lambda: step(x))


def test_containers_that_are_captured_themselves() -> None:
    settings, weights, array = {"scale": 2.0}, [1.0, 2.0], jnp.array([2.0])
    by_item = jax.jit(lambda x: x * settings["scale"])
    by_sum = jax.jit(lambda x: x * sum(w for w in weights))
    by_array = jax.jit(lambda x: x * array)
    with guard():
        for step in (by_item, by_sum, by_array):
            step(1.0)
        settings["scale"], weights[1], array = 3.0, 3.0, jnp.array([3.0])
        paths = [refusal(lambda step=step: step(1.0)).path for step in (by_item, by_sum, by_array)]  # type: ignore[misc]
    assert paths == ["settings['scale']", "weights[1]", "array"]


def test_an_inner_function_that_is_compiled_too() -> None:
    plain, x = unseen(Plain()), jnp.float32(1)
    inner = jax.jit(plain.scaled)
    middle = jax.jit(lambda x: inner(x) + 1)
    with guard():
        assert inner(x) == 2
        outer = jax.jit(lambda x: middle(x) * 1)
        assert outer(x) == 3
        plain.scale = 3.0
        for step in (inner, middle, outer):
            error = refusal(lambda step=step: step(x))  # type: ignore[misc]
            assert (error.function, error.path) == ("Plain.scaled", "self.scale")
        plain.scale = 2.0
        assert outer(x) == 3


def test_the_message_says_what_to_do() -> None:
    plain = Plain()

    @jax.jit
    def step(x: Any) -> Any:
        return x * plain.scale

    with guard():
        step(1.0)
        plain.scale = 3.0
        error = refusal(lambda: step(1.0))
        assert str(error).startswith("step(): plain.scale: 2.0 → 3.0: changed since step was compiled with it; ")
        assert error.advice == (
            "pass it to the function as an argument, or compile a new function; "
            'or, if no result depends on it, name it "scale_cache", or keep it outside of the value'
        )


def test_each_program_is_compared_with_what_it_has_read() -> None:
    plain = Plain()
    step = jax.jit(lambda x: x * plain.scale if x.ndim else x * plain.other)  # type: ignore[jit-mutation]
    both = jax.jit(lambda x, by=True: x * plain.scale if by else x * plain.other, static_argnums=1)  # type: ignore[jit-mutation]
    with guard():
        assert both(1.0, True) == 2
        assert both(1.0, False) == 1
        assert step(1.0) == 1  # Which arm this is cannot be told: it is left out.
        plain.scale = 3.0
        assert (both(1.0, False), step(1.0)) == (1, 1)
        assert refusal(lambda: both(1.0, True)).path == "plain.scale"
        plain.scale, plain.other = 2.0, 3.0
        assert both(1.0, True) == 2
        assert refusal(lambda: both(1.0, False)).path == "plain.other"


def test_the_compiled_function_is_not_kept_alive() -> None:
    import gc
    import weakref

    def make() -> Any:
        plain = unseen(Plain())
        step = jax.jit(plain.scaled)
        plain.lazy = step
        with guard():
            step(1.0)
        return weakref.ref(plain)

    reference = make()
    gc.collect()
    assert reference() is None
