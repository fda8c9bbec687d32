"""Subclasses of known classes: what a subclass adds to a number, a text or a date is part of the value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jaxtyped_static._attributes.attributes import Part, attribute_parts
from jaxtyped_static._class_contract.frozen import check_frozen
from jaxtyped_static._class_contract.hashing import check_hash
from jaxtyped_static._keys.handling import Handling
from jaxtyped_static._parts.pickled_state import has_hidden_state, hidden_parts


def extended(handling: Handling, base: type, cls: type) -> Handling:
    """Returns how to treat the values of a class, from how those of its base are treated.

    They are compared by the class's `__eq__`, by what the base holds, and by their attributes.
    """
    if not _adds_anything(cls, base):
        return handling
    has_own_eq = cls.__eq__ is not base.__eq__ or cls.__hash__ is not base.__hash__

    def verify(value: Any) -> None:
        if handling.verify is not None:
            handling.verify(value)
        check_frozen(value)
        if has_own_eq:
            check_hash(value)

    def parts(value: Any) -> Iterator[Part]:
        if handling.parts is not None:
            yield from handling.parts(value)
        yield from attribute_parts(value)

    def state(value: Any) -> Iterator[Part]:
        return hidden_parts(value, base)

    return handling._replace(verify=verify, parts=parts, state=state, own_eq=True, covers_subclasses=True)


def _adds_anything(cls: Any, base: Any) -> bool:
    if cls.__eq__ is not base.__eq__ or cls.__hash__ is not base.__hash__:
        return True
    added = (ancestor for ancestor in cls.__mro__ if not issubclass(base, ancestor))
    return (
        has_hidden_state(cls, base)
        or bool(cls.__dictoffset__ and not base.__dictoffset__)
        or any(ancestor.__dict__.get("__slots__") for ancestor in added)
    )
