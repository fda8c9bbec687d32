"""What a census says. Nothing in it belongs to mypy, so it outlives the run."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple


class Role(StrEnum):
    """What JAX makes of a value."""

    STATIC = "static"
    DYNAMIC = "dynamic"
    UNKNOWN = "unknown"


class Verdict(StrEnum):
    """Whether a class or parameter can play its roles."""

    BROKEN = "broken"
    UNPROVEN = "unproven"
    SOUND = "sound"


class Place(NamedTuple):
    """A line of a file. The path is as users can open it from the current folder."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


class Reason(NamedTuple):
    """Why something is broken or unproven: a rule, and the path to what is at fault."""

    code: str
    path: str  # from what is judged: `.grid.mask`; empty for itself
    problem: str
    advice: str
    is_certain: bool = True  # False: nothing proves the opposite

    @property
    def verdict(self) -> Verdict:
        return Verdict.BROKEN if self.is_certain else Verdict.UNPROVEN


def verdict_of(reasons: Iterable[Reason]) -> Verdict:
    """The worst."""
    return min((reason.verdict for reason in reasons), key=list(Verdict).index, default=Verdict.SOUND)


class Parameter(NamedTuple):
    """A parameter of a compiled function."""

    name: str
    role: Role
    type: str
    is_donated: bool = False
    reasons: tuple[Reason, ...] = ()
    classes: tuple[str, ...] = ()  # the identifiers of those that its values hold


class Argument(NamedTuple):
    """What a call passes for a static parameter."""

    name: str
    value: str  # its source
    type: str


class Call(NamedTuple):
    """A place where a compiled function is called, or passed on without a call."""

    place: Place
    scope: str  # the functions and classes around it
    is_call: bool = True
    arguments: tuple[Argument, ...] = ()
    caller: str = ""  # the identifier of the compiled function around it


class Function(NamedTuple):
    """A compiled function."""

    id: str
    name: str
    place: Place
    compiler: str  # the full name of what compiles it
    parameters: tuple[Parameter, ...] = ()
    unread: str = ""  # why its static parameters are unknown
    calls: tuple[Call, ...] = ()

    @property
    def verdict(self) -> Verdict:
        reasons = [reason for parameter in self.parameters for reason in parameter.reasons]
        return verdict_of(reasons) if reasons or not self.unread else Verdict.UNPROVEN

    def named(self, role: Role) -> list[Parameter]:
        return [parameter for parameter in self.parameters if parameter.role is role]


class Use(NamedTuple):
    """Why a class plays a role: it is a parameter, an argument or a field, or is declared so."""

    role: Role
    kind: str  # "parameter", "argument", "field", "subclass" or "declaration"
    owner: str = ""  # the identifier of the function or class that has the parameter or field, or of the base class
    name: str = ""  # of the parameter or field
    place: Place | None = None  # of an argument


class Field(NamedTuple):
    """A field of a class."""

    name: str
    type: str
    role: Role | None  # in an object that is a pytree, or static; None in other classes
    reasons: tuple[Reason, ...] = ()  # as a static value, if that is its role
    classes: tuple[str, ...] = ()


class Class(NamedTuple):
    """A class that plays a role."""

    id: str
    name: str
    place: Place
    declared: str  # "static class", "pytree" or empty
    uses: tuple[Use, ...] = ()
    reasons: tuple[Reason, ...] = ()
    fields: tuple[Field, ...] = ()
    bases: tuple[str, ...] = ()  # the identifiers of those in the program

    @property
    def roles(self) -> tuple[Role, ...]:
        """By its uses; by its declaration, if nothing uses it."""
        played = {use.role for use in self.uses if use.kind != "declaration"} or {use.role for use in self.uses}
        return tuple(role for role in Role if role in played)

    @property
    def is_both(self) -> bool:
        return len(self.roles) > 1

    @property
    def verdict(self) -> Verdict:
        return verdict_of(self.reasons)


class Census(NamedTuple):
    """The compiled functions of a program, and its classes that play a role."""

    files: int
    functions: tuple[Function, ...]
    classes: tuple[Class, ...]

    @property
    def names(self) -> dict[str, str]:
        """By identifier."""
        functions = {function.id: function.name for function in self.functions}
        return functions | {cls.id: cls.name for cls in self.classes}
