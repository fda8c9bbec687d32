"""The vehicle as a frozen value: one with four wheels is another vehicle, and gets its own compilation."""

from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp

from jaxtyped_static import Static, jit


@dataclass(frozen=True)
class Vehicle:
    num_wheels: int

    @jit
    def load_per_wheel(self: Static["Vehicle"], load: jax.Array) -> jax.Array:
        return load / self.num_wheels


def main() -> None:
    vehicle = Vehicle(num_wheels=2)
    load = jnp.array(1200.0)
    print(f"{vehicle.num_wheels} wheels carry {vehicle.load_per_wheel(load):.0f} each")
    vehicle = replace(vehicle, num_wheels=4)
    print(f"{vehicle.num_wheels} wheels carry {vehicle.load_per_wheel(load):.0f} each")


if __name__ == "__main__":
    main()
