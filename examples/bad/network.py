"""Build a network from a frozen configuration that holds a list: the first call raises.

`frozen=True` freezes the field, not the list in it, and a list has no hash.
"""

from dataclasses import dataclass
from itertools import pairwise

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Network:
    inputs: int
    hidden: list[int]


def init(key: jax.Array, network: Network) -> list[jax.Array]:
    sizes = [network.inputs, *network.hidden, 1]
    keys = jax.random.split(key, len(sizes) - 1)
    return [jax.random.normal(k, shape) for k, shape in zip(keys, pairwise(sizes), strict=True)]


init_weights = jax.jit(init, static_argnums=1)  # E: [static-mutable]


def predict(weights: list[jax.Array], x: jax.Array) -> jax.Array:
    for w in weights[:-1]:
        x = jnp.tanh(x @ w)
    return x @ weights[-1]


def main() -> None:
    weights = init_weights(jax.random.key(0), Network(inputs=2, hidden=[16, 16]))
    print("output shape", predict(weights, jnp.ones((8, 2))).shape)


if __name__ == "__main__":
    main()
