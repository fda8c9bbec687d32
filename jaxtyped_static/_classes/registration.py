"""Registers classes as pytrees. JAX cannot undo this: it keeps the class for good."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax

from jaxtyped_static._refusals.refused import class_name


def register_pytree(
    cls: type,
    decorator: str,
    *,
    flatten_with_keys: Callable[[Any], Any],
    flatten: Callable[[Any], Any],
    unflatten: Callable[[Any, Any], Any],
) -> None:
    """Registers a class; if it is registered already, the error names the decorator.

    Raises:
        TypeError: it is registered already.
    """
    try:
        jax.tree_util.register_pytree_with_keys(cls, flatten_with_keys, unflatten, flatten)
    except ValueError as error:
        raise TypeError(
            f"{class_name(cls)} is already registered as a pytree; {decorator} does that, so drop the other"
        ) from error
