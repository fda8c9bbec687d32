"""How far values surely have a derivative by a parameter: the lattice that `reversed_loops` computes with."""

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from typing import Any


class Way(IntEnum):
    """How a value depends on the parameter."""

    UNKNOWN = 0  # perhaps not at all
    DIRECT = 1
    LOOPED = 2  # through a loop of unknown length


# That of one array, or of a pytree whose leaves all do; of the items of a tuple, list or dict.
Ways = Way | tuple[Any, ...]


def least(value: Ways) -> Way:
    """What any part of a value surely has."""
    return min(map(least, value), default=Way.UNKNOWN) if isinstance(value, tuple) else value


def flat(value: Ways) -> Way:
    """What some part of a value has."""
    return max(map(flat, value), default=Way.UNKNOWN) if isinstance(value, tuple) else value


def most(values: Iterable[Ways]) -> Way:
    """What is computed from several arrays; a tuple among them is none."""
    return max((value for value in values if not isinstance(value, tuple)), default=Way.UNKNOWN)


def common(values: Sequence[Ways]) -> Ways:
    return _merged(values, min, least)


def joined(values: Sequence[Ways]) -> Ways:
    return _merged(values, max, flat)


def _merged(values: Sequence[Ways], choose: Callable[..., Way], of_parts: Callable[[Ways], Way]) -> Ways:
    if not values:
        return Way.UNKNOWN
    tuples = [value for value in values if isinstance(value, tuple)]
    if len(tuples) == len(values) and len({len(value) for value in tuples}) == 1:
        return tuple(_merged(parts, choose, of_parts) for parts in zip(*tuples, strict=True))
    return choose(map(of_parts, values))


def looped(value: Ways) -> Ways:
    """What a loop of unknown length makes of its carry."""
    if isinstance(value, tuple):
        return tuple(map(looped, value))
    return Way.LOOPED if value is not Way.UNKNOWN else value
