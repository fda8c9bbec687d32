"""What the text of a source file says about a line."""

import ast
import functools
import re
from collections.abc import Mapping
from pathlib import Path

from mypy.nodes import Context

_CHANGED: dict[Path, bytes] = {}


def show(contents: Mapping[Path, bytes]) -> None:
    """From now on, files have these contents, and all others those on the disk."""
    forget()
    _CHANGED.clear()
    _CHANGED.update(contents)


@functools.cache
def lines(path: Path) -> tuple[str, ...]:
    """The lines of a file; none if it cannot be read."""
    try:
        content = _CHANGED[path] if path in _CHANGED else path.read_bytes()
        return tuple(content.decode(errors="replace").splitlines())
    except OSError:
        return ()


def class_name(path: Path, name: str, line: int | None) -> tuple[int, int, int, int] | None:
    """Where the statement of a class has its name: line and column of start and end. `line`: of the statement."""
    statement = re.compile(rf"\s*class\s+({name})\b")
    for number, text in enumerate(lines(path), 1):
        if (match := statement.match(text)) is not None and line in (None, number):
            return number, match.start(1) + 1, number, match.end(1) + 1
    return None


def excerpt(path: Path, node: Context, longest: int) -> str:
    """The source of a node, on one line; its end is left out if it is longer. mypy counts columns in bytes."""
    end, end_column = node.end_line or node.line, node.end_column
    found = [line.encode() for line in lines(path)[node.line - 1 : end]]
    if not found or end_column is None:
        return ""
    found[-1] = found[-1][:end_column]
    found[0] = found[0][node.column :]
    text = " ".join(b" ".join(found).decode(errors="replace").split())
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def scope(path: Path, line: int) -> str:
    """The functions and classes around a line, as in a qualified name; nothing at module level."""
    around = [(start, end, name) for start, end, name in _scopes(path) if start <= line <= end]
    return ".".join(name for _, _, name in sorted(around, key=lambda found: (found[0], -found[1])))


@functools.cache
def _scopes(path: Path) -> tuple[tuple[int, int, str], ...]:
    try:
        tree = ast.parse("\n".join(lines(path)))
    except (SyntaxError, ValueError, RecursionError):
        return ()
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    nodes = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    first = [min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) for node in nodes]
    return tuple((start, node.end_lineno or start, node.name) for start, node in zip(first, nodes, strict=True))


def forget() -> None:
    """Reads files again from now on."""
    lines.cache_clear()
    _scopes.cache_clear()
