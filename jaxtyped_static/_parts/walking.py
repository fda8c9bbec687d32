"""Goes through a value and all its parts, however deep; and says why a value that was too deep for a key is so deep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from jaxtyped_static._attributes.attributes import Part
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._refusals.words import Reason

# A value that is less deep is not why Python's stack was full.
_SHALLOW: Final = 50


class Place(NamedTuple):
    """An object in a value, and how it was reached."""

    value: Any
    step: str = ""
    outer: Place | None = None

    def refuses(self, refused: Refused) -> Refused:
        """Returns the refusal of what is at this place, as seen from the whole value."""
        place: Place | None = self
        while place is not None:
            if place.step:
                refused.under(place.step)
            place = place.outer
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
    path, pending = [Place(value, step)], [iter(parts_of(value))]
    around, seen = {id(value)}, {id(value): value}
    deepest = 1
    while pending:
        found = next(pending[-1], None)
        if found is None:
            pending.pop()
            around.discard(id(path.pop().value))
            continue
        place = Place(found[1], found[0], path[-1])
        number = id(place.value)
        if number in around:
            raise place.refuses(Refused(Reason.CONTAINS_ITSELF, class_name(type(place.value))))
        if number not in seen:
            seen[number] = place.value
            path.append(place)
            pending.append(iter(parts_of(place.value)))
            around.add(number)
            deepest = max(deepest, len(path))
    if deepest > _SHALLOW:
        raise Place(value, step).refuses(Refused(Reason.TOO_DEEP, class_name(type(value)), str(deepest)))
