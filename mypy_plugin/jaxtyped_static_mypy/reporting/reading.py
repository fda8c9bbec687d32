"""Reads what the errors and notes of this package say, as mypy's cache keeps nothing but their text."""

import re
from collections.abc import Mapping
from functools import cache
from string import Formatter
from typing import Final, NamedTuple

from .messages import ALTERNATIVE
from .notes import addition, replacement
from .positions import STATIC_ARGUMENT, STATIC_CLASS, STATIC_FIELD

_LABELS: Final = "|".join((STATIC_ARGUMENT, STATIC_FIELD, STATIC_CLASS))
_POSITION: Final = re.compile(rf'(?P<position>(?:{_LABELS}) "[^"]*"(?: of "[^"]*")?): (?P<rest>.*)', re.DOTALL)
_PATH: Final = re.compile(r"(?P<path>\w+(?:\.\w+|\[(?:\.\.\.|\d+)\])+): (?P<rest>.*)", re.DOTALL)
_DECLARED: Final = re.compile(
    r'"(?P<name>[\w.]+)" is declared (?:at line (?P<line>\d+)|in "(?P<module>[\w.]+)")(?:, and is at fault in .*)?'
)
_REPLACEMENT: Final = replacement("")
_ADDITION: Final = addition("")


class Said(NamedTuple):
    """The parts of an error: the static position, if it is about one, the path to the offender, the rest."""

    position: str
    path: str
    problem: str
    advice: str


class Declaration(NamedTuple):
    """Where a class is declared: at a line of the same file, or in a module."""

    name: str  # with those of the classes around it
    line: int | None
    module: str | None


def read_error(message: str) -> Said:
    position = path = ""
    if (match := _POSITION.fullmatch(message)) is not None:
        position, message = match["position"], match["rest"]
        if (match := _PATH.fullmatch(message)) is not None:
            path, message = match["path"], match["rest"]
    problem, _, advice = message.partition("; ")
    return Said(position, path, problem, advice)


def read_declaration(note: str) -> Declaration | None:
    match = _DECLARED.fullmatch(note)
    return Declaration(match["name"], int(match["line"]) if match["line"] else None, match["module"]) if match else None


def read_replacement(note: str) -> str | None:
    """The text that a note says to write instead."""
    return note.removeprefix(_REPLACEMENT) if note.startswith(_REPLACEMENT) else None


def read_addition(note: str) -> str | None:
    """The text that a note says to add."""
    return note.removeprefix(_ADDITION) if note.startswith(_ADDITION) else None


def offered(template: str, advice: str) -> Mapping[str, str] | None:
    """The values of a template's placeholders in the first alternative of an advice that is made from it, if one is."""
    found = (filled(template, alternative) for alternative in advice.split(ALTERNATIVE))
    return next((values for values in found if values is not None), None)


def filled(template: str, text: str) -> Mapping[str, str] | None:
    """The values of a template's placeholders, if a text is made from it."""
    match = _pattern(template).fullmatch(text)
    return match.groupdict() if match is not None else None


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = Formatter().parse(template)
    groups = (re.escape(text) + (f"(?P<{name}>.+)" if name is not None else "") for text, name, *_ in parts)
    return re.compile("".join(groups), re.DOTALL)
