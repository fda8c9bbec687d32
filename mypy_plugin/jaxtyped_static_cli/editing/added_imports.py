"""Adds imports to a module, where the others are and as they are sorted.

LibCST's AddImportsVisitor (1.9) puts a new statement below all others, whatever their order, and a new name before all
others. ruff and isort sort whole files, by settings that nobody may have written for them, and need not be installed.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import libcst as cst
from libcst.helpers import get_full_name_for_node

from .import_order import (
    ImportLine,
    Section,
    Statement,
    blocks,
    import_line,
    is_sorted,
    key_of_member,
    place_in,
)
from .imports import Import, imported
from .keywords import with_comment_of, without_comment

_BLANK: Final = cst.EmptyLine(indent=False)
_DEFINITIONS: Final = (cst.FunctionDef, cst.ClassDef)


def with_imports(module: cst.Module, imports: Iterable[Import]) -> cst.Module:
    """The module with the imports that it lacks."""
    for new in dict.fromkeys(imports):
        if new not in imported(module):
            module = _with_name(module, new) or _with_statement(module, new)
    return module


# A name more in a statement


def _with_name(module: cst.Module, new: Import) -> cst.Module | None:
    """The module with a name more in a statement; None if none imports from there without giving another name."""
    if new.name is None or new.alias is not None:
        return None
    for statement in _before_definitions(module):
        node = _import_from(statement, new.module)
        names = () if node is None or isinstance(node.names, cst.ImportStar) else node.names
        if node is not None and any(alias.asname is None for alias in names):
            return module.with_deep_changes(node, names=_with_alias(node, names, new.name))
    return None


def _import_from(statement: Statement, module: str) -> cst.ImportFrom | None:
    """A statement that imports from a module, and does nothing else."""
    node = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1 else None
    if not isinstance(node, cst.ImportFrom) or node.relative or node.module is None:
        return None
    return node if get_full_name_for_node(node.module) == module else None


def _with_alias(node: cst.ImportFrom, names: Sequence[cst.ImportAlias], name: str) -> list[cst.ImportAlias]:
    """The names with one more: in its place if they are sorted, else as the last."""
    added, separator = cst.ImportAlias(cst.Name(name)), _separator(node, names)
    index = len(names)
    if is_sorted(names, lambda alias: key_of_member(alias.evaluated_name)):
        index = sum(key_of_member(alias.evaluated_name) < key_of_member(name) for alias in names)
    if index < len(names):
        return [*names[:index], added.with_changes(comma=separator), *names[index:]]
    *before, last = names
    if not isinstance(last.comma, cst.Comma):
        return [*before, last.with_changes(comma=separator), added]
    ends = with_comment_of(last.comma, separator)
    return [*before, last.with_changes(comma=ends), added.with_changes(comma=without_comment(last.comma))]


def _separator(node: cst.ImportFrom, names: Sequence[cst.ImportAlias]) -> cst.Comma:
    """What stands between the names of a statement."""
    if node.lpar is not None and isinstance(node.lpar.whitespace_after, cst.ParenthesizedWhitespace):
        return without_comment(cst.Comma(whitespace_after=node.lpar.whitespace_after))  # one name a line
    commas = (alias.comma for alias in names[:-1] if isinstance(alias.comma, cst.Comma))
    return without_comment(next(commas, cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))))


# A statement more


def _with_statement(module: cst.Module, new: Import) -> cst.Module:
    statement = _statement(new)
    line = import_line(statement)
    assert line is not None, "it imports one module"
    found = list(blocks(_before_definitions(module)))
    own = next((block for block in found if _sections(block) == {line.section}), None)
    if own is not None:
        return _in_block(module, own, line)
    mixed = next((block for block in found if len(_sections(block)) > 1), None)
    if mixed is not None:
        return _inserted(module, _index(module, mixed[-1].statement) + 1, statement)
    later = next((block for block in found if block[0].section > line.section), None)
    if later is not None:
        return _above_block(module, later, statement)
    if found:
        apart = statement.with_changes(leading_lines=[_BLANK])
        return _inserted(module, _index(module, found[-1][-1].statement) + 1, apart)
    return _as_first(module, statement)


def _statement(new: Import) -> cst.SimpleStatementLine:
    module, name = (cst.parse_expression(text) for text in (new.module, new.name or new.module))
    assert isinstance(module, cst.Name | cst.Attribute) and isinstance(name, cst.Name | cst.Attribute)
    asname = cst.AsName(cst.Name(new.alias)) if new.alias is not None else None
    names = [cst.ImportAlias(name, asname)]
    node = cst.ImportFrom(module, names) if new.name is not None else cst.Import(names)
    return cst.SimpleStatementLine([node])


def _before_definitions(module: cst.Module) -> list[Statement]:
    """The statements above the first function or class, which may need what is imported."""
    body = list(module.body)
    end = next((index for index, statement in enumerate(body) if isinstance(statement, _DEFINITIONS)), len(body))
    return body[:end]


def _sections(block: Iterable[ImportLine]) -> set[Section]:
    return {line.section for line in block}


def _in_block(module: cst.Module, block: Sequence[ImportLine], new: ImportLine) -> cst.Module:
    """What stands above the block stays there: a comment may be about all of it."""
    place = place_in(block, new)
    if place:
        return _inserted(module, _index(module, block[place - 1].statement) + 1, new.statement)
    first = block[0].statement
    moved = new.statement.with_changes(leading_lines=first.leading_lines)
    return _inserted(module, _index(module, first), moved, first.with_changes(leading_lines=[]))


def _above_block(module: cst.Module, block: Sequence[ImportLine], new: cst.SimpleStatementLine) -> cst.Module:
    """The module with a new block, above another one and the comments that stand directly above that."""
    first = block[0].statement
    lines = list(first.leading_lines)
    start = next((index for index in range(len(lines), 0, -1) if lines[index - 1].comment is None), 0)
    moved = first.with_changes(leading_lines=[_BLANK, *lines[start:]])
    return _inserted(module, _index(module, first), new.with_changes(leading_lines=lines[:start]), moved)


def _as_first(module: cst.Module, new: cst.SimpleStatementLine) -> cst.Module:
    """The module with its only import, between its docstring and the blank lines above what follows."""
    start = int(module.get_docstring() is not None)
    new = new.with_changes(leading_lines=[_BLANK] * start)
    if start == len(module.body):
        return _inserted(module, start, new)
    following = module.body[start]
    lines = list(following.leading_lines)
    blank = next((index for index, line in enumerate(lines) if line.comment is not None), len(lines))
    wanted = 2 if isinstance(following, _DEFINITIONS) else 1
    spaced = following.with_changes(leading_lines=[*[_BLANK] * (wanted - blank), *lines])
    return _inserted(module, start, new, spaced)


def _index(module: cst.Module, statement: Statement) -> int:
    return next(index for index, found in enumerate(module.body) if found is statement)


def _inserted(module: cst.Module, index: int, new: Statement, instead: Statement | None = None) -> cst.Module:
    """The module with a statement at a place, and the one that was there changed."""
    rest = list(module.body[index:])
    return module.with_changes(body=[*module.body[:index], new, *([instead, *rest[1:]] if instead else rest)])
