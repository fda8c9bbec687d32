"""The tables of SciPy's functions, and of NumPy's polynomials, say what the installed ones do with tracers."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

import jax
import numpy as np
import pytest

from jaxtyped_static_mypy.knowledge.function_rows import Conversion
from jaxtyped_static_mypy.knowledge.numpy_functions import POLYNOMIALS
from jaxtyped_static_mypy.knowledge.scipy_functions import CALLING, CONVERTING
from jaxtyped_static_mypy.libraries import known_function

_MODULES = {area: import_module(f"scipy.{area}") for area in CONVERTING}
_OF_POLYNOMIALS = ("polynomial", "chebyshev", "legendre", "hermite", "hermite_e", "laguerre")
_FIRST = (np.eye(2) * 2, np.ones(2), 2, 1.0)
_OTHERS = (np.eye(2) * 3, np.ones(2), 2, 1.0, (1, 1), (np.eye(2), True), (np.eye(2), np.array([0, 1])), [1, 1, 1])


def _functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    for area, names in CONVERTING.items():
        yield from ((f"{area}.{name}", getattr(_MODULES[area], name)) for name in names.split())
    for module in _OF_POLYNOMIALS:
        found = vars(getattr(np.polynomial, module))
        yield from ((f"polynomial.{name}", found[name]) for name in POLYNOMIALS & found.keys())


def _works(function: Callable[..., Any], *given: Any) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(*given)
    except Exception:
        return False
    return True


def _working(function: Callable[..., Any]) -> tuple[Any, ...] | None:
    for count in range(4):
        for first, *others in itertools.product(_FIRST, *[_OTHERS] * count):
            if _works(function, first, *others):
                return first, *others
    return None


def _fails_for_tracers(function: Callable[..., Any], given: tuple[Any, ...]) -> bool:
    first, *others = given
    failed: list[bool] = []

    def traced(x: jax.Array) -> jax.Array:
        failed.append(not _works(function, x, *others))
        return x

    jax.jit(traced)(first)
    return failed == [True]


@pytest.mark.parametrize("area", [*CONVERTING, "polynomial"])
def test_each_function_raises_for_a_tracer_as_its_first_argument(area: str) -> None:
    found = [(name, function) for name, function in _functions() if name.partition(".")[0] == area]
    calls = [(name, function, _working(function)) for name, function in found]
    assert [name for name, _, given in calls if given is None] == []
    assert [name for name, function, given in calls if given and not _fails_for_tracers(function, given)] == []


def test_the_rows_are_found_by_the_names_of_programs() -> None:
    for name in ("scipy.special.erf", "scipy.linalg.inv", "numpy.polynomial.chebyshev.chebfit"):
        assert known_function(name).converts is not None
    assert known_function("scipy.optimize.minimize").converts is Conversion.HOST_CALLED
    assert known_function("scipy.optimize.OptimizeResult").converts is None
    assert known_function("numpy.polynomial.polynomial.polyval").converts is None


# What each function takes beside the function that it calls, if that is not one of these.
_STARTS: tuple[tuple[Any, ...], ...] = ((0.0, 1.0), (np.zeros(1),), ([(0.0, 2.0)],), ())
_GIVEN: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "curve_fit": (([1.0, 2.0], [1.0, 2.0], [1.0]), {}),
    "dblquad": ((0, 1, 0, 1), {}),
    "fmin_l_bfgs_b": ((np.zeros(1),), {"approx_grad": True}),
    "nquad": (([(0, 1)],), {}),
    "odeint": (([1.0], [0.0, 1.0]), {}),
    "root_scalar": ((), {"bracket": [0.0, 1.0]}),
    "solve_bvp": ((lambda a, b: a, [0.0, 1.0], [[1.0, 1.0]]), {}),
    "solve_ivp": (((0.0, 1.0), [1.0]), {}),
    "tplquad": ((0, 1, 0, 1, 0, 1), {}),
}


@pytest.mark.parametrize("area", CALLING)
def test_each_solver_raises_for_a_function_that_returns_a_tracer(area: str) -> None:
    module = import_module(f"scipy.{area}")
    for name in CALLING[area].split():
        reached: list[bool] = []

        def traced(x: jax.Array, name: str = name, reached: list[bool] = reached) -> jax.Array:
            def returns_tracer(*_: Any) -> jax.Array:
                reached.append(True)
                return x

            for start, options in _starts(name):
                reached.clear()
                worked = _works(partial(getattr(module, name), returns_tracer, *start, **options))
                assert not (worked and reached), name
                if reached:
                    return x
            raise AssertionError(f"{name} never called it")

        jax.jit(traced)(1.0)


def _starts(name: str) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
    return [_GIVEN[name]] if name in _GIVEN else [(start, {}) for start in _STARTS]
