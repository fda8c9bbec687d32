"""What a function does, step by step: which names it uses, and which attributes it sets."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias


class Named(NamedTuple):
    """A name that is used, mostly to call it."""

    name: str  # the last part
    line: int
    owner: str = ""  # of an attribute: what has it, as written; empty for a name alone
    is_call: bool = False
    is_for_jit: bool = False  # JAX compiles it, and an assignment gives the result a name
    is_of_base: bool = False  # `super().name`
    given: tuple[tuple[str, str], ...] = ()  # the attributes that a call passes, by position or name of the parameter
    passed: tuple[tuple[str, str], ...] = ()  # the same with names that stand alone
    is_uncertain: bool = False  # a condition may leave it out
    texts: tuple[tuple[str, str], ...] = ()  # all that a call passes, as `Stored` has values


class Set(NamedTuple):
    """An attribute that is set, or changed in place."""

    name: str
    line: int
    owner: str
    constant: str = ""  # the value, as written, if the source gives it
    is_uncertain: bool = False
    names: frozenset[str] = frozenset()  # that its value mentions


class Stored(NamedTuple):
    """A variable, or a part of one, that gets another value: `config.RATE`, `SETTINGS["rate"]`."""

    target: str
    line: int
    value: str  # as a text, alike for the same values; `?` in one that nobody knows
    operator: str = ""  # of `rate *= 0.5`
    is_local: bool = False  # of the function
    is_uncertain: bool = False


class Loop(NamedTuple):
    """Steps that run again and again."""

    steps: "tuple[Step, ...]"


class Guarded(NamedTuple):
    """Steps that only run while an attribute has no value: it is None, missing or not true."""

    attribute: str
    steps: "tuple[Step, ...]"


Step: TypeAlias = Named | Set | Stored | Loop | Guarded


@dataclass(frozen=True, eq=False)
class Routine:
    """A function, or the code of a module that is in none."""

    name: str  # with those of the functions and classes around it; empty for the module
    cls: str  # the class that it is a method of, named in the same way
    own: str  # its first parameter, if it is a method
    decorators: frozenset[str]  # as written
    steps: tuple[Step, ...]
    parameters: tuple[str, ...] = ()
    variables: frozenset[str] = frozenset()  # its own, and those of the functions around it

    @cached_property
    def named(self) -> frozenset[str]:
        """The names that it uses."""
        return frozenset(step.name for step in flat(self.steps) if isinstance(step, Named))

    @cached_property
    def called(self) -> frozenset[str]:
        return frozenset(step.name for step in flat(self.steps) if isinstance(step, Named) and step.is_call)

    @cached_property
    def sets(self) -> frozenset[tuple[int, str]]:
        """The attributes that it sets, and where."""
        return frozenset((step.line, step.name) for step in flat(self.steps) if isinstance(step, Set))


class Assigned(NamedTuple):
    """A name that gets what a call or an expression makes of others."""

    target: str
    compiled: frozenset[str]  # what JAX compiles for it
    given: frozenset[str]  # what else its value mentions, and does not call
    called: str  # what makes it


class ModuleSteps(NamedTuple):
    """All of one module."""

    routines: tuple[Routine, ...]
    assigned: tuple[Assigned, ...]
    asked: frozenset[str]  # attributes on which it depends what code does, whether they have a value
    defaults: Mapping[str, Mapping[str, str]]  # the constants in the bodies of classes
    decorated: frozenset[str]  # classes
    bases: Mapping[str, tuple[str, ...]]  # of each class, their last names
    looks_up: bool  # it reads attributes by names that are made at run time
    imports: Mapping[str, str]  # the full names of what it imports, by the names that it gives them


def flat(steps: tuple[Step, ...]) -> Iterator[Named | Set]:
    """The single steps with objects and functions."""
    for step in steps:
        if isinstance(step, (Loop, Guarded)):
            yield from flat(step.steps)
        elif not isinstance(step, Stored):
            yield step


def stored_in(steps: tuple[Step, ...]) -> Iterator[Stored]:
    """The single steps with variables."""
    for step in steps:
        if isinstance(step, (Loop, Guarded)):
            yield from stored_in(step.steps)
        elif isinstance(step, Stored):
            yield step


def last(name: str) -> str:
    return name.rpartition(".")[2]
