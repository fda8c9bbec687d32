"""What an error says, as data: for the command, which knows what to do by it, and not by its words.

mypy keeps nothing of an error but its text, in its cache, in the daemon and between its processes. So a finding is
written into a note of its own below its error, as JSON, where the error code `FINDINGS` is enabled.
"""

import contextlib
import json
from enum import StrEnum
from typing import Any, Final, NamedTuple

from .actions import Action, Advised, Values
from .harm import Harm
from .messages import advice_text

VERSION: Final = 1
PLACES: Final = "{places}"
INHERITED: Final = "inherited"  # label of what a class below may have more of
PASSES_ANOTHER: Final = "passes-another"  # the kind of what is no finding: a record of what a call passes
# The kind of what the command looks at again: it knows for which release of Flax a project is.
OF_FROZEN_DICT: Final = "frozen-dict"
OF_LISTED_ARRAY: Final = "listed-array"
_OF_LINES: Final = frozenset({"at"})  # placeholders for the lines of other places
_MARK: Final = "jaxtyped-static finding: "

Json = Any


class Place(NamedTuple):
    """The static position that a finding is about: `Static argument "x" of "f"`."""

    label: str  # one of the constants in `positions`
    name: str
    owner: str = ""  # at a call: the function or class that has the parameter or field
    function: str = ""  # at a call: the full name of the function, where that is known

    def __str__(self) -> str:
        return f'{self.label} "{self.name}"' + (f' of "{self.owner}"' if self.owner else "")


class Declared(NamedTuple):
    """Where a class is declared."""

    name: str  # with those of the classes around it
    module: str
    line: int | None  # None if that is another file than the one checked: mypy's cache does not keep the lines of those
    text: str  # of the note that says so, which may go on behind it
    is_at_fault: bool  # whether it is what is wrong with the position


class Written(NamedTuple):
    """The exact text to write at the place of the error."""

    text: str
    is_added: bool = False  # it replaces nothing

    @classmethod
    def instead(cls, text: str | None) -> "Written | None":
        """What replaces what is there; None if there is no text."""
        return cls(text) if text is not None else None


class Site(NamedTuple):
    """What compiles a function, where lists of parameters can be written: a call, or the name of what is called.

    Lines count from 1; columns from 0, in bytes, as mypy counts them. The end is behind the last character.
    """

    function: str  # the full name of what compiles
    line: int
    column: int
    end_line: int
    end_column: int


class Asked(StrEnum):
    """What is asked of a program about the objects of a class, or about a function."""

    # These take a finding back.
    NEVER_PASSED = "never passed"  # whether its calls pass something else for a parameter
    NOT_SHOWN = "not shown"  # whether no call shows that it passes what a parameter is declared to take
    LEFT_OUT = "left out"  # whether all its calls leave a parameter to its default
    NEVER_GIVEN = "never given"  # whether no constructor call gives a field a value
    MAKES_TREES = "makes trees"  # whether it may pass a callable that is a pytree, as a `Partial`
    NO_METHOD = "no method"  # whether what is compiled may be something else than a method of its objects
    INHERITED = "inherited"  # whether other classes inherit from it, and define one of these methods

    ASSIGNED = "assigned"  # where it assigns to their attributes, or deletes one
    CHANGED = "changed"  # where it changes them in another way, or what their attributes hold
    REBOUND = "rebound"  # where it gives a variable of a module another value, between calls of what is compiled
    MADE_AGAIN = "made again"  # where code that runs again makes new ones
    DROPPED = "dropped"  # where code that runs again makes new ones, only calls their methods, and drops them
    GIVEN = "given"  # which call gives a parameter with a default a value, that JAX then traces
    RUNS_AGAIN = "runs again"  # what runs a function again
    RUNS_IN_LOOP = "runs in a loop"  # which loop runs a function again
    RUNS_EAGERLY = "runs eagerly"  # what runs it outside of jit
    RUNS_EAGERLY_AGAIN = "runs eagerly again"  # what does so again and again


class Evidence(NamedTuple):
    """A line that shows what is wrong, or why it matters, and what the note about it says."""

    label: str
    file: str
    line: int | None  # None in another file than the one checked: mypy's cache does not keep the lines of those
    text: str


class Question(NamedTuple):
    """Which other evidence there may be, in modules that import this one: the command has the whole program."""

    asked: Asked
    cls: str  # the full name of a class, or of a function with those around it
    label: str  # of the evidence
    text: str  # of the note, with `PLACES` for what the program shows
    among: tuple[str, ...] = ()  # the attributes and methods that matter; empty for all
    shows: Harm | None = None  # what the answer shows that the finding does; None if that does not depend on it
    without: tuple[str, ...] = ()  # attributes that do not matter
    compiled: str = ""  # what JAX compiles for an object of the class, by its name; empty if that is not known
    keys: tuple[str, ...] = ()  # other static parameters of it: `1:version`, as calls count them

    def answered(self, places: str) -> str:
        return self.text.replace(PLACES, places)


class Finding(NamedTuple):
    """What is wrong at one place, and what a fix needs to know of it. The text of the error is made from it."""

    code: str
    kind: str  # of the problem; unique among those of a code
    problem: str
    advice: tuple[Advised, ...]
    values: Values = ()  # of the placeholders of the problem
    names: tuple[str, ...] = ()  # what the problem names
    position: Place | None = None
    path: str = ""  # from the value in the position to the offender: `Outer.inner`
    declared: Declared | None = None
    base: Declared | None = None  # the base of the class at fault that has the same fault, if one has
    holder: str = ""  # the full name of the class with the innermost field of the path
    written: Written | None = None
    evidence: tuple[Evidence, ...] = ()
    questions: tuple[Question, ...] = ()
    harm: Harm = Harm.CONTRACT
    also: tuple[str, ...] = ()  # what else is wrong with the same class
    site: Site | None = None  # None also if its lists are written elsewhere
    is_asked: bool = False  # it is none unless the whole program answers a question of it
    is_signed: bool = False  # it breaks a contract that the code declares

    @property
    def advice_text(self) -> str:
        return advice_text(self.advice)

    @property
    def message(self) -> str:
        """The text of the error."""
        advice = f"; {self.advice_text}" if self.advice else ""
        return "".join([f"{part}: " for part in (self.position, self.path) if part] + [self.problem, advice])

    @property
    def identity(self) -> tuple[str, ...]:
        """What is wrong, whatever line it is at, and whatever its words are."""
        return self.kind, *(value for name, value in self.values if name not in _OF_LINES)

    def value(self, name: str) -> str:
        return dict(self.values)[name]

    def offered(self, action: Action) -> Advised | None:
        """The first alternative of the advice that says to do this, if one does."""
        return next((advised for advised in self.advice if advised.action is action), None)


def to_note(finding: Finding) -> str:
    """The note's text, in one line: mypy joins notes by line ends."""
    return _MARK + json.dumps({"version": VERSION, **finding._asdict()}, separators=(",", ":"))


def is_finding(note: str) -> bool:
    return note.startswith(_MARK)


def from_note(note: str) -> Finding | None:
    """None for a note of another kind or version, or one that something else made to look like this."""
    if not is_finding(note):
        return None
    with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
        data = json.loads(note.removeprefix(_MARK))
        return _read(data) if data.pop("version") == VERSION else None
    return None


def _read(data: dict[str, Json]) -> Finding:
    return Finding(
        **data
        | {
            "advice": tuple(_read_advised(*part) for part in data["advice"]),
            "values": _pairs(data["values"]),
            "names": tuple(data["names"]),
            "also": tuple(data["also"]),
            "position": Place(*data["position"]) if data["position"] is not None else None,
            "declared": Declared(*data["declared"]) if data["declared"] is not None else None,
            "base": Declared(*data["base"]) if data["base"] is not None else None,
            "written": Written(*data["written"]) if data["written"] is not None else None,
            "evidence": tuple(Evidence(*part) for part in data["evidence"]),
            "questions": tuple(_read_question(*part) for part in data["questions"]),
            "harm": Harm(data["harm"]),
            "site": Site(*data["site"]) if data["site"] is not None else None,
        }
    )


def _read_question(
    asked: str,
    cls: str,
    label: str,
    text: str,
    among: list[str],
    shows: str | None,
    without: list[str],
    compiled: str,
    keys: list[str],
) -> Question:
    harm = Harm(shows) if shows is not None else None
    return Question(Asked(asked), cls, label, text, tuple(among), harm, tuple(without), compiled, tuple(keys))


def _read_advised(text: str, action: str | None, values: Json) -> Advised:
    return Advised(text, Action(action) if action is not None else None, _pairs(values))


def _pairs(values: list[list[str]]) -> Values:
    return tuple((name, value) for name, value in values)
