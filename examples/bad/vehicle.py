"""A method under `jit` with a static `self`: the vehicle gets two more wheels, and the method does not notice."""

from functools import partial

import jax
import jax.numpy as jnp


class Vehicle:
    def __init__(self, num_wheels: int) -> None:
        self.num_wheels = num_wheels

    @partial(jax.jit, static_argnums=0)
    def load_per_wheel(self, load: jax.Array) -> jax.Array:  # E: [static-mutable]
        return load / self.num_wheels


def main() -> None:
    vehicle = Vehicle(num_wheels=2)
    load = jnp.array(1200.0)
    print(f"{vehicle.num_wheels} wheels carry {vehicle.load_per_wheel(load):.0f} each")
    vehicle.num_wheels = 4
    print(f"{vehicle.num_wheels} wheels carry {vehicle.load_per_wheel(load):.0f} each")


if __name__ == "__main__":
    main()
