"""Methods bind `self` and `cls`; properties return their value."""

from __future__ import annotations

from jax import Array
from typing_extensions import assert_type

from jaxtyped_static import Static, jit


class Model:
    @jit
    def run(self: Static[Model], x: Array, n: Static[int] = 1) -> Array:
        return x * n

    @jit(donate_argnames="x")
    def with_options(self: Static[Model], x: Array) -> Array:
        return x

    @classmethod
    @jit
    def of_class(cls: Static[type[Model]], x: Array) -> Array:
        return x

    @staticmethod
    @jit
    def of_none(x: Array, n: Static[int]) -> Array:
        return x * n

    @property
    @jit
    def size(self: Static[Model]) -> Array:
        raise NotImplementedError


def use(model: Model, x: Array) -> None:
    assert_type(model.run(x), Array)
    assert_type(model.run(x, n=2), Array)
    assert_type(Model.run(model, x, 2), Array)
    assert_type(model.with_options(x), Array)
    assert_type(Model.of_class(x), Array)
    assert_type(model.of_class(x), Array)
    assert_type(Model.of_none(x, 1), Array)
    assert_type(model.of_none(x, 1), Array)
    assert_type(model.size, Array)

    model.run()  # error
    model.run(x, "2")  # error
    model.run(x, m=2)  # error
    Model.run(x, 2)  # error
    model.with_options()  # error
    Model.of_class()  # error
    model.of_class("x")  # error
    Model.of_none(x)  # error
    model.of_none(x, "1")  # error
    model.size()  # error
