"""What is known of a class: how its values are verified, keyed and taken apart."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from jaxtyped_static._attributes.attributes import Parts


class Handling(NamedTuple):
    """How to treat the values of one class; by default, a value is its own key.

    Attributes:
        verify: raises `Refused` for a value that breaks the contract by itself, whatever its parts are.
        key: makes an exact key of what the parts do not tell.
        parts: what the key is made of, and what is verified in turn.
        fields: the names of the attributes, if they are the parts.
        state: what else a program can read from a value. It is keyed as far as it can be seen, and never refused.
        plain_size: how many attributes a value has in its `__dict__` if it has no `state`; None if that varies.
        ordered: whether the order of the parts makes a difference.
        own_eq: whether values that the class's `__eq__` distinguishes are different even if their parts are the same.
        is_lenient: with `own_eq`: whether parts that break the contract are accepted, like `state`.
        covers_subclasses: whether this is all there is to a value of a subclass, too.
    """

    verify: Callable[[Any], None] | None = None
    key: Callable[[Any], Hashable] | None = None
    parts: Parts | None = None
    fields: tuple[str, ...] = ()
    state: Parts | None = None
    plain_size: int | None = None
    ordered: bool = True
    own_eq: bool = False
    is_lenient: bool = False
    covers_subclasses: bool = True


ITSELF = Handling()
BY_IDENTITY = Handling(key=id)
