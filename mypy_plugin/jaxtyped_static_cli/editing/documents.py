"""A parsed source file, and its nodes at the places that findings name."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache, cached_property
from typing import Any, Final, TypeVar

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from ..files import sources

Node = TypeVar("Node", bound=cst.CSTNode)
Found = TypeVar("Found")
EXPRESSION: Final[type[cst.BaseExpression]] = cst.BaseExpression  # type: ignore[type-abstract]
Place = tuple[int, int]  # a line, from 1, and a column, from 0, in characters


class Unreadable(Exception):
    """LibCST cannot parse a file, or would not write it as it was."""


class Document:
    """A file as LibCST sees it. Its nodes are known by identity.

    Raises:
        Unreadable: the file cannot be edited.
    """

    def __init__(self, content: bytes) -> None:
        self.content = content
        try:
            module = cst.parse_module(content)
            self.text = module.code
            is_kept = self.text.encode(module.encoding) == content
        except (cst.ParserSyntaxError, SyntaxError, UnicodeError, LookupError, RecursionError, MemoryError) as error:
            raise Unreadable(str(error).partition("\n")[0]) from None
        if not is_kept:
            raise Unreadable("LibCST would change how it is written")
        self._wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        self._found: dict[Callable[[Document], Any], Any] = {}
        self._of_kind: dict[type[cst.CSTNode], list[Any]] = {}

    @property
    def module(self) -> cst.Module:
        return self._wrapper.module

    @cached_property
    def _lines(self) -> list[str]:
        return sources.split(self.text)

    def once(self, find: Callable[["Document"], Found]) -> Found:
        """What a function finds in the document; it is asked once, as the document does not change."""
        if find not in self._found:
            self._found[find] = find(self)
        found: Found = self._found[find]
        return found

    @cached_property
    def _ranges(self) -> dict[cst.CSTNode, CodeRange]:
        return dict(self._wrapper.resolve(PositionProvider))

    @cached_property
    def _parents(self) -> dict[cst.CSTNode, cst.CSTNode | None]:
        """Each node with the one that it is part of, which comes before it."""
        found: dict[cst.CSTNode, cst.CSTNode | None] = {self.module: None}
        pending: list[cst.CSTNode] = [self.module]
        while pending:
            node = pending.pop()
            parts = list(parts_of(node))
            found.update(dict.fromkeys(parts, node))
            pending += parts
        return found

    @cached_property
    def _by_start(self) -> dict[Place, list[cst.CSTNode]]:
        """The nodes that start at a place, the outermost first."""
        found: dict[Place, list[cst.CSTNode]] = {}
        for node, place in sorted(self._ranges.items(), key=lambda item: _extent(item[1]), reverse=True):
            found.setdefault((place.start.line, place.start.column), []).append(node)
        return found

    @cached_property
    def _starts(self) -> list[Place]:
        return sorted(self._by_start)

    def place(self, line: int, column: int) -> Place:
        """The place for a line and column as mypy counts them: from 1, and in bytes of UTF-8."""
        text = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        return line, len(text.encode()[: column - 1].decode(errors="ignore"))

    def code(self, node: cst.CSTNode) -> str:
        return self.module.code_for_node(node)

    def line(self, node: cst.CSTNode) -> int:
        return self._ranges[node].start.line

    def starting_at(self, place: Place, kind: type[Node]) -> Node | None:
        """The outermost node of a kind that starts at a place."""
        return next((node for node in self._by_start.get(place, ()) if isinstance(node, kind)), None)

    def spanning(self, start: Place, end: Place, kind: type[Node]) -> Node | None:
        """The outermost node of a kind that starts and ends at these places."""
        found = (node for node in self._by_start.get(start, ()) if isinstance(node, kind))
        return next((node for node in found if _end(self._ranges[node]) == end), None)

    def around(self, place: Place, kind: type[Node]) -> Node | None:
        """The innermost node of a kind that a place is in."""
        index = bisect_left(self._starts, place)
        before = self._by_start[self._starts[index - 1]] if index else []
        near = [*before, *self._by_start.get(place, ())]  # each node that holds the place is around one of these
        around = {outer: None for node in near for outer in (node, *self.ancestors(node))}
        found = [node for node in around if isinstance(node, kind) and _holds(self._ranges[node], place)]
        return min(found, key=lambda node: _extent(self._ranges[node]), default=None)

    def all(self, kind: type[Node]) -> Iterator[Node]:
        """The nodes of a kind, in the order of the source."""
        if kind not in self._of_kind:
            chosen = [node for node in self._parents if isinstance(node, kind)]
            self._of_kind[kind] = chosen if len(chosen) < 2 else sorted(chosen, key=self.start)
        return iter(self._of_kind[kind])

    def start(self, node: cst.CSTNode) -> Place:
        place = self._ranges[node].start
        return place.line, place.column

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes that a node is part of, from the inside out."""
        parent = self._parents.get(node)
        while parent is not None:
            yield parent
            parent = self._parents.get(parent)

    def parent(self, node: cst.CSTNode, kind: type[Node]) -> Node | None:
        """The nearest node of a kind that a node is part of."""
        return next((parent for parent in self.ancestors(node) if isinstance(parent, kind)), None)


def parts_of(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes in a node; `children` would copy it."""
    for name in _names(type(node)):
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            yield value
        elif isinstance(value, (tuple, list)):
            yield from (part for part in value if isinstance(part, cst.CSTNode))


@cache
def _names(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _extent(place: CodeRange) -> Place:
    lines = place.end.line - place.start.line
    return lines, place.end.column - (place.start.column if lines == 0 else 0)


def _end(place: CodeRange) -> Place:
    return place.end.line, place.end.column


def _holds(outer: CodeRange, place: Place) -> bool:
    return (outer.start.line, outer.start.column) <= place <= (outer.end.line, outer.end.column)
