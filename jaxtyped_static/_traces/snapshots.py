"""Static values as they were when a function was traced, part by part, for comparison with later ones."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterable
from types import FunctionType, MethodType
from typing import Any, Final, NamedTuple

from jaxtyped_static._attributes.attributes import Part
from jaxtyped_static._attributes.fields import field_names
from jaxtyped_static._keys.value_keys import handling_of
from jaxtyped_static._kinds import is_static
from jaxtyped_static._parts.contents import parts_of
from jaxtyped_static._traces.value_text import in_short

# A larger or deeper value is compared as a whole from there on.
_MAX_DEPTH: Final = 16
_MAX_PARTS: Final = 4096
# Not static values, but still explained part by part.
_TAKEN_APART: Final = (list, dict, functools.partial)


class Snapshot(NamedTuple):
    """A value and its parts at one moment.

    Attributes:
        value: the object itself.
        parts: its parts, each with the step that leads to it; None for a value without parts.
        exact: whether values of its class are equal only if they are identical in every detail.
        hash: its hash then; None if it was not needed, or does not exist.
        text: how it was shown then; empty if it was not needed.
    """

    value: Any
    parts: tuple[tuple[str, Snapshot], ...] | None = None
    exact: bool = False
    hash: int | None = None
    text: str = ""


def snapshot_of(value: Any) -> Snapshot:
    """Returns the snapshot of a value."""
    return _take(value, set(), [_MAX_PARTS])._replace(hash=hash_of(value), text=in_short(value))


def hash_of(value: Any) -> int | None:
    """Returns its hash; None if it has none."""
    try:
        return hash(value)
    except Exception:
        return None


def _take(value: Any, around: set[int], left: list[int]) -> Snapshot:
    """Takes a snapshot. `around`: the objects that hold this one; `left`: how many more parts may be examined."""
    exact = is_static(type(value))
    if id(value) in around or len(around) >= _MAX_DEPTH or left[0] <= 0:
        return Snapshot(value, exact=exact)
    parts = _parts(value)
    if parts is None:
        return Snapshot(value, exact=exact)
    left[0] -= len(parts)
    inside = around | {id(value)}
    return Snapshot(value, tuple((step, _take(part, inside, left)) for step, part in parts), exact)


def _parts(value: Any) -> list[Part] | None:
    """Returns the parts; a user's class must not be able to make an explanation fail."""
    with contextlib.suppress(Exception):
        parts = _parts_of(value)
        return None if parts is None else list(parts)
    return None


def _parts_of(value: Any) -> Iterable[Part] | None:
    cls = type(value)
    if isinstance(value, _TAKEN_APART):
        return parts_of(value)
    if isinstance(value, FunctionType | MethodType | type | frozenset | slice):
        return None
    if is_static(cls):
        return ((f".{name}", getattr(value, name)) for name in field_names(cls) or ())
    parts = handling_of(cls).parts
    return None if parts is None else parts(value)
