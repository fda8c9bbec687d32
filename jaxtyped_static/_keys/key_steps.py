"""Keys the values of a sequence one by one, according to their classes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Final, TypeAlias

from jaxtyped_static._refusals.refused import Refused

Keyer: TypeAlias = Callable[[Any], Hashable]
Steps: TypeAlias = Sequence[tuple[int, Keyer]]

# Real programs have few combinations of classes; generated ones may have any number.
_MAX_PLANS: Final = 4096


def remember(plans: dict[tuple[type, ...], Any], types: tuple[type, ...], plan: object) -> None:
    """Stores a plan, unless one of the classes may be short-lived, and one of many."""
    if len(plans) >= _MAX_PLANS:
        plans.clear()
    if not any("<locals>" in cls.__qualname__ for cls in types):
        plans[types] = plan


def follow(
    steps: Iterable[tuple[int, Keyer]], values: Sequence[Any], step_of: Callable[[int], str]
) -> tuple[Hashable, ...]:
    """Returns the keys of the values of a sequence.

    Raises:
        Refused: one of them breaks the static contract.
    """
    keys = list(values)
    for index, keyer in steps:
        try:
            keys[index] = keyer(keys[index])
        except Refused as refused:
            raise refused.under(step_of(index)) from None
    return tuple(keys)
