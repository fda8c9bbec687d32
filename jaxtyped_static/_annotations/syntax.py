"""Parses source files and annotations, and finds the part that a function was compiled from."""

from __future__ import annotations

import ast
import linecache
import threading
from collections.abc import Iterable, Iterator
from functools import lru_cache
from types import CodeType
from typing import Final, TypeAlias

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

# Up to Python 3.12, all threads share the parser's depth counter, and parsing fails if two of them parse at once.
# Reentrant, because the garbage collector may run code that parses in the meantime.
_lock: Final = threading.RLock()


def parse_expression(text: str) -> ast.expr:
    """Returns the syntax tree of an expression; the caller may change it.

    Raises:
        SyntaxError: the text is not an expression.
    """
    with _lock:
        return ast.parse(text, mode="eval").body


# A program writes the same annotation many times. The tree is shared, so callers must not change it.
shared_expression: Final = lru_cache(maxsize=1024)(parse_expression)


def parse(filename: str) -> ast.Module | None:
    """Returns the syntax tree of a file, or of an interactive cell that `linecache` knows; None without source."""
    linecache.checkcache(filename)
    lines = linecache.getlines(filename)
    return _parse_text("".join(lines)) if lines else None


@lru_cache(maxsize=64)
def _parse_text(text: str) -> ast.Module | None:
    try:
        with _lock:
            return ast.parse(text)
    except SyntaxError:
        return None


def own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yields the nodes of a body, in no order, without the bodies of nested functions and classes."""
    pending = list(body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, FunctionNode | ast.ClassDef):
            pending.extend(ast.iter_child_nodes(node))


def find_function(code: CodeType) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """Returns the `def` that was compiled to `code`; None for a lambda or without source."""
    return next((node for node in _candidates(code) if not isinstance(node, ast.Lambda)), None)


def find_definition(code: CodeType) -> FunctionNode | None:
    """Returns the `def` or `lambda` that was compiled to `code`; None without source, or if several are possible."""
    candidates = _candidates(code)
    found = [node for node in candidates if _encloses(node, code)] or candidates
    return found[0] if len(found) == 1 else None


def _candidates(code: CodeType) -> list[FunctionNode]:
    tree = parse(code.co_filename)
    return [] if tree is None else _definitions(tree).get((code.co_name, code.co_firstlineno), [])


@lru_cache(maxsize=64)
def _definitions(tree: ast.Module) -> dict[tuple[str, int], list[FunctionNode]]:
    """Returns the functions of a module by name and first line."""
    found: dict[tuple[str, int], list[FunctionNode]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda):
            found.setdefault(("<lambda>", node.lineno), []).append(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.decorator_list[0] if node.decorator_list else node
            found.setdefault((node.name, first.lineno), []).append(node)
    return found


def _encloses(node: FunctionNode, code: CodeType) -> bool:
    """Returns whether the instructions come from the body of this function; a line may hold several functions."""
    if not isinstance(node, ast.Lambda):
        return True
    body = node.body
    begin, end = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    return any(
        (line, column) == begin and (end_line, end_column) == end
        for line, end_line, column, end_column in code.co_positions()
    )
