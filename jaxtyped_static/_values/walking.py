"""Goes through a value and all its parts, however deep; and says why a value that was too deep for a key is so deep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from jaxtyped_static._values.handling import Part
from jaxtyped_static._values.refusals import Refused, class_name
from jaxtyped_static._values.words import Reason

# A value that is less deep is not why Python's stack was full.
_SHALLOW: Final = 50


class Place(NamedTuple):
    """An object in a value, and how it was reached."""

    value: Any
    step: str = ""
    outer: Place | None = None

    def around(self) -> Iterator[Place]:
        """Yields this place, and those of the objects that hold it, from the inside."""
        place: Place | None = self
        while place is not None:
            yield place
            place = place.outer

    def refuses(self, refused: Refused) -> Refused:
        """Returns the refusal of what is at this place, as seen from the whole value."""
        for place in self.around():
            if place.step:
                refused.under(place.step)
        return refused


def places(value: Any, parts_of: Callable[[Any], Iterable[Part]], step: str = "") -> Iterator[Place]:
    """Yields the places of all objects in a value, each object once, and those that hold others first."""
    pending = [Place(value, step)]
    seen: dict[int, Any] = {}  # Keeps the objects alive, so that their ids are not reused.
    while pending:
        place = pending.pop()
        if id(place.value) in seen:
            continue
        seen[id(place.value)] = place.value
        yield place
        pending += reversed([Place(part, step, place) for step, part in parts_of(place.value)])


def check_depth(value: Any, parts_of: Callable[[Any], Iterable[Part]], step: str = "") -> None:
    """Refuses a value, reached by a step, that filled Python's stack while its key was made.

    Raises:
        Refused: it contains itself, or is too deep; not if something else filled the stack.
    """
    deepest = 0
    for place in places(value, parts_of, step):
        around = {id(each.value): each for each in place.around()}
        deepest = max(deepest, len(around))
        for inner, part in parts_of(place.value):
            if id(part) in around:
                raise Place(part, inner, place).refuses(Refused(Reason.CONTAINS_ITSELF, class_name(type(part))))
    if deepest > _SHALLOW:
        raise Place(value, step).refuses(Refused(Reason.TOO_DEEP, class_name(type(value)), str(deepest)))
