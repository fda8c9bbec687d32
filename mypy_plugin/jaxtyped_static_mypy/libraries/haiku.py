"""dm-haiku: `hk.transform` makes a tuple of two new functions; `hk.scan` and its like are those of JAX, with state.

A module exists only while such a function runs, so it is never a static argument.
"""

from typing import Final

from ..knowledge.function_rows import NEW_FUNCTION
from ..knowledge.jax_functions import JAX_FUNCTIONS
from ._library import Library

# Name -> the function of JAX that calls what it is given, as this one does.
_STATEFUL: Final = {
    "cond": "lax.cond",
    "eval_shape": "api.eval_shape",
    "fori_loop": "lax.fori_loop",
    "grad": "api.grad",
    "map": "lax.map",
    "remat": "ad_checkpoint.remat",
    "scan": "lax.scan",
    "switch": "lax.switch",
    "value_and_grad": "api.value_and_grad",
    "vmap": "api.vmap",
    "while_loop": "lax.while_loop",
}
_TRANSFORMS: Final = {
    "transform": ("transform", "transform_with_state", "with_empty_state", "without_state"),
    "multi_transform": ("multi_transform", "multi_transform_with_state", "without_apply_rng"),
}

# How many arguments of `apply` stand in front of those of the function: its parameters, a state, a key.
_LEADING: Final = {"transform": 2, "transform_with_state": 3}
LEADING_ARGUMENTS: Final = {
    f"{module}.{name}": count for module in ("haiku", "haiku._src.transform") for name, count in _LEADING.items()
}
WITHOUT_KEY: Final = frozenset({"haiku.without_apply_rng", "haiku._src.multi_transform.without_apply_rng"})

LIBRARY = Library(
    functions={
        f"{module}.{name}": row
        for area, rows in (
            *((area, dict.fromkeys(names, NEW_FUNCTION)) for area, names in _TRANSFORMS.items()),
            ("stateful", {name: JAX_FUNCTIONS[of_jax] for name, of_jax in _STATEFUL.items()}),
        )
        for module in ("haiku", f"haiku._src.{area}")
        for name, row in rows.items()
    }
)
