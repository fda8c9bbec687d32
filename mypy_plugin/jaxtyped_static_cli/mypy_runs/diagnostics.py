"""What mypy reports: its errors, read from its JSON."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from jaxtyped_static_mypy.reporting.finding import PASSES_ANOTHER, Finding, from_note, is_finding
from jaxtyped_static_mypy.reporting.messages import FAILURE
from jaxtyped_static_mypy.rules import CODES

_UNREADABLE: Final = re.compile(r"(.+): error: (Cannot (?:decode|read) file: .*)")


class Span(NamedTuple):
    """A part of a file. Lines and columns count from 1, and the end is the column after the last."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


class Diagnostic(NamedTuple):
    """An error of mypy or of the plugin, with the notes below it."""

    span: Span
    code: str
    message: str
    notes: tuple[str, ...]
    is_error: bool
    finding: Finding | None = None  # what an error of the plugin says, as data

    @property
    def is_ours(self) -> bool:
        return self.is_error and self.code in CODES

    @property
    def is_record(self) -> bool:
        """Whether it only tells what a call passes."""
        return self.finding is not None and self.finding.kind == PASSES_ANOTHER

    @property
    def reported(self) -> Finding:
        """What an error of the plugin says; no more than its text, if another program than the plugin reported it."""
        return self.finding or Finding(self.code, "", self.message, (), (("problem", self.message),))

    @property
    def failure(self) -> str | None:
        """What a fault of the plugin left here, of its own or below an error; None if it did its work."""
        return next((text for text in (self.message, *self.notes) if text.startswith(FAILURE)), None)


def unread(path: str, why: str) -> Diagnostic:
    """What is said of a file that cannot be read."""
    return Diagnostic(Span(path, 1, 1, 1, 2), "", why, (), True)


def read_diagnostics(lines: Iterable[str]) -> Iterator[Diagnostic]:
    """Reads mypy's output; what is no JSON is about no file, and has an empty path."""
    for line in lines:
        try:
            data = json.loads(line)
        except ValueError:
            unreadable = _UNREADABLE.match(line)
            yield unread(*(unreadable.groups() if unreadable is not None else ("", line)))
            continue
        start, column = max(data["line"], 1), max(data["column"], 0) + 1
        end, end_column = data.get("end_line") or start, data.get("end_column")
        if end < start or end_column is None or (end == start and end_column < column):
            end, end_column = start, column
        span = Span(data["file"], start, column, end, end_column + 1)
        hints = data["hint"].splitlines() if data["hint"] else []
        found = (finding for hint in hints if (finding := from_note(hint)) is not None)
        # One of another code is of an error with the same text on this line, which mypy prints only once.
        finding = next((finding for finding in found if finding.code == data["code"]), None)
        notes = tuple(hint for hint in hints if not is_finding(hint))
        yield Diagnostic(span, data["code"] or "", data["message"], notes, data["severity"] == "error", finding)
