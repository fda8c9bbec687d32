"""Parses a source file with Python's own parser."""

import ast


def parsed_by_python(source: str | bytes) -> ast.Module | None:
    """The tree of a module; None if it has a syntax error, or nests too deeply."""
    readable = source.replace("\0", " ") if isinstance(source, str) else source.replace(b"\0", b" ")  # as mypy reads it
    try:
        return _parsed(readable)
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
