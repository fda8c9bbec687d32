"""Whether a project uses an attribute only in ways that lists and tuples have in common."""

import re
from typing import Final

from .proposals import Program

_READING: Final = r"(?:len|sum|min|max|sorted|enumerate|zip|tuple|list|set|frozenset|any|all|reversed|iter)"
_BEFORE: Final = re.compile(rf"(?:\bin\s+|\*|\b{_READING}\s*\()$")


def only_reads_items(name: str, program: Program) -> bool:
    """Whether the attribute is only iterated over, unpacked, counted or indexed with a number."""
    used = re.compile(rf"([\w.\]\)]+)\.{re.escape(name)}\b")
    for text in program.texts():
        for match in used.finditer(text):
            before, after = text[max(match.start() - 40, 0) : match.start()], text[match.end() : match.end() + 40]
            is_indexed = re.match(r"\[-?\w+\]", after) is not None
            is_iterated = _BEFORE.search(before) is not None and re.match(r"\s*(?:[:),\]}]|\n)", after) is not None
            if not is_indexed and not is_iterated:
                return False
    return True
