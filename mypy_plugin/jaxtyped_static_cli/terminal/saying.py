"""Text as it may be shown: on one line, in visible characters, whatever the checked code contains."""

import re
import sys
from collections.abc import Iterable, Iterator
from typing import Final, TextIO

# Control characters except the tab; and what reorders or hides the characters around it, or breaks the line, in
# Unicode; and the halves of characters that stand for the bytes of a name that is not UTF-8.
_HIDDEN: Final = re.compile(
    "[\0-\x08\n-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
    # What begins a command for a runner of GitHub, Azure or TeamCity, wherever it is in a line of a log.
    r"|(?<=#)#(?=(?:vso|teamcity)?\[)"
)
_COMMAND: Final = "::"  # begins one for a runner of GitHub, after spaces
_PICTURES: Final = 0x2400  # where Unicode has a symbol for each control character
_DELETE: Final = 0x7F


def visible(text: str) -> str:
    """A text on one line, as long as before, with a symbol for each character that would not be seen, or that a runner
    of workflows would act on: ␛, ␊, or �.
    """
    return _HIDDEN.sub(_symbol, text)


def _symbol(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code == _DELETE:
        return "\N{SYMBOL FOR DELETE}"
    return chr(_PICTURES + code) if code < ord(" ") else "\N{REPLACEMENT CHARACTER}"


def harmless(line: str) -> str:
    """A line that is visible, and no command for a runner. One that begins as a command begins with a path."""
    shown = visible(line)
    start = start_of_command(shown)
    return shown if start is None else f"{shown[:start]}./{shown[start:]}"


def start_of_command(line: str) -> int | None:
    """Where a line begins that a runner would take for a command."""
    start = len(line) - len(line.lstrip())
    return start if line.startswith(_COMMAND, start) else None


def say(line: str) -> None:
    """Writes one line about the run, beside its result."""
    print(harmless(line), file=sys.stderr)


def to_read_or_apply(lines: Iterable[str], stream: TextIO) -> Iterator[str]:
    """The lines of a diff: as they are for a program that applies them, in visible characters on a terminal."""
    return (f"{visible(line.rstrip(chr(10)))}\n" for line in lines) if stream.isatty() else iter(lines)


def never_fail(stream: TextIO | None) -> None:
    """Writes `\\u2713` for a character that a stream cannot encode, as it is under `PYTHONIOENCODING=ascii`."""
    if reconfigure := getattr(stream, "reconfigure", None):
        reconfigure(errors="backslashreplace")
