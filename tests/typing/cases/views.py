"""`jitted` shows the attributes of the compiled function with its parameters; `static_params` what was derived."""

from typing import Any

import jax
from jax import Array
from typing_extensions import assert_type

from jaxtyped_static import Static, jit, jitted, static_params
from jaxtyped_static.types import StaticParams


@jit
def step(x: Array, n: Static[int]) -> Array:
    return x * n


class Model:
    @jit
    def run(self: Static["Model"], x: Array) -> Array:
        return x


def use(model: Model, x: Array) -> None:
    assert_type(jitted(step)(x, 1), Array)
    assert_type(jitted(step).lower(x, 1), jax.stages.Lowered)
    assert_type(jitted(step).trace(x, n=1), jax.stages.Traced)
    assert_type(jitted(step).eval_shape(x, 1), Any)
    jitted(step).clear_cache()
    jitted(Model.run).lower(model, x)
    assert_type(static_params(step), StaticParams)
    assert_type(static_params(step).argnums, tuple[int, ...])
    assert_type(static_params(step).argnames, tuple[str, ...])

    jitted(step)(x)  # error
    jitted(step).lower(x)  # error
    jitted(step).lower(x, "1")  # error
    jitted(step).trace(x, m=1)  # error
    jitted(step).eval_shape()  # error
    jitted(step).lowered(x, 1)  # error
    static_params(step).argnums = ()  # error
    jitted(1)  # error
    static_params(1)  # error
