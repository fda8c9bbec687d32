"""How ruff and isort sort imports: in sections, each a block of its own, and within these by the names of modules.

Seen with ruff 0.17 (rule I001) and its defaults: `import` comes before `from`, case does not count, and digits count as
numbers. A file may be sorted by the names of modules alone, as the option `force-sort-within-sections` does.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

import libcst as cst
from libcst.helpers import get_full_name_for_node

Statement: TypeAlias = cst.SimpleStatementLine | cst.BaseCompoundStatement
SortKey: TypeAlias = tuple[Any, ...]

_DIGITS: Final = re.compile(r"(\d+)")


class Section(IntEnum):
    """Where imports stand, in this order. Which of the others are a project's own is not known here."""

    FUTURE = 0
    STANDARD = 1
    OTHER = 2
    RELATIVE = 3


class ImportLine(NamedTuple):
    """A line that imports one module."""

    statement: cst.SimpleStatementLine
    module: str
    first: str  # of the names that it imports from the module
    is_from: bool
    section: Section
    starts_block: bool  # a blank line is above it


def import_line(statement: cst.CSTNode) -> ImportLine | None:
    """A statement as a line; None if it is another statement, or imports several modules."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    starts = any(line.comment is None for line in statement.leading_lines)
    node = statement.body[0]
    if isinstance(node, cst.Import) and len(node.names) == 1:
        name = get_full_name_for_node(node.names[0].name) or ""
        return ImportLine(statement, name, "", False, _section(name), starts)
    if isinstance(node, cst.ImportFrom):
        name = (get_full_name_for_node(node.module) or "") if node.module is not None else ""
        first = "" if isinstance(node.names, cst.ImportStar) else node.names[0].evaluated_name
        return ImportLine(statement, name, first, True, Section.RELATIVE if node.relative else _section(name), starts)
    return None


def blocks(body: Iterable[Statement]) -> Iterator[list[ImportLine]]:
    """The imports that stand together, without a blank line between them."""
    block: list[ImportLine] = []
    for statement in body:
        line = import_line(statement)
        if block and (line is None or line.starts_block):
            yield block
            block = []
        if line is not None:
            block.append(line)
    if block:
        yield block


def place_in(block: Sequence[ImportLine], new: ImportLine) -> int:
    """The number of lines of a block that come before a new one: all, if the block is not sorted."""
    orders: tuple[Callable[[ImportLine], SortKey], ...] = (_by_kind, _by_module)
    order = next((order for order in orders if is_sorted(block, order)), None)
    return len(block) if order is None else sum(order(line) < order(new) for line in block)


def is_sorted(items: Sequence[Any], key: Callable[[Any], SortKey]) -> bool:
    return all(key(before) <= key(after) for before, after in pairwise(items))


def key_of_member(name: str) -> SortKey:
    """The order of the names in `from module import ...`: constants, classes, and the others."""
    kind = 0 if len(name) > 1 and name.isupper() else 1 if name[:1].isupper() else 2
    return kind, *_natural(name)


def _by_kind(line: ImportLine) -> SortKey:
    return line.is_from, *_by_module(line)


def _by_module(line: ImportLine) -> SortKey:
    return *_natural(line.module), line.is_from, key_of_member(line.first)


def _natural(name: str) -> SortKey:
    """`a2` before `a10`; whatever the case, which only decides between names that are the same otherwise."""
    parts = [(part.isdigit(), int(part) if part.isdigit() else part) for part in _DIGITS.split(name.lower()) if part]
    return parts, name


def _section(module: str) -> Section:
    head = module.partition(".")[0]
    if head == "__future__":
        return Section.FUTURE
    return Section.STANDARD if head in sys.stdlib_module_names else Section.OTHER
