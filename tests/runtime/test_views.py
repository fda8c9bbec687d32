"""`jitted` and the attributes of JAX's compiled-function object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtyped_static import Static, jit, jitted


@jit
def scale(x: jax.Array, n: Static[int]) -> jax.Array:
    return x * n


@dataclass(frozen=True)
class Model:
    @jit
    def run(self: Static[Model], x: jax.Array) -> jax.Array:
        return x + 1


def test_wrapped_is_the_same_object() -> None:
    view: Any = jitted(scale)
    assert view is scale


def test_lower_trace_eval_shape_and_clear_cache() -> None:
    x = jnp.ones(3)
    # A lowered function is compiled for its static arguments and takes only the others.
    assert (jitted(scale).lower(x, 2).compile()(x) == 2).all()
    assert jitted(scale).trace(x, n=2).jaxpr.out_avals[0].shape == (3,)
    result = jitted(scale).eval_shape(x, 2)
    assert (result.shape, result.dtype) == (x.shape, x.dtype)
    assert jitted(Model.run).lower(Model(), x) is not None
    jitted(scale).clear_cache()
    assert (jitted(jax.jit(lambda x: x)).lower(x).compile()(x) == x).all()


def test_an_uncompiled_function_is_refused() -> None:
    with pytest.raises(TypeError, match="decorate it with @jit"):
        jitted(len)
    with pytest.raises(TypeError, match=r"write jitted\(Model\.run\) and pass the Model first"):
        jitted(Model().run)
