"""Whether a project uses an attribute only in ways that lists and tuples have in common."""

import re
from functools import lru_cache
from typing import Final

from .proposals import Program

_READING: Final = r"(?:len|sum|min|max|sorted|enumerate|zip|tuple|list|set|frozenset|any|all|reversed|iter)"
_BEFORE: Final = re.compile(rf"(?:\bin\s+|\*|\b{_READING}\s*\()$")


def only_reads_items(name: str, program: Program) -> bool:
    """Whether the attribute is only iterated over, unpacked, counted or indexed with a number."""
    return not any(name in _used_otherwise(text) for text in program.texts)


@lru_cache(maxsize=4096)
def _used_otherwise(text: str) -> frozenset[str]:
    """The attributes that a text uses in another way."""
    found: set[str] = set()
    for match in re.finditer(r"(?<=\.)\w+", text):
        start = match.start() - 1
        while start and (text[start - 1].isalnum() or text[start - 1] in "_.])"):
            start -= 1
        if start < match.start() - 1 and not _reads_items(text, start, match.end()):
            found.add(match[0])
    return frozenset(found)


def _reads_items(text: str, start: int, end: int) -> bool:
    before, after = text[max(start - 40, 0) : start], text[end : end + 40]
    is_iterated = _BEFORE.search(before) is not None and re.match(r"\s*(?:[:),\]}]|\n)", after) is not None
    return is_iterated or re.match(r"\[-?\w+\]", after) is not None
