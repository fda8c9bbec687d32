"""Smooth a signal with a stencil that is part of the static configuration: the second stencil raises.

`hash=False` leaves the array out of the hash, so the first call works. Then JAX compares the second stencil with it.
"""

from dataclasses import dataclass, field
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Stencil:
    name: str
    weights: jax.Array = field(hash=False)


@partial(jax.jit, static_argnames="stencil")
def smooth(signal: jax.Array, stencil: Stencil) -> jax.Array:  # E: [static-dynamic]
    return jnp.convolve(signal, stencil.weights, mode="valid")


def main() -> None:
    signal = jnp.array([0.0, 0.0, 6.0, 0.0, 0.0])
    for call in (1, 2):
        stencil = Stencil("binomial", jnp.array([0.25, 0.5, 0.25]))
        print(f"call {call}: {smooth(signal, stencil)}")


if __name__ == "__main__":
    main()
