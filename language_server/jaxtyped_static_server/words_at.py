"""The name at a position."""

import re
from typing import Final

from .edits import lines_of
from .places import UNITS

_NAME: Final = re.compile(r"[^\W\d]\w*")


def word_at(text: str, line: int, character: int, unit: str) -> str:
    """`character`: in the client's unit; empty if there is no name."""
    lines = lines_of(text)
    content = lines[line] if line < len(lines) else ""
    count = UNITS[unit]
    for found in _NAME.finditer(content):
        if count(content[: found.start()]) <= character <= count(content[: found.end()]):
            return found.group()
    return ""
