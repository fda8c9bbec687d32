"""What the text of a source file says about a line."""

import ast
import functools
import re
import textwrap
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from mypy.nodes import Context

from .parsing import parsed_by_python

_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)
_BLOCKS: Final = ("body", "orelse", "finalbody", "handlers", "cases")  # where a statement has others
_REMEMBERED: Final = 2000  # files
_LINE_BREAK: Final = re.compile(r"\r\n|\r|\n")  # those of Python; `splitlines` also splits at a form feed
_CHANGED: Final[dict[Path, bytes]] = {}


def show(contents: Mapping[Path, bytes]) -> None:
    """From now on, files have these contents, and all others those on the disk."""
    _CHANGED.clear()
    _CHANGED.update(contents)


def split(text: str) -> list[str]:
    """The lines of a text as Python and mypy count them."""
    return _LINE_BREAK.split(text)


def lines(path: Path) -> tuple[str, ...]:
    """The lines of a file; none if it cannot be read."""
    return _lines(path, *_stamp(path))


def _stamp(path: Path) -> tuple[int, int]:
    """When a file was changed, and its size: what is kept of a file holds as long as these do."""
    if (content := _CHANGED.get(path)) is not None:
        return zlib.crc32(content), len(content)
    try:
        state = path.stat()
    except OSError:
        return 0, 0
    return state.st_mtime_ns, state.st_size


@functools.lru_cache(maxsize=_REMEMBERED)
def _lines(path: Path, changed: int, size: int) -> tuple[str, ...]:
    try:
        content = _CHANGED[path] if path in _CHANGED else path.read_bytes()
        return tuple(split(content.decode("utf-8-sig", errors="replace")))
    except OSError:
        return ()


def class_name(path: Path, name: str, line: int | None) -> tuple[int, int, int, int] | None:
    """Where the statement of a class has its name: line and column of start and end. `line`: of the statement."""
    statement = re.compile(rf"\s*class\s+({name})\b")
    for number, text in enumerate(lines(path), 1):
        if (match := statement.match(text)) is not None and line in (None, number):
            return number, match.start(1) + 1, number, match.end(1) + 1
    return None


def attribute(path: Path, cls: str, name: str) -> int | None:
    """The line on which a class gives a value to an attribute: `self.x = ...`, or the default of a field."""
    tree = _tree(path, *_stamp(path))
    classes = [node for node in _all_of((ast.ClassDef,), tree) if node.name == cls] if tree is not None else []
    assigned = [node for node in classes for node in ast.walk(node) if isinstance(node, ast.Assign | ast.AnnAssign)]
    targets = ((node, target) for node in assigned if node.value is not None for target in _targets(node))
    found = (
        node.lineno for node, target in targets if name in (getattr(target, "attr", ""), getattr(target, "id", ""))
    )
    return min(found, default=None)


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def parameter(path: Path, function: str, name: str) -> tuple[int, int, int, int] | None:
    """Where a function, with the classes around it, declares a parameter: as in `class_name`."""
    tree = _tree(path, *_stamp(path))
    found: ast.AST | None = tree
    for part in function.split("."):
        inside = list(_all_of(_DEFINITIONS, found)) if found is not None else []
        found = next((node for node in inside if node is not found and node.name == part), None)
    if not isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    declared = (*found.args.posonlyargs, *found.args.args, *found.args.kwonlyargs)
    argument = next((node for node in declared if node.arg == name), None)
    if argument is None:
        return None
    start = len(lines(path)[argument.lineno - 1].encode()[: argument.col_offset].decode(errors="replace")) + 1
    return argument.lineno, start, argument.lineno, start + len(name)


def excerpt(path: Path, node: Context, longest: int) -> str:
    """The source of a node, on one line; its end is left out if it is longer."""
    if node.end_column is None:
        return ""
    found = text(path, node.line, node.column, node.end_line or node.line, node.end_column)
    return found if len(found) <= longest else f"{found[: longest - 1]}…"


def text(path: Path, line: int, column: int, end: int, end_column: int) -> str:
    """What stands at a place, on one line. mypy counts columns in bytes."""
    found = [line.encode() for line in lines(path)[line - 1 : end]]
    if not found:
        return ""
    found[-1] = found[-1][:end_column]
    found[0] = found[0][column:]
    return " ".join(b" ".join(found).decode(errors="replace").split())


def statement(path: Path, line: int) -> int:
    """The first line of the innermost statement around a line."""
    return max((start for start, end in _statements(path, *_stamp(path)) if start <= line <= end), default=line)


def scope(path: Path, line: int) -> str:
    """The functions and classes around a line, as in a qualified name; nothing at module level."""
    around = [(start, end, name) for start, end, name, _ in _scopes(path, *_stamp(path)) if start <= line <= end]
    return ".".join(name for _, _, name in sorted(around, key=lambda found: (found[0], -found[1])))


def function_at(path: Path, line: int) -> tuple[str, int] | None:
    """The text of the innermost function around a line, and which line of it that is; None if there is none."""
    scopes = _scopes(path, *_stamp(path))
    functions = [(start, end) for start, end, _, is_class in scopes if start <= line <= end and not is_class]
    if not functions:
        return None
    start, end = max(functions)
    return textwrap.dedent("\n".join(lines(path)[start - 1 : end])), line - start


def loop(path: Path, line: int) -> int | None:
    """The first line of the innermost loop around a line; None if there is none."""
    return max((start for start, end in _loops(path, *_stamp(path)) if start <= line <= end), default=None)


def choice(path: Path, line: int) -> int | None:
    """The first line of the `if` statement that a line asks a condition of, also by `elif`; None if it asks none."""
    return next((first for first, start, end in _conditions(path, *_stamp(path)) if start <= line <= end), None)


def _tree(path: Path, changed: int, size: int) -> ast.Module | None:
    return parsed_by_python("\n".join(_lines(path, changed, size)))


@functools.lru_cache(maxsize=_REMEMBERED)
def _scopes(path: Path, changed: int, size: int) -> tuple[tuple[int, int, str, bool], ...]:
    tree = _tree(path, changed, size)
    nodes = list(_all_of(_DEFINITIONS, tree)) if tree is not None else []
    first = [min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) for node in nodes]
    spans = zip(first, nodes, strict=True)
    return tuple((start, node.end_lineno or start, node.name, type(node) is ast.ClassDef) for start, node in spans)


@functools.lru_cache(maxsize=_REMEMBERED)
def _statements(path: Path, changed: int, size: int) -> tuple[tuple[int, int], ...]:
    tree = _tree(path, changed, size)
    found = _all_of((ast.stmt,), tree) if tree is not None else ()
    return tuple((node.lineno, node.end_lineno or node.lineno) for node in found)


@functools.lru_cache(maxsize=_REMEMBERED)
def _loops(path: Path, changed: int, size: int) -> tuple[tuple[int, int], ...]:
    tree = _tree(path, changed, size)
    found = _all_of(_LOOPS, tree) if tree is not None else ()
    return tuple((node.lineno, node.end_lineno or node.lineno) for node in found)


@functools.lru_cache(maxsize=_REMEMBERED)
def _conditions(path: Path, changed: int, size: int) -> tuple[tuple[int, int, int], ...]:
    tree = _tree(path, changed, size)
    first: dict[ast.If, int] = {}
    for node in sorted(_all_of((ast.If,), tree), key=lambda node: node.lineno) if tree is not None else ():
        first.setdefault(node, node.lineno)
        rest = node.orelse[0] if len(node.orelse) == 1 else None
        if isinstance(rest, ast.If) and rest.col_offset == node.col_offset:  # `elif`
            first[rest] = first[node]
    return tuple((begin, node.lineno, node.test.end_lineno or node.lineno) for node, begin in first.items())


def _all_of(kinds: tuple[type[ast.stmt], ...], tree: ast.AST) -> Iterator[Any]:
    """The statements of these kinds at any depth. Expressions, which hold none, are most of a tree."""
    to_do = [tree]
    while to_do:
        node = to_do.pop()
        if isinstance(node, kinds):
            yield node
        for field in _BLOCKS:
            to_do += getattr(node, field, ())
