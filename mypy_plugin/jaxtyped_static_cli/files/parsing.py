"""Parses a source file with Python's own parser."""

import ast
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from .older_syntax import in_older_syntax

NEWER: Final = (3, 12)
# An f-string that has its own quote again in what it formats. Parsing all files once more, only to count those that
# cannot be, would take seconds.
_MAY_BE_NEWER: Final = re.compile(rb"""\b[rR]?[fF][rR]?(["'])[^"'\n]*\{[^}\n]*\1""")


def parsed_by_python(source: str | bytes, *, newer: bool = True) -> ast.Module | None:
    """The tree of a module; None if it has a syntax error, or nests too deeply.

    `newer`: also of one in the syntax of a newer Python, without what the one that runs this cannot read of it.
    """
    readable = source.replace("\0", " ") if isinstance(source, str) else source.replace(b"\0", b" ")  # as mypy reads it
    found = _tree(readable)
    if found is not None or not newer:
        return found
    older = in_older_syntax(readable if isinstance(readable, str) else readable.decode("utf-8-sig", errors="replace"))
    return _tree(older) if older is not None else None


def unread_by_python(files: Iterable[Path]) -> frozenset[Path]:
    """The files in the syntax of Python 3.12 that an older one, which runs this, cannot parse."""
    if sys.version_info >= NEWER:
        return frozenset()
    found = ((file, _content(file)) for file in files if file.suffix == ".py")
    return frozenset(
        file for file, content in found if _MAY_BE_NEWER.search(content) and parsed_by_python(content) is None
    )


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _tree(source: str | bytes) -> ast.Module | None:
    try:
        return _parsed(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _parsed(source: str | bytes) -> ast.Module:
    """Up to Python 3.12, all threads share the parser's depth counter, and parsing fails if two of them parse at once.

    Another thread may do so while the garbage collector runs. The counter starts anew the next time.
    """
    try:
        return ast.parse(source)
    except SystemError:
        return ast.parse(source)
