"""What is known of a class: how its values are verified, keyed and taken apart."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple, TypeAlias

# A part of a value, with the step that leads to it: `.name`, `[0]`.
Part: TypeAlias = tuple[str, Any]
Parts: TypeAlias = Callable[[Any], Iterable[Part]]


class Handling(NamedTuple):
    """How to treat the values of one class; by default, a value is its own key.

    Attributes:
        verify: raises `Refused` for a value that breaks the contract by itself, whatever its parts are.
        key: makes an exact key; without it, the key is made of the parts, or is the value itself if it has none.
        parts: what the key is made of, and what is verified in turn.
        fields: the names of the attributes, if they are the parts and there are no others.
        ordered: whether the order of the parts makes a difference.
        own_eq: whether the class's `__eq__` decides equality; the parts refine it only where it is not exact.
        parts_decide: with `own_eq`: whether `__eq__` ignores the parts, so that those with a key distinguish values.
    """

    verify: Callable[[Any], None] | None = None
    key: Callable[[Any], Hashable] | None = None
    parts: Parts | None = None
    fields: tuple[str, ...] = ()
    ordered: bool = True
    own_eq: bool = False
    parts_decide: bool = False


ITSELF = Handling()
BY_IDENTITY = Handling(key=id)
