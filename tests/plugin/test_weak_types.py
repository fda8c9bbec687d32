"""What the checker takes for weak and for strong has these types under the installed JAX and Optax."""

from __future__ import annotations

from typing import Any, Final

import jax
import jax.numpy as jnp
import optax  # type: ignore[import-untyped]
import pytest

from jaxtyped_static_mypy.flow import weak_types
from jaxtyped_static_mypy.libraries.optax import STRENGTHENING
from jaxtyped_static_mypy.source import weak_values

WEAK: Final = jnp.full((3, 3), 0.5)
STRONG: Final = jnp.ones((3, 3))
# What is left of the arguments that some functions take besides one array.
BEFORE: Final[dict[str, tuple[Any, ...]]] = {"einsum": ("ij,jk",), "where": (STRONG > 0,), "full": (3,)}
AFTER: Final[dict[str, tuple[Any, ...]]] = {"clip": (0.0, 1.0), "reshape": ((9,),)}
PAIRS: Final = frozenset({"dot", "einsum", "matmul", "maximum", "minimum", "vdot", "where"})
FUNCTIONS: Final[Any] = jnp
OPTIMISERS: Final[Any] = optax


def called(name: str, array: Any, other: Any) -> Any:
    if name == "stack":
        return jnp.stack([array, other])
    return FUNCTIONS.__dict__[name](
        *BEFORE.get(name, ()), array, *([other] if name in PAIRS else ()), *AFTER.get(name, ())
    )


@pytest.mark.parametrize("name", sorted(weak_types.STRONG | weak_types.STRONG_FLOATS))
def test_reductions_are_strong_whatever_they_get(name: str) -> None:
    assert not called(name, WEAK, WEAK).weak_type
    found = called(name, jnp.arange(3), None)
    assert not found.weak_type
    assert name not in weak_types.STRONG_FLOATS or found.dtype == jnp.float32


@pytest.mark.parametrize("name", sorted(weak_types.KEEP_TYPE | weak_types.FLOATS))
def test_other_functions_are_as_strong_as_what_they_get(name: str) -> None:
    assert called(name, WEAK, WEAK).weak_type
    assert not called(name, WEAK, STRONG).weak_type or name not in PAIRS | {"stack"}
    assert not called(name, STRONG, STRONG).weak_type


@pytest.mark.parametrize("name", sorted({*weak_values.AS_WEAK, *weak_values.WEAK_OF_NUMBER}))
def test_what_is_made_of_numbers_is_weak(name: str) -> None:
    assert called(name, 0.5, 0.25).weak_type


@pytest.mark.parametrize("name", STRENGTHENING.split())
def test_updates_of_these_optimisers_are_strong(name: str) -> None:
    params = {"scale": jnp.array(1.0), "weights": jnp.ones(3)}
    optimiser = OPTIMISERS.__dict__[name](*([] if name == "scale_by_adam" else [0.1]))

    @jax.jit
    def update(params: Any) -> Any:
        return optimiser.update(params, optimiser.init(params), params)[0]

    assert params["scale"].weak_type
    assert not update(params)["scale"].weak_type


@pytest.mark.parametrize("name", ["sgd", "rmsprop", "lion"])
def test_updates_of_others_may_be_weak(name: str) -> None:
    params = {"scale": jnp.array(1.0)}
    optimiser = OPTIMISERS.__dict__[name](0.1)
    assert name not in STRENGTHENING.split()
    assert optimiser.update(params, optimiser.init(params), params)[0]["scale"].weak_type


def test_applied_updates_are_strong() -> None:
    params = {"scale": jnp.array(1.0)}
    assert not optax.apply_updates(params, params)["scale"].weak_type
