"""Places in files as the language server protocol wants them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from jaxtyped_static_cli.files import sources
from jaxtyped_static_cli.mypy_runs.diagnostics import Span

Json = Any

# How clients count columns, by the names that the protocol has for that.
UNITS: Final[dict[str, Callable[[str], int]]] = {
    "utf-8": lambda text: len(text.encode(errors="replace")),
    "utf-16": lambda text: len(text.encode("utf-16-le", errors="replace")) // 2,
    "utf-32": len,
}
DEFAULT_UNIT: Final = "utf-16"


class Places(NamedTuple):
    """Where the parts of a project's files are. `unit`: in which a client counts columns."""

    root: Path
    unit: str = DEFAULT_UNIT

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def range(self, span: Span) -> Json:
        lines = sources.lines(self.root / span.path)
        return {
            "start": self._position(lines, span.line, span.column),
            "end": self._position(lines, span.end_line, span.end_column),
        }

    def location(self, span: Span) -> Json:
        return {"uri": self.uri(span.path), "range": self.range(span)}

    def line(self, path: str, number: int) -> Json:
        """A line without the spaces around it."""
        lines = sources.lines(self.root / path)
        text = lines[number - 1] if 0 < number <= len(lines) else ""
        start, end = len(text) - len(text.lstrip()), len(text.rstrip())
        count = UNITS[self.unit]
        return {
            "uri": self.uri(path),
            "range": {
                "start": {"line": number - 1, "character": count(text[:start])},
                "end": {"line": number - 1, "character": count(text[:end])},
            },
        }

    def _position(self, lines: Sequence[str], line: int, column: int) -> Json:
        """`column`: in bytes of UTF-8, from 1, as mypy counts."""
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        return {"line": line - 1, "character": character(text, column - 1, self.unit)}


def character(text: str, column: int, unit: str) -> int:
    """A column of a line as a client counts. `column`: in bytes of UTF-8, from 0, as Python counts."""
    return UNITS[unit](text.encode(errors="replace")[:column].decode(errors="ignore"))


def overlaps(one: Json, other: Json) -> bool:
    """Whether two ranges have a position in common; a cursor is an empty range."""
    return _key(one["start"]) <= _key(other["end"]) and _key(other["start"]) <= _key(one["end"])


def _key(position: Json) -> tuple[int, int]:
    return position["line"], position["character"]
