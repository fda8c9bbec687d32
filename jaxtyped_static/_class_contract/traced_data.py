"""Checks whether an object is a pytree with data, which JAX would trace."""

from __future__ import annotations

from typing import Any, Final

import jax
import numpy as np

from jaxtyped_static._kinds import is_dynamic
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._refusals.words import Reason

_flatten_one_level: Final = jax.tree_util.default_registry.flatten_one_level


def check_no_data(value: Any) -> None:
    """Refuses a registered pytree that holds arrays. One that holds plain numbers is judged by its attributes.

    Any `dynamic_dataclass` with data fields is refused: what they are declared as does not matter to JAX.
    """
    flattened = _flatten_one_level(value)
    children = tuple(flattened[0]) if flattened is not None else ()
    if not children:
        return
    is_whole = is_dynamic(type(value))
    found = next((index for index, child in enumerate(children) if is_whole or _holds_arrays(child)), None)
    if found is not None:
        raise Refused(Reason.PYTREE_DATA, class_name(type(value)), _data_field(value, found))


def _holds_arrays(child: Any) -> bool:
    return any(isinstance(leaf, (jax.Array, np.ndarray)) for leaf in jax.tree.leaves(child))


def _data_field(value: Any, index: int) -> str:
    paths, _ = jax.tree_util.tree_flatten_with_path(value, is_leaf=lambda part: part is not value)
    step = paths[index][0][0] if index < len(paths) and paths[index][0] else "?"
    return str(getattr(step, "name", getattr(step, "key", step)))
