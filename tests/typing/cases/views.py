"""`wrapped` shows the attributes of the compiled function with its parameters; `static_params` what was derived."""

from typing import Any

import jax
from jax import Array
from typing_extensions import assert_type

from jaxtyped_static import Static, StaticParams, jit, static_params, wrapped


@jit
def step(x: Array, n: Static[int]) -> Array:
    return x * n


class Model:
    @jit
    def run(self: Static["Model"], x: Array) -> Array:
        return x


def use(model: Model, x: Array) -> None:
    assert_type(wrapped(step)(x, 1), Array)
    assert_type(wrapped(step).lower(x, 1), jax.stages.Lowered)
    assert_type(wrapped(step).trace(x, n=1), jax.stages.Traced)
    assert_type(wrapped(step).eval_shape(x, 1), Any)
    wrapped(step).clear_cache()
    wrapped(Model.run).lower(model, x)
    assert_type(static_params(step), StaticParams)
    assert_type(static_params(step).argnums, tuple[int, ...])
    assert_type(static_params(step).argnames, tuple[str, ...])

    wrapped(step)(x)  # error
    wrapped(step).lower(x)  # error
    wrapped(step).lower(x, "1")  # error
    wrapped(step).trace(x, m=1)  # error
    wrapped(step).eval_shape()  # error
    wrapped(step).lowered(x, 1)  # error
    static_params(step).argnums = ()  # error
    wrapped(1)  # error
    static_params(1)  # error
