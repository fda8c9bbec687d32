"""The table of functions that JAX compiles for each shape, at a cost, says what the installed JAX does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import jax
import jax.numpy as jnp
import jax.scipy.linalg
import pytest

from jaxtyped_static_mypy.knowledge.costly_functions import COSTLY_FUNCTIONS, is_costly

_COMPILED: Final = "/jax/core/compile/backend_compile_duration"
_AREAS: Final[dict[str, Any]] = {"numpy": jnp.linalg, "scipy": jax.scipy.linalg}
_OF_TWO: Final = frozenset({"lstsq", "solve", "solve_triangular"})


def _function(name: str) -> Callable[..., Any]:
    area, _, last = name.partition(".")
    function: Callable[..., Any] = getattr(_AREAS[area], last)
    return function


@pytest.fixture(scope="module")
def compiled() -> list[str]:
    """The compilations so far."""
    found: list[str] = []

    def count(event: str, duration_secs: float, **kwargs: str | int) -> None:
        if event == _COMPILED:
            found.append(event)

    jax.monitoring.register_event_duration_secs_listener(count)
    return found


@pytest.mark.parametrize("name", sorted(COSTLY_FUNCTIONS))
def test_each_new_shape_compiles_again(name: str, compiled: list[str]) -> None:
    function, last = _function(name), name.rpartition(".")[2]
    first = 2 * (1 + sorted(COSTLY_FUNCTIONS).index(name))  # functions share what they compile
    found = []
    for n in (first, first + 1, first + 1):
        given = (jnp.eye(n) * 2, *([jnp.ones(n)] if last in _OF_TWO else ()))
        compiled.clear()
        function(*given)
        found.append(len(compiled))
    assert found[1] >= 1
    assert found[2] == 0
    assert is_costly(f"{function.__module__}.{function.__name__}")


@pytest.mark.parametrize("function", [jnp.sum, jnp.linalg.norm, jnp.linalg.vector_norm])
def test_what_is_compiled_in_no_time_is_none(function: Callable[..., Any]) -> None:
    assert not is_costly(f"{function.__module__}.{function.__name__}")
