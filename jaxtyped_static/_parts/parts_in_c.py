"""What objects keep where Python's `__dict__` does not show it: the elements of arrays, and the state of C classes."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from types import WrapperDescriptorType
from typing import Any, Final

import numpy as np

from jaxtyped_static._attributes.attributes import Part, attribute_parts
from jaxtyped_static._parts.pickled_state import has_hidden_state

# The step to what an object keeps in C; a path ends in front of it.
STATE: Final = "<state>"
# Properties of these are in Python, or are attributes themselves (slots).
_WITHOUT_PROPERTIES_IN_C: Final = frozenset({"builtins", "functools", "jax", "jaxlib"})


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
        yield STATE, [_without_attributes(part, value) for part in state]


@functools.lru_cache(maxsize=1024)
def has_properties_in_c(cls: Any) -> bool:
    """Returns whether code in C reads attributes for properties, as for `DataFrame.columns`: no name tells which."""
    return any(map(_is_property_in_c, itertools.chain.from_iterable(vars(base).values() for base in cls.__mro__)))


def _is_property_in_c(member: Any) -> bool:
    kind: Any = type(member)
    if kind.__module__.partition(".")[0] in _WITHOUT_PROPERTIES_IN_C:
        return False
    return isinstance(getattr(kind, "__get__", None), WrapperDescriptorType) and hasattr(kind, "__set__")


def _without_attributes(state: Any, value: Any) -> Any:
    """Returns a part of what was pickled without the dict of attributes, which are seen as such: they may be caches."""
    if isinstance(state, Iterator):
        return list(state)
    if type(state) is tuple:
        return tuple(part for part in state if not _are_attributes(part, value))
    return None if _are_attributes(state, value) else state


def _are_attributes(part: Any, value: Any) -> bool:
    attributes = getattr(value, "__dict__", None)
    if type(part) is not dict or type(attributes) is not dict or part.keys() != attributes.keys():
        return False
    return all(part[name] is attributes[name] for name in part)
