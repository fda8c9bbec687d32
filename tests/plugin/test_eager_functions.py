"""The table of functions that compile outside of jit says what the installed JAX does."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, Final

import jax
import jax.experimental
import jax.numpy as jnp
import jax.scipy.optimize
import pytest
from jax import lax
from jax.experimental import ode
from jax.scipy.sparse import linalg

from jaxtyped_static_mypy.knowledge.eager_functions import EAGER_FUNCTIONS, EagerFunction, eager_function

Function = Callable[..., Any]
_COMPILED: Final = "/jax/core/compile/backend_compile_duration"

# Without types.
_SOLVERS: Final[Any] = linalg
_ODE: Final[Any] = ode

XS: Final = jnp.arange(4.0)
ZERO: Final = jnp.zeros(())
SHAPE: Final[Any] = jax.eval_shape(lambda: XS)


def step(carry: Any, x: Any) -> Any:
    return carry + x, carry


def is_low(x: Any) -> Any:
    return x < 3


def add(x: Any, y: Any) -> Any:
    return x + y


def double(x: Any) -> Any:
    return x * 2


def triple(x: Any) -> Any:
    return x * 3


def square_sum(x: Any) -> Any:
    return (x * x).sum()


# What each parameter of a row takes, and a call with that.
CALLS: Final[dict[tuple[str, str], tuple[Function, Function]]] = {
    ("lax.scan", "f"): (step, lambda f: lax.scan(f, ZERO, XS)),
    ("lax.while_loop", "cond_fun"): (is_low, lambda f: lax.while_loop(f, double, ZERO + 1)),
    ("lax.while_loop", "body_fun"): (double, lambda f: lax.while_loop(is_low, f, ZERO + 1)),
    ("lax.fori_loop", "body_fun"): (add, lambda f: lax.fori_loop(0, 3, f, ZERO)),
    ("lax.cond", "true_fun"): (double, lambda f: lax.cond(True, f, triple, ZERO)),
    ("lax.cond", "false_fun"): (double, lambda f: lax.cond(ZERO < 1, triple, f, ZERO)),
    ("lax.switch", "branches"): (double, lambda f: lax.switch(1, [triple, f], ZERO)),
    ("lax.map", "f"): (double, lambda f: lax.map(f, XS)),
    ("lax.reduce", "computation"): (add, lambda f: lax.reduce(XS, 0.0, f, (0,))),
    ("lax.reduce_window", "computation"): (add, lambda f: lax.reduce_window(XS, 0.0, f, (2,), (1,), "VALID")),
    ("numpy.piecewise", "funclist"): (double, lambda f: jnp.piecewise(XS, [XS > 1], [f, triple])),
    ("callback.pure_callback", "callback"): (double, lambda f: jax.pure_callback(f, SHAPE, XS)),
    ("callback.io_callback", "callback"): (double, lambda f: jax.experimental.io_callback(f, SHAPE, XS)),
    ("scipy.bicgstab", "A"): (double, lambda f: _SOLVERS.bicgstab(f, XS)),
    ("scipy.cg", "A"): (double, lambda f: _SOLVERS.cg(f, XS)),
    ("scipy.gmres", "A"): (double, lambda f: _SOLVERS.gmres(f, XS)),
    ("scipy.minimize", "fun"): (square_sum, lambda f: jax.scipy.optimize.minimize(f, XS, method="BFGS")),
    ("experimental.odeint", "func"): (add, lambda f: _ODE.odeint(f, XS, XS)),
}
NEITHER: Final[dict[str, tuple[Function, Function]]] = {
    "vmap": (double, lambda f: jax.vmap(f)(XS)),
    "grad": (square_sum, lambda f: jax.grad(f)(XS)),
    "checkpoint": (double, lambda f: jax.checkpoint(f)(XS)),
    "associative_scan": (add, lambda f: lax.associative_scan(f, XS)),
    "vectorize": (double, lambda f: jnp.vectorize(f)(XS)),
    "the only branch": (double, lambda f: lax.switch(0, [f], XS)),
    "disable_jit": (step, lambda f: without_jit(lambda: lax.scan(f, ZERO, XS))),
}
ROWS: Final = {(name, parameter): row for name, row in EAGER_FUNCTIONS.items() for _, parameter in row.bodies}


def without_jit(call: Callable[[], Any]) -> Any:
    with jax.disable_jit():
        return call()


def new(f: Function) -> Function:
    return lambda *args: f(*args)


class Holder:
    """An object with the function as a method."""

    def __init__(self, f: Function) -> None:
        self.f = f

    def method(self, *args: Any) -> Any:
        return self.f(*args)


@pytest.fixture
def compilations() -> Iterator[list[str]]:
    found: list[str] = []

    def listen(event: str, duration_secs: float, **kwargs: str | int) -> None:
        found.extend([event] * (event == _COMPILED))

    jax.monitoring.register_event_duration_secs_listener(listen)
    yield found
    jax.monitoring.unregister_event_duration_listener(listen)


def per_call(call: Callable[[], Any], compilations: list[str]) -> float:
    """How often a call compiles, after the first two, which compile what all calls need."""
    call(), call()
    compilations.clear()
    call(), call()
    return len(compilations) / 2


def test_every_parameter_of_the_table_is_measured() -> None:
    assert ROWS.keys() == CALLS.keys()


def measured(name: tuple[str, str]) -> Any:
    """Solvers with large loops are left to `make test-all`."""
    marks = [pytest.mark.thorough] if name[0] in ("scipy.gmres", "scipy.minimize", "experimental.odeint") else []
    return pytest.param(name, id="-".join(name), marks=marks)


@pytest.mark.parametrize("name", [*map(measured, CALLS)])
def test_the_table_says_what_compiles_again(name: tuple[str, str], compilations: list[str]) -> None:
    f, call = CALLS[name]
    row, holder = ROWS[name], Holder(f)
    assert per_call(lambda: call(f), compilations) == row.is_always
    assert per_call(lambda: call(holder.f), compilations) == row.is_always
    for make in (new, functools.partial):
        assert per_call(lambda: call(make(f)), compilations) == 1  # noqa: B023
    assert per_call(lambda: call(holder.method), compilations) == (row.is_always or not row.is_compared)


@pytest.mark.parametrize("name", NEITHER)
def test_what_has_no_row_compiles_nothing(name: str, compilations: list[str]) -> None:
    f, call = NEITHER[name]
    assert per_call(lambda: call(new(f)), compilations) == 0


def test_what_transforms_a_function_leaves_its_loops_outside_of_jit(compilations: list[str]) -> None:
    def total(x: Any, body: Function) -> Any:
        return lax.scan(body, x, XS)[0]

    def with_new(x: Any) -> Any:
        return total(x, new(step))

    def with_same(x: Any) -> Any:
        return total(x, step)

    assert per_call(lambda: jax.vmap(with_new)(XS), compilations) == 1
    assert per_call(lambda: jax.vmap(with_same)(XS), compilations) == 0
    assert per_call(lambda: jax.grad(with_new)(1.0), compilations) == 2
    assert per_call(lambda: jax.grad(with_same)(1.0), compilations) == 2
    assert per_call(lambda: jax.checkpoint(with_new)(1.0), compilations) == 0


@pytest.mark.parametrize(
    ("function", "row"),
    [
        ("jax._src.lax.control_flow.loops.scan", EAGER_FUNCTIONS["lax.scan"]),
        ("jax._src.lax.control_flow.loops.associative_scan", None),
        ("builtins.map", None),
    ],
)
def test_a_row_is_found_by_the_full_name(function: str, row: EagerFunction | None) -> None:
    assert eager_function(function) is row
