"""Values of classes written by hand, and a compiled function to hand them to."""

from __future__ import annotations

from typing import Any

import jax

from jaxtyped_static import Static, dynamic_dataclass, jit
from tests.runtime.guarded_values import unseen


class ByHand:
    def __init__(self, a: Any, b: Any = 0) -> None:
        self._a, self._b = a, b

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._a == other._a

    def __hash__(self) -> int:
        return hash(type(self))


class WithHash(ByHand):
    __eq__ = ByHand.__eq__

    def __hash__(self) -> int:
        return hash(self._a)


@dynamic_dataclass
class State:
    x: jax.Array
    config: Static[Any]


def compiled(function: Any, *static: str) -> Any:
    return unseen(jit)(function, static_argnames=static)
