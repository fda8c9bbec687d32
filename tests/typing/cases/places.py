"""A compiled function may live in a local name or an attribute."""

from collections.abc import Callable

from jax import Array
from typing_extensions import assert_type

from jaxtyped_static import Static, jit


def step(x: Array, n: Static[int]) -> Array:
    return x * n


class Trainer:
    def __init__(self) -> None:
        self.step = jit(step)
        self.update = jit(self.plain_update, inline=True)

    def plain_update(self, x: Array, n: Static[int]) -> Array:
        return x * n


def local(x: Array, trainer: Trainer) -> Callable[[Array, int], Array]:
    @jit
    def inner(y: Array, n: Static[int]) -> Array:
        return y * n

    name = jit(step)

    assert_type(inner(x, 1), Array)
    assert_type(name(x, 1), Array)
    assert_type(trainer.step(x, 1), Array)
    assert_type(trainer.update(x, 1), Array)

    inner(x)  # error
    name(x, "1")  # error
    trainer.step(x)  # error
    trainer.update(x, "1")  # error
    return inner
