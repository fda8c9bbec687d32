"""The network with a tuple in its configuration: hashable, and equal to any other of the same sizes."""

from dataclasses import dataclass
from itertools import pairwise

import jax
import jax.numpy as jnp

from jaxtyped_static import Static, jit


@dataclass(frozen=True)
class Network:
    inputs: int
    hidden: tuple[int, ...]


@jit
def init_weights(key: jax.Array, network: Static[Network]) -> list[jax.Array]:
    sizes = [network.inputs, *network.hidden, 1]
    keys = jax.random.split(key, len(sizes) - 1)
    return [jax.random.normal(k, shape) for k, shape in zip(keys, pairwise(sizes), strict=True)]


def predict(weights: list[jax.Array], x: jax.Array) -> jax.Array:
    for w in weights[:-1]:
        x = jnp.tanh(x @ w)
    return x @ weights[-1]


def main() -> None:
    weights = init_weights(jax.random.key(0), Network(inputs=2, hidden=(16, 16)))
    print("output shape", predict(weights, jnp.ones((8, 2))).shape)


if __name__ == "__main__":
    main()
