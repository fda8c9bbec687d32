"""What JAX's control flow passes to a function: the arguments of its own call, whole or one element after the other."""

from collections.abc import Mapping
from typing import Final

# By the parameter of the function: the position and the name of the argument that has the same structure.
_PASSED: Final[Mapping[str, Mapping[int, tuple[int, str]]]] = {
    "fori_loop": {1: (3, "init_val")},
    "map": {0: (1, "xs")},
    "scan": {0: (1, "init"), 1: (2, "xs")},
    "while_loop": {0: (2, "init_val")},
}


def operands_of(transformation: str | None) -> Mapping[int, tuple[int, str]]:
    """`transformation`: the last part of the name of a function of `jax.lax`."""
    return _PASSED.get(transformation or "", {})
