"""Random changes to a text. The result need not be Python."""

from __future__ import annotations

import ast
import keyword
import random
import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from tests.fuzz import vocabulary
from tests.fuzz.grid import types
from tests.fuzz.parsing import parses

_NAME: Final = re.compile(r"\b[A-Za-z_]\w*\b")
_PARAMETERS: Final = re.compile(r"\bdef \w+\(([^()]*)\)")
_ARGUMENTS: Final = re.compile(r"\w\(([^()]*)\)")
_BASES: Final = re.compile(r"\bclass \w+((?:\([^()]*\))?):")
_MOST_LINES: Final = 8
_DEPTHS: Final = (2, 5, 15, 60)
_REPEATS: Final = (2, 10, 50)
_LONGEST_PIECE: Final = 20_000
_STRANGE: Final = 0.3  # the share of pieces whose names the text need not have


class Span(NamedTuple):
    """A part of a text, in bytes of UTF-8, and its indentation."""

    start: int
    end: int
    column: int


class Source(NamedTuple):
    """A text to change, and another one to take pieces from."""

    text: str
    other: str
    chance: random.Random

    def some_lines(self) -> tuple[list[str], int, int]:
        lines = self.text.splitlines(keepends=True)
        start = self.chance.randrange(len(lines) + 1)
        return lines, start, start + self.chance.randint(1, _MOST_LINES)

    def some(self, kind: str) -> Span | None:
        spans = _spans(self.text)[kind]
        return self.chance.choice(spans) if spans else None

    def cut(self, span: Span | None) -> str:
        return self.text.encode()[span.start : span.end].decode() if span is not None else ""

    def with_instead(self, span: Span | None, piece: str) -> str:
        if span is None:
            return self.text
        data = self.text.encode()
        return b"".join([data[: span.start], piece.encode(), data[span.end :]]).decode()


def mutated(text: str, other: str, chance: random.Random) -> str:
    return chance.choice(_MUTATIONS)(Source(text, other, chance))


@lru_cache(maxsize=2)
def _spans(text: str) -> dict[str, list[Span]]:
    """Returns where the parts of each kind are."""
    starts = [0, *accumulate(len(line) for line in text.encode().splitlines(keepends=True))]
    nodes = list(ast.walk(ast.parse(text))) if parses(text) else []
    return {kind: [_span(part, starts) for node in nodes for part in parts(node)] for kind, parts in _PARTS.items()}


_Parts = Callable[[ast.AST], Iterable[ast.stmt | ast.expr]]
_PARTS: Final[dict[str, _Parts]] = {
    "statement": lambda node: [node] if isinstance(node, ast.stmt) else [],
    "expression": lambda node: [node] if isinstance(node, ast.expr) else [],
    "name": lambda node: [node] if isinstance(node, ast.Name) else [],
    "annotation": lambda node: filter(None, (getattr(node, name, None) for name in ("annotation", "returns"))),
    "decorator": lambda node: getattr(node, "decorator_list", ()),
    "decorated": lambda node: [node] if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else [],
}


def _span(node: ast.stmt | ast.expr, starts: Sequence[int]) -> Span:
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
    end = starts[(node.end_lineno or first) - 1] + (node.end_col_offset or 0)
    return Span(starts[first - 1] + node.col_offset, end, node.col_offset)


# Lines and names.


def _delete_lines(source: Source) -> str:
    lines, start, end = source.some_lines()
    return "".join(lines[:start] + lines[end:])


def _double_lines(source: Source) -> str:
    lines, start, end = source.some_lines()
    return "".join(lines[:end] + lines[start:])


def _move_lines(source: Source) -> str:
    lines, start, end = source.some_lines()
    rest = lines[:start] + lines[end:]
    to = source.chance.randrange(len(rest) + 1)
    return "".join(rest[:to] + lines[start:end] + rest[to:])


def _indent_lines(source: Source) -> str:
    lines, start, end = source.some_lines()
    by = source.chance.choice((-8, -4, 4, 8))
    changed = [" " * by + line if by > 0 else line.removeprefix(" " * -by) for line in lines[start:end]]
    return "".join(lines[:start] + changed + lines[end:])


def _cut_off(source: Source) -> str:
    return source.text[: source.chance.randrange(len(source.text) + 1)]


def _cut_off_after_statement(source: Source) -> str:
    span = source.some("statement")
    return source.text.encode()[: span.end].decode() + "\n" if span is not None else source.text


def _some_name(source: Source, text: str) -> str:
    names = sorted({name for name in _NAME.findall(text) if not keyword.iskeyword(name)})
    return source.chance.choice(names) if names else "x"


def _swap_names(source: Source) -> str:
    one, other = (_some_name(source, source.text) for _ in range(2))
    return _NAME.sub(lambda name: {one: other, other: one}.get(name[0], name[0]), source.text)


def _rename_once(source: Source) -> str:
    return source.with_instead(source.some("name"), _some_name(source, source.text + source.other))


def _other_flags(source: Source) -> str:
    return f"# mypy: {source.chance.choice(vocabulary.FLAGS)}\n{source.text}"


# Expressions and annotations.


def _odd(source: Source, pieces: Sequence[str]) -> str:
    """Returns one of the pieces, with most names replaced by names of the text."""
    piece = source.chance.choice(pieces)
    if source.chance.random() < _STRANGE:
        return piece
    names = {name: _some_name(source, source.text) for name in ("x", "y", "z", "A")}
    return _NAME.sub(lambda name: names.get(name[0], name[0]), piece)


def _odd_expression(source: Source) -> str:
    return source.with_instead(source.some("expression"), _odd(source, vocabulary.EXPRESSIONS))


def _expression_in_odd_one(source: Source) -> str:
    span = source.some("expression")
    odd = source.chance.choice(vocabulary.EXPRESSIONS)
    return source.with_instead(span, re.sub(r"\bx\b", lambda _: source.cut(span), odd))


def _other_expression(source: Source) -> str:
    return source.with_instead(source.some("expression"), source.cut(source.some("expression")) or "None")


def _grown_expression(source: Source) -> str:
    span, growth = source.some("expression"), _odd(source, vocabulary.GROWTHS)
    piece = source.cut(span)
    for _ in range(source.chance.choice(_DEPTHS)):
        if len(piece) > _LONGEST_PIECE:
            break
        piece = growth.replace("{}", piece)
    return source.with_instead(span, piece)


def _odd_annotation(source: Source) -> str:
    return source.with_instead(source.some("annotation"), source.chance.choice(types()))


def _other_annotation(source: Source) -> str:
    return source.with_instead(source.some("annotation"), source.cut(source.some("expression")) or "None")


def _marked_annotation(source: Source) -> str:
    span = source.some("annotation")
    around = source.chance.choice(
        ("Static[{}]", "Dynamic[{}]", "Static[{} | None]", "list[{}]", "'{}'", "tuple[{}, ...]")
    )
    return source.with_instead(span, around.format(source.cut(span)))


# Statements and definitions.


def _written_at(span: Span | None, piece: str) -> str:
    """Returns statements with the indentation of the one they replace."""
    return textwrap.indent(textwrap.dedent(piece), " " * (span.column if span is not None else 0)).lstrip()


def _odd_statement(source: Source) -> str:
    """Replaces a statement, or inserts one after it."""
    span = source.some("statement")
    odd = _odd(source, vocabulary.STATEMENTS)
    piece = odd if source.chance.random() < 0.5 else f"{source.cut(span)}\n{odd}"
    return source.with_instead(span, _written_at(span, piece))


def _statement_of_other(source: Source) -> str:
    span, other = source.some("statement"), source._replace(text=source.other)
    return source.with_instead(span, _written_at(span, f"{other.cut(other.some('statement'))}\n{source.cut(span)}"))


def _other_statement(source: Source) -> str:
    span = source.some("statement")
    return source.with_instead(span, _written_at(span, source.cut(source.some("statement"))))


def _nested_statement(source: Source) -> str:
    """Inserts a statement that contains the following lines."""
    span, around = source.some("statement"), _odd(source, vocabulary.AROUND)
    return source.with_instead(span, _written_at(span, _below(around, _statement(source, span))))


def _statement(source: Source, span: Span | None) -> str:
    """Returns a statement as it would be written at the top level."""
    return textwrap.dedent(" " * (span.column if span is not None else 0) + source.cut(span))


def _below(around: str, body: str) -> str:
    last = around.rpartition("\n")[2]
    return f"{around}\n{textwrap.indent(body, ' ' * (len(last) - len(last.lstrip()) + 4))}"


def _deeply_nested_statement(source: Source) -> str:
    span, around = source.some("statement"), _odd(source, vocabulary.AROUND)
    piece = _statement(source, span)
    for _ in range(source.chance.choice(_DEPTHS)):
        piece = _below(around, piece)
    return source.with_instead(span, _written_at(span, piece))


def _repeated_statement(source: Source) -> str:
    """Repeats a statement with one of its names replaced each time."""
    span = source.some("statement")
    piece = _statement(source, span)
    name = _some_name(source, piece)
    repeats = range(source.chance.choice(_REPEATS))
    pieces = [re.sub(rf"\b{name}\b", f"{name}{number or ''}", piece) for number in repeats]
    return source.with_instead(span, _written_at(span, "\n".join(pieces)))


def _odd_decorator(source: Source) -> str:
    return source.with_instead(source.some("decorator"), _odd(source, vocabulary.DECORATORS))


def _more_decorators(source: Source) -> str:
    span = source.some("decorated")
    if span is None:
        return source.text
    added = "".join(
        f"@{_odd(source, vocabulary.DECORATORS)}\n{' ' * span.column}" for _ in range(source.chance.randint(1, 2))
    )
    return source.with_instead(Span(span.start, span.start, span.column), added)


def _odd_group(pattern: re.Pattern[str], pieces: Sequence[str]) -> Callable[[Source], str]:
    """Puts a piece in the place of what a pattern finds, or after it."""

    def change(source: Source) -> str:
        found = list(pattern.finditer(source.text))
        if not found:
            return source.text
        match = source.chance.choice(found)
        piece = _odd(source, pieces)
        if match[1].strip(" ()") and source.chance.random() < 0.4:
            piece = f"{match[1].strip('()')}, {piece}"
        return source.text[: match.start(1)] + piece + source.text[match.end(1) :]

    return change


_MUTATIONS: Final[Sequence[Callable[[Source], str]]] = (
    *(_delete_lines, _double_lines, _move_lines, _indent_lines, _cut_off, _cut_off_after_statement),
    _other_flags,
    *(_swap_names, _rename_once, _rename_once),
    *(_odd_expression, _expression_in_odd_one, _other_expression) * 2,
    *(_odd_annotation, _other_annotation, _marked_annotation),
    *(_odd_statement, _statement_of_other, _other_statement, _nested_statement) * 2,
    *(_odd_decorator, _more_decorators),
    *(_grown_expression, _deeply_nested_statement, _repeated_statement),
    *(_odd_group(_PARAMETERS, vocabulary.PARAMETERS), _odd_group(_ARGUMENTS, vocabulary.ARGUMENTS)),
    _odd_group(_BASES, tuple(f"({bases})" for bases in vocabulary.BASES)),
)
