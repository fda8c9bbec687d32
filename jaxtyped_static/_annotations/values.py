"""What is known of a value in a function's body before it runs: traced, a known object, or neither."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Traced:
    """A value that JAX traces: an argument, or the result of computing with one.

    Attributes:
        parameter: the parameter that holds it, if that has a name here.
    """

    parameter: str | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """One of several objects that exist already.

    Attributes:
        objects: the candidates.
        is_global: whether the function found it in its module, rather than getting it from elsewhere.
    """

    objects: tuple[object, ...]
    is_global: bool = False


@dataclass(frozen=True, slots=True)
class Bound:
    """The result of `functools.partial`."""

    fun: Value
    arguments: GivenArguments


@dataclass(frozen=True, slots=True)
class Several:
    """A tuple, such as `*args`: its first values, and what all others are; None if there are no others."""

    first: tuple[Value, ...] = ()
    rest: Value | None = None

    def at(self, index: int) -> Value | None:
        """Returns the value at an index; None if there is none."""
        if index < 0:
            return UNKNOWN
        return self.first[index] if index < len(self.first) else self.rest

    def behind(self, index: int) -> Several:
        """Returns the values from an index on."""
        return Several(self.first[index:], self.rest)

    def followed_by(self, values: Several) -> Several:
        """Returns the concatenation; if the first may have any length, the indices of the second are unknown."""
        if self.rest is None:
            return Several(self.first + values.first, values.rest)
        return Several(self.first, join([self.rest, *values.values()]))

    def values(self) -> tuple[Value, ...]:
        """Returns what the values are, whatever their indices."""
        return self.first if self.rest is None else (*self.first, self.rest)


@dataclass(frozen=True, slots=True)
class Named:
    """A dictionary with names as keys, such as `**kwargs`."""

    known: Mapping[str, Value] = field(default_factory=dict)
    rest: Value | None = None

    def get(self, name: str) -> Value | None:
        """Returns the value under a name; None if there is none."""
        return self.known.get(name, self.rest)


@dataclass(frozen=True, slots=True)
class Unknown:
    """Any value; it is treated as not traced."""


@dataclass(frozen=True, slots=True)
class GivenArguments:
    """The arguments of a call."""

    positional: Several = Several()
    named: Named = field(default_factory=Named)


Value: TypeAlias = "Traced | Known | Bound | Several | Named | Unknown"
UNKNOWN: Final = Unknown()


def join(values: Iterable[Value]) -> Value:
    """Returns what is known of a value that is one of these."""
    first, *others = values
    for other in others:
        first = _either(first, other)
    return first


def _either(one: Value, other: Value) -> Value:
    if isinstance(one, Traced) and isinstance(other, Traced):
        return one if one == other else Traced()
    if isinstance(one, Known) and isinstance(other, Known):
        return Known((*one.objects, *other.objects), one.is_global and other.is_global)
    return one if one == other else UNKNOWN
