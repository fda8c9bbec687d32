"""The stencil with its weights as a tuple: numbers that are part of the program, compared as numbers."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp

from jaxtyped_static import Static, jit


@dataclass(frozen=True)
class Stencil:
    name: str
    weights: tuple[float, ...]


@jit
def smooth(signal: jax.Array, stencil: Static[Stencil]) -> jax.Array:
    return jnp.convolve(signal, jnp.array(stencil.weights), mode="valid")


def main() -> None:
    signal = jnp.array([0.0, 0.0, 6.0, 0.0, 0.0])
    for call in (1, 2):
        stencil = Stencil("binomial", (0.25, 0.5, 0.25))
        print(f"call {call}: {smooth(signal, stencil)}")


if __name__ == "__main__":
    main()
