"""Train a linear model, reading the settings again for each step: every step compiles again.

`eq=False` leaves the configuration hashed by identity, so equal settings are different keys for JAX.
"""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp

compilations: list[str] = []


@dataclass(frozen=True, eq=False)
class TrainConfig:
    learning_rate: float = 0.1
    momentum: float = 0.9


def loss(weights: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
    return jnp.mean((x @ weights - y) ** 2)


@partial(jax.jit, static_argnames=("config",))
def train_step(
    weights: jax.Array,
    velocity: jax.Array,
    x: jax.Array,
    y: jax.Array,
    config: TrainConfig,  # E: [static-hash]
) -> tuple[jax.Array, jax.Array]:
    compilations.append("train_step")  # Python runs only while JAX traces
    velocity = config.momentum * velocity - config.learning_rate * jax.grad(loss)(weights, x, y)
    return weights + velocity, velocity


def read_settings() -> TrainConfig:
    return TrainConfig(learning_rate=0.05)


def main() -> None:
    x = jax.random.normal(jax.random.key(0), (64, 3))
    y = x @ jnp.array([1.0, -2.0, 3.0])
    weights = velocity = jnp.zeros(3)
    for _ in range(5):
        weights, velocity = train_step(weights, velocity, x, y, read_settings())
    print(f"5 steps, compiled {len(compilations)} times")


if __name__ == "__main__":
    main()
