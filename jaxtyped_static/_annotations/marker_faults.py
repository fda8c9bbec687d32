"""Markers that have no effect, and would silently leave a parameter or field dynamic."""

from __future__ import annotations

from typing import NamedTuple

from jaxtyped_static._annotations.reading import Reading
from jaxtyped_static._annotations.rendering import without_markers
from jaxtyped_static._markers import Marker


class MarkerFault(NamedTuple):
    """What is wrong with the markers of an annotation, and the rule's code."""

    problem: str
    code: str


def is_contradictory(reading: Reading) -> bool:
    """Returns whether the markers say nothing, or contradict each other."""
    return reading.bare or len(reading.top) > 1


def marker_fault(reading: Reading, found: str, holder: str) -> MarkerFault | None:
    """Returns what keeps the markers of an annotation from taking effect, if anything.

    Args:
        reading: the annotation's markers.
        found: the annotation as text.
        holder: what is annotated, `"parameter"` or `"field"`.
    """
    if reading.bare:
        how = "with a marker that has no type; write it around the type, as in `Static[int]`"
        return MarkerFault(f"found `{found}` {how}", "static-marker")
    if len(reading.top) > 1:
        return MarkerFault(
            f"found `{found}`, which is both static and dynamic; keep one of the two markers", "static-marker"
        )
    if not reading.nested:
        return None
    traced_inside = reading.top == {Marker.STATIC} and Marker.DYNAMIC in reading.nested
    return MarkerFault(
        f"found `{found}`, whose inner marker has no effect; {_outermost(reading, found, holder)}",
        "static-dynamic" if traced_inside else "static-marker",
    )


def _outermost(reading: Reading, found: str, holder: str) -> str:
    kinds = reading.top | reading.nested
    stripped = without_markers(found)
    if len(kinds) > 1:
        return f"split it into one {holder} for the static part and one for the dynamic part"
    if stripped is None:
        return "write one marker around the whole type"
    return f"write `{next(iter(kinds)).value}[{stripped}]`"
