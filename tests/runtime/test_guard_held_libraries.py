"""A guard takes objects of libraries that compiled functions hold, and sees what the program itself reads of them."""

from __future__ import annotations

import argparse
import types
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyped_static import guard
from tests.runtime.guarded_values import refusal

eqx = pytest.importorskip("equinox")
nnx = pytest.importorskip("flax.nnx")
optax = pytest.importorskip("optax")


def test_equinox_modules() -> None:
    class Model(eqx.Module):  # type: ignore[misc, name-defined]
        weight: Any
        scale: float = eqx.field(static=True)

        @eqx.filter_jit  # type: ignore[untyped-decorator]
        def __call__(self, x: Any) -> Any:
            return x * self.weight * self.scale

    calls = {"count": 0}
    model = Model(jnp.ones(2), 2.0)

    @eqx.filter_jit  # type: ignore[untyped-decorator]
    def step(model: Any, x: Any) -> Any:
        calls["count"] += 1
        return eqx.tree_at(lambda it: it.weight, model, model.weight - model(x))

    with guard():
        for number in range(3):
            model = step(model, jnp.ones(2))
            model = Model(model.weight, 2.0 + number)


def test_nnx_modules_and_optimizers() -> None:
    class Model(nnx.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            self.linear = nnx.Linear(2, 2, rngs=nnx.Rngs(0))
            self.dropout = nnx.Dropout(0.5, rngs=nnx.Rngs(1))
            self.scale = 2.0
            self.calls = 0

        def __call__(self, x: Any) -> Any:
            return self.dropout(self.linear(x)) * self.scale

    model = Model()
    optimizer = nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)

    @nnx.jit  # type: ignore[untyped-decorator]
    def step(model: Any, optimizer: Any, x: Any) -> Any:
        loss, gradients = nnx.value_and_grad(lambda model: model(x).sum())(model)
        optimizer.update(model, gradients)
        return loss

    with guard():
        for _ in range(3):
            step(model, optimizer, jnp.ones((1, 2)))
            model.calls += 1
        model.eval()
        step(model, optimizer, jnp.ones((1, 2)))
        evaluate = jax.jit(lambda x: model(x))
        evaluate(jnp.ones((1, 2)))
        model.scale = 3.0
        assert refusal(lambda: evaluate(jnp.ones((1, 2)))).path == "model.scale"


def test_an_optimizer_that_is_captured() -> None:
    optimizer = optax.chain(optax.clip(1.0), optax.adam(1e-3))
    history: list[float] = []

    @jax.jit
    def step(parameters: Any, state: Any) -> Any:
        updates, state = optimizer.update(parameters, state)
        return optax.apply_updates(parameters, updates), state

    parameters = jnp.ones(2)
    state = optimizer.init(parameters)
    with guard():
        for _ in range(3):
            parameters, state = step(parameters, state)
            history.append(float(parameters.sum()))


@pytest.mark.parametrize("options", [argparse.Namespace(rate=0.1, epoch=0), types.SimpleNamespace(rate=0.1, epoch=0)])
def test_options_of_the_command_line(options: Any) -> None:
    generator = np.random.default_rng(0)
    step = jax.jit(lambda x: x * options.rate)
    with guard():
        for options.epoch in range(3):
            step(generator.normal())
        options.rate = 0.2
        assert refusal(lambda: step(1.0)).path == "options.rate"
