"""Writes the type parameters and aliases of Python 3.12 in older syntax, for the parser of an older Python.

Each line, and each column of what runs, stays where it is: `class A[T]:` becomes `class A   :`, and
`type Pair = ...` becomes `Pair      = ...`.
"""

import io
import sys
import tokenize
from collections.abc import Iterator, Sequence
from tokenize import TokenInfo
from typing import Final, NamedTuple

_NEW: Final = (3, 12)
_OPENING: Final = ("def", "class")
_ALIAS: Final = "type"
_LAYOUT: Final = (tokenize.COMMENT, tokenize.NL)
_BEGINNING: Final = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)
_DEPTH: Final = {"[": 1, "(": 1, "{": 1, "]": -1, ")": -1, "}": -1}

_Position = tuple[int, int]  # the line, from one, and the column


class _Change(NamedTuple):
    start: _Position
    end: _Position
    text: str = ""  # at the start; then nothing


def in_older_syntax(text: str) -> str | None:
    """None if it has nothing that is to be changed, or this Python reads it as it is."""
    if sys.version_info >= _NEW:
        return None
    try:
        tokens = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type not in _LAYOUT]
    except (tokenize.TokenError, SyntaxError):  # an unbalanced bracket, or indentation
        return None
    changes = list(_changes(tokens))
    if not changes:
        return None
    lines = text.splitlines(keepends=True) if "\f" not in text else io.StringIO(text).readlines()
    for change in changes:
        _change(lines, change)
    return "".join(lines)


def _changes(tokens: Sequence[TokenInfo]) -> Iterator[_Change]:
    for index, (token, name, after) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False)):
        if name.type != tokenize.NAME:
            continue
        is_alias = token.string == _ALIAS and after.string in ("=", "[") and _begins(tokens, index)
        if is_alias:
            yield _Change(token.start, name.end, name.string)
        if after.string == "[" and (is_alias or token.string in _OPENING):
            end = _end_of(tokens, index + 2)
            if end is not None:
                yield _Change(after.start, end)


def _begins(tokens: Sequence[TokenInfo], index: int) -> bool:
    """Whether a statement begins with a token."""
    before = tokens[index - 1] if index else None
    return before is None or before.type in _BEGINNING or before.string in (";", ":")


def _end_of(tokens: Sequence[TokenInfo], index: int) -> _Position | None:
    """Where the bracket ends that a token opens."""
    depth = 0
    for token in tokens[index:]:
        depth += _DEPTH.get(token.string, 0) if token.type == tokenize.OP else 0
        if not depth:
            return token.end
    return None


def _change(lines: list[str], change: _Change) -> None:
    (first, start), (last, end) = change.start, change.end
    for number in range(first, last + 1):
        line = lines[number - 1]
        begin = start if number == first else 0
        stop = end if number == last else len(line.rstrip("\r\n"))
        new = (change.text if number == first else "").ljust(stop - begin)
        if number != last:
            new = f"{new[:-1]}\\"  # the statement goes on, now outside of a bracket
        lines[number - 1] = f"{line[:begin]}{new}{line[stop:]}"
