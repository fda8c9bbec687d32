"""The class of the JAX FAQ as a pytree: `x` is traced, `mul` is a constant, and neither can change in place."""

from dataclasses import dataclass, field, replace

import jax
import jax.numpy as jnp

from jaxtyped_static import Dynamic, Static, jit


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class CustomClass:
    x: Dynamic[jax.Array]
    mul: Static[bool] = field(metadata={"static": True})

    @jit
    def calc(self, y: float) -> jax.Array:
        return self.x * y if self.mul else self.x + y


def main() -> None:
    c = CustomClass(jnp.array(2.0), mul=True)
    print(f"2 * 3 = {c.calc(3.0):.0f}")
    c = replace(c, mul=False)
    print(f"2 + 3 = {c.calc(3.0):.0f}")


if __name__ == "__main__":
    main()
