"""What is known of a class: how its values are verified, keyed and taken apart."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple, TypeAlias

# What a value is made of, each part with the step that leads to it: `.name`, `[0]`.
Part: TypeAlias = tuple[str, Any]
Parts: TypeAlias = Callable[[Any], Iterable[Part]]


class Handling(NamedTuple):
    """How to treat the values of one class; with nothing set, a value is its own key.

    Attributes:
        verify: raises `Refused` for a value that breaks the contract by itself, whatever its parts are.
        key: an exact key; the value itself without one, unless it has parts.
        parts: what the key is made of, and what is to be verified in turn.
        fields: the names of the attributes, where the parts are these and nothing else.
        ordered: whether the order of the parts makes a difference.
        own_eq: the class's `__eq__` says what is equal; the parts tell only where that is not exact.
        parts_decide: with `own_eq`, which knows nothing of the parts: those that have a key tell values apart.
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
