"""What JAX has compiled into each traced program of a function: its static values, in their state at that time."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from jaxtyped_static._calls.changes import first_change
from jaxtyped_static._calls.fingerprints import Fingerprint
from jaxtyped_static._calls.read_names import Names, Reads

# Of one program: the static values of functions that it calls. A larger program is a library's.
_MAX_INNER: Final = 256


class CompiledValue(NamedTuple):
    """A static value as a program has it.

    Attributes:
        function: the compiled function that got it.
        parameter: the parameter; empty for what the function captures.
        reference: returns the value; None if it is gone.
        fingerprint: its state when the program was traced.
        captured: the names of captured values, of which the value is a tuple.
    """

    function: str
    parameter: str
    reference: Callable[[], Any]
    fingerprint: Fingerprint
    captured: tuple[str, ...] = ()


class Program(NamedTuple):
    """A traced program.

    Attributes:
        values: the static arguments, and what the function captures.
        inner: the same of the compiled functions that it calls.
        reads: what its code reads; None if that is not known.
    """

    values: tuple[CompiledValue, ...]
    inner: tuple[CompiledValue, ...]
    reads: Reads | None

    @property
    def names(self) -> Names:
        """The attributes that it may depend on."""
        return None if self.reads is None else self.reads.names

    def value_of(self, parameter: str) -> CompiledValue | None:
        """Returns the value of a parameter."""
        return next((compiled for compiled in self.values if compiled.parameter == parameter), None)


class Programs:
    """The programs of one function, while JAX keeps them."""

    def __init__(self) -> None:
        self._programs: dict[int, tuple[weakref.ref[object], Program]] = {}  # By the id of JAX's program.

    def __iter__(self) -> Iterator[Program]:
        return iter([program for _, program in list(self._programs.values())])

    def of(self, key: object | None) -> Program | None:
        """Returns what is known of JAX's program."""
        known = self._programs.get(id(key))
        return known[1] if known is not None and known[0]() is key else None

    def add(self, key: object, program: Program) -> None:
        """Remembers a program while JAX keeps it."""
        number = id(key)
        self._programs[number] = weakref.ref(key, lambda _: self._programs.pop(number, None)), program

    def take_over(self, value: Any, before: Fingerprint, now: Fingerprint) -> None:
        """Lets the programs that have a value in one state expect it in another.

        Tracing the function has brought it there: it counts its traces, for example, or notes the shapes.
        """
        for number, (key, program) in list(self._programs.items()):
            values = tuple(
                compiled._replace(fingerprint=now)
                if compiled.reference() is value and first_change(compiled.fingerprint, before, program.names) is None
                else compiled
                for compiled in program.values
            )
            self._programs[number] = key, program._replace(values=values)

    @property
    def names(self) -> Names:
        """The attributes that any of the programs may read."""
        read: frozenset[str] = frozenset()
        for program in self:
            names = program.names
            if names is None:
                return None
            read |= names
        return read


def reference_to(value: Any) -> Callable[[], Any]:
    """Returns a weak reference if the class allows one."""
    return weakref.ref(value) if type(value).__weakrefoffset__ else lambda: value


def distinct(values: Iterable[CompiledValue]) -> tuple[CompiledValue, ...]:
    """Returns the values, each once, and not too many."""
    found = {(compiled.function, compiled.parameter, id(compiled.fingerprint)): compiled for compiled in values}
    return tuple(found.values())[:_MAX_INNER]
