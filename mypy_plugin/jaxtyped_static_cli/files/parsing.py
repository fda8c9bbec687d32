"""Parses a source file with Python's own parser."""

import ast

from .older_syntax import in_older_syntax


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
