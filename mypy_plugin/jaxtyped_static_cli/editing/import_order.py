"""Puts new imports where isort and ruff sort them, among imports that are sorted already."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

import libcst as cst
from libcst.helpers import get_full_name_for_node

_FUTURE, _STANDARD, _OTHER, _RELATIVE = range(4)
_PART_OF_PYTHON: Final = frozenset(sys.stdlib_module_names)


Statement: TypeAlias = cst.SimpleStatementLine | cst.BaseCompoundStatement


class _Line(NamedTuple):
    """A line that imports one module."""

    statement: cst.SimpleStatementLine
    module: str
    is_from: bool
    section: int
    starts_block: bool  # a blank line is above it

    @property
    def by_kind(self) -> tuple[bool, str]:
        return self.is_from, self.module.lower()

    @property
    def by_module(self) -> tuple[str, bool]:
        return self.module.lower(), self.is_from


def sorted_in(module: cst.Module, before: cst.Module) -> cst.Module:
    """The module with its new imports, those that are not in `before`, in their places."""
    known = set(before.body)
    old = {line.module for statement in before.body if (line := _line(statement)) is not None}
    body = list(module.body)
    new = [line for each in body if each not in known and (line := _line(each)) is not None and line.module not in old]
    for line in new:
        rest = [each for each in body if all(each is not other.statement for other in new)]
        blocks = [block for block in _blocks(rest) if {one.section for one in block} == {line.section}]
        after = _place(line, blocks[0]) if blocks else None
        if after is not None:
            body.remove(line.statement)
            _insert(line.statement, body, blocks[0], after)
    return module.with_changes(body=body)


def _insert(new: Statement, body: list[Statement], block: Sequence[_Line], after: int) -> None:
    if after >= 0:
        body.insert(body.index(block[after].statement) + 1, new.with_changes(leading_lines=[]))
        return
    first = block[0].statement
    index = body.index(first)
    body[index : index + 1] = [
        new.with_changes(leading_lines=first.leading_lines),
        first.with_changes(leading_lines=[]),
    ]


def _place(new: _Line, block: Sequence[_Line]) -> int | None:
    """After which line of a block an import belongs: -1 for the first place, None if the block is not sorted."""
    if not block:
        return None
    if all(one.by_kind <= other.by_kind for one, other in pairwise(block)):
        return sum(line.by_kind < new.by_kind for line in block) - 1
    if all(one.by_module <= other.by_module for one, other in pairwise(block)):
        return sum(line.by_module < new.by_module for line in block) - 1
    return None


def _blocks(body: Iterable[Statement]) -> Iterator[list[_Line]]:
    """The imports at the top level that stand together."""
    block: list[_Line] = []
    for statement in body:
        line = _line(statement)
        if block and (line is None or line.starts_block):
            yield block
            block = []
        if line is not None:
            block.append(line)
    if block:
        yield block


def _line(statement: cst.CSTNode) -> _Line | None:
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    starts = any(line.comment is None for line in statement.leading_lines)
    one = statement.body[0]
    if isinstance(one, cst.Import) and len(one.names) == 1:
        name = get_full_name_for_node(one.names[0].name) or ""
        return _Line(statement, name, False, _section(name), starts)
    if isinstance(one, cst.ImportFrom):
        name = (get_full_name_for_node(one.module) or "") if one.module is not None else ""
        return _Line(statement, name, True, _RELATIVE if one.relative else _section(name), starts)
    return None


def _section(module: str) -> int:
    head = module.partition(".")[0]
    if head == "__future__":
        return _FUTURE
    return _STANDARD if head in _PART_OF_PYTHON else _OTHER
