"""Changes of a text, as the language server protocol wants them."""

import difflib
from typing import Any

Json = Any


def text_edits(before: str, after: str) -> list[Json]:
    """The lines that change. Positions are the starts of lines, so that it does not matter how columns are counted."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    changes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        {"range": _lines(start, end), "newText": "".join(new[new_start:new_end])}
        for kind, start, end, new_start, new_end in changes
        if kind != "equal"
    ]


def _lines(start: int, end: int) -> Json:
    return {"start": {"line": start, "character": 0}, "end": {"line": end, "character": 0}}
