"""Values that their exact key describes completely: if one was verified, an object with the same key needs no check."""

from __future__ import annotations

import enum
from collections.abc import Hashable
from types import FunctionType
from typing import Any

from jaxtyped_static._attributes.attributes import attributes_of
from jaxtyped_static._calls.fingerprints import ATOMS
from jaxtyped_static._calls.unchanged import is_permanent
from jaxtyped_static._keys.value_keys import handling_of, key_of
from jaxtyped_static._kinds import is_static
from jaxtyped_static._refusals.refused import Refused
from jaxtyped_static._singletons.lasting import LOCAL
from jaxtyped_static._static_objects.layouts import layout_of


def exact_key(value: Any) -> Hashable | None:
    """Returns the class and the key of a value; None if it breaks the contract, or is too deep."""
    try:
        return type(value), key_of(value)
    except (Refused, RecursionError):
        return None


def is_plain(value: Any) -> bool:
    """Returns whether a value is compared by its fields, down to parts that cannot change or exist once."""
    cls = type(value)
    if cls in ATOMS or is_permanent(value):
        return True
    if isinstance(value, enum.Enum):
        return LOCAL not in cls.__qualname__
    if isinstance(value, FunctionType):
        return LOCAL not in value.__qualname__ and not value.__closure__
    if cls in (tuple, frozenset):
        return all(map(is_plain, value))
    if is_static(cls):
        layout = layout_of(cls)
        return not layout.by_id and all(is_plain(getattr(value, name)) for name in layout.names)
    fields = handling_of(cls).fields
    if not fields or any(name not in fields for name, _ in attributes_of(value)):
        return False  # Its key does not have what `__post_init__` has set besides the fields.
    return all(is_plain(getattr(value, name, None)) for name in fields)
