"""What objects keep where Python's `__dict__` does not show it: the elements of arrays, and the state of C classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from jaxtyped_static._values.class_contract import attribute_parts
from jaxtyped_static._values.handling import Part
from jaxtyped_static._values.pickled_state import has_hidden_state

# The step to what an object keeps in C; a path ends in front of it.
STATE: Final = "<state>"


def array_parts(value: np.ndarray[Any, Any] | np.void) -> Iterator[Part] | None:
    """Returns the attributes of an array's subclass, and the elements that are objects; None if it has neither."""
    if not value.dtype.hasobject and not hasattr(value, "__dict__"):
        return None
    return _of_array(value)


def _of_array(value: np.ndarray[Any, Any] | np.void) -> Iterator[Part]:
    if hasattr(value, "__dict__"):
        yield from attribute_parts(value)
    if value.dtype.hasobject:
        elements = value.ravel().tolist() if isinstance(value, np.ndarray) else [value.item()]
        for index, element in zip(np.ndindex(value.shape), elements, strict=True):
            yield f"[{', '.join(map(str, index))}]", element


def object_parts(value: Any) -> Iterator[Part]:
    """Yields the attributes of an object, and what its class keeps in C, as pickle would get it.

    The cells of a pandas DataFrame, for example, are attributes of a class written in Cython.
    """
    yield from attribute_parts(value)
    cls: Any = type(value)
    if has_hidden_state(cls):
        try:
            _, *state = value.__reduce_ex__(4)
        except Exception:  # It cannot be pickled: a lock, a connection, a file.
            return
        yield STATE, [list(each) if isinstance(each, Iterator) else each for each in state]
