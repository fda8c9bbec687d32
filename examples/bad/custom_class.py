"""The class of the JAX FAQ, "How to use jit with methods?": jitted as it is, with a static `self`, and with a hash.

The first cannot be called, the second ignores a change, and the third cannot be called either, because it hashes an
array.
"""

from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp


class PlainClass:
    def __init__(self, x: jax.Array, mul: bool) -> None:
        self.x = x
        self.mul = mul

    @jax.jit
    def calc(self, y: float) -> jax.Array:  # E: [jit-self]
        return self.x * y if self.mul else self.x + y


class StaticClass:
    def __init__(self, x: jax.Array, mul: bool) -> None:
        self.x = x
        self.mul = mul

    @partial(jax.jit, static_argnums=0)
    def calc(self, y: float) -> jax.Array:  # E: [static-mutable]
        return self.x * y if self.mul else self.x + y


class HashedClass:
    def __init__(self, x: jax.Array, mul: bool) -> None:
        self.x = x
        self.mul = mul

    @partial(jax.jit, static_argnums=0)
    def calc(self, y: float) -> jax.Array:  # E: [static-dynamic]
        return self.x * y if self.mul else self.x + y

    def __hash__(self) -> int:
        return hash((self.x, self.mul))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HashedClass) and bool(self.x == other.x) and self.mul == other.mul


def outcome(calc: Callable[[float], jax.Array]) -> str:
    try:
        return f"{calc(3.0):.0f}"
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error!s:.60} ..."


def static_outcome(c: StaticClass) -> str:
    return outcome(c.calc)


def main() -> None:
    x = jnp.array(2.0)
    print("PlainClass   2 * 3 =", outcome(PlainClass(x, mul=True).calc))
    c = StaticClass(x, mul=True)
    print("StaticClass  2 * 3 =", static_outcome(c))
    c.mul = False
    print("StaticClass  2 + 3 =", static_outcome(c))
    print("HashedClass  2 * 3 =", outcome(HashedClass(x, mul=True).calc))


if __name__ == "__main__":
    main()
