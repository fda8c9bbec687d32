"""Changes of a text, as the language server protocol wants them."""

import difflib
import re
from typing import Any, Final

Json = Any
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


def text_edits(before: str, after: str) -> list[Json]:
    """The lines that change. Positions are the starts of lines, so that it does not matter how columns are counted."""
    old, new = lines_of(before), lines_of(after)
    changes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        {"range": whole_lines(start, end), "newText": "".join(new[new_start:new_end])}
        for kind, start, end, new_start, new_end in changes
        if kind != "equal"
    ]


def lines_of(text: str) -> list[str]:
    """The lines with their ends, as the protocol counts them: `splitlines` also splits at a form feed."""
    return _LINE.findall(text)


def whole_lines(start: int, end: int) -> Json:
    """The range from the start of a line to that of another, from 0."""
    return {"start": {"line": start, "character": 0}, "end": {"line": end, "character": 0}}
