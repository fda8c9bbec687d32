"""What to change in a document, and the text with the changes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile
from typing import cast

import libcst as cst

from .added_imports import with_imports
from .documents import Document
from .imports import Import, imported

New = cst.CSTNode | cst.RemovalSentinel  # what a node is replaced by
Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


@dataclass(frozen=True)
class Edit:
    """A change of one document."""

    replaced: Mapping[cst.CSTNode, New] = field(default_factory=dict)
    before: Mapping[cst.CSTNode, Sequence[Statement]] = field(default_factory=dict)  # statements to put before others
    imports: tuple[Import, ...] = ()  # what the changed code needs
    unneeded: tuple[Import, ...] = ()  # imports to remove if nothing uses them any more
    defined: frozenset[str] = frozenset()  # new names

    def overlaps(self, other: "Edit", document: Document) -> bool:
        """Whether one changes what is part of a node that the other replaces, or both define a name."""
        together = Together(document)
        together.add(other)
        return not together.fits(self)


def joined(edits: Iterable[Edit]) -> Edit:
    """One edit that does what several do. They do not overlap."""
    edits = list(edits)
    before: dict[cst.CSTNode, Sequence[Statement]] = {}
    for node, statements in (item for edit in edits for item in edit.before.items()):
        before[node] = [*before.get(node, ()), *statements]
    return Edit(
        {node: new for edit in edits for node, new in edit.replaced.items()},
        before,
        tuple(dict.fromkeys(import_ for edit in edits for import_ in edit.imports)),
        tuple(dict.fromkeys(import_ for edit in edits for import_ in edit.unneeded)),
        frozenset().union(*(edit.defined for edit in edits)),
    )


class Together:
    """Edits of one document that do not overlap."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._replaced: set[cst.CSTNode] = set()
        self._changed: set[cst.CSTNode] = set()  # what has a change, or is around one
        self._defined: set[str] = set()

    def fits(self, edit: Edit) -> bool:
        """Whether an edit overlaps none of these."""
        if not self._defined.isdisjoint(edit.defined) or not self._changed.isdisjoint(edit.replaced):
            return False
        return self._replaced.isdisjoint(self._around(edit))

    def add(self, edit: Edit) -> None:
        self._replaced.update(edit.replaced)
        self._changed.update(self._around(edit))
        self._defined |= edit.defined

    def _around(self, edit: Edit) -> Iterator[cst.CSTNode]:
        for changed in (*edit.replaced, *edit.before):
            yield changed
            yield from self._document.ancestors(changed)


def edited(document: Document, edits: Iterable[Edit]) -> bytes:
    """The content of a document after edits that do not overlap."""
    edits = list(edits)
    replacing = _Replacing(edits)
    module = document.module.visit(replacing)
    module = with_imports(module, [import_ for edit in edits for import_ in edit.imports])
    return without_unused(module, [import_ for edit in edits for import_ in edit.unneeded]).bytes


def without_unused(module: cst.Module, imports: Iterable[Import]) -> cst.Module:
    """The module without those of the imports that nothing in it uses."""
    imports = list(imports)
    if not imports:
        return module
    from libcst.codemod import CodemodContext  # takes a second
    from libcst.codemod.visitors import RemoveImportsVisitor

    context = CodemodContext()
    for import_ in imports:
        RemoveImportsVisitor.remove_unused_import(context, import_.module, import_.name, import_.alias)
    return _with_lines_above(module, RemoveImportsVisitor(context).transform_module(module))


def _with_lines_above(before: cst.Module, after: cst.Module) -> cst.Module:
    """The module with the comments and blank lines above the imports that are gone, now above the next statement."""
    body: list[Statement] = []
    lines: list[cst.EmptyLine] = []
    left = list(after.body)
    for statement in before.body:
        if left and _is_same(statement, left[0]):
            kept = left.pop(0)
            is_spaced = not any(line.comment for line in lines) and any(not line.comment for line in kept.leading_lines)
            body.append(
                kept if is_spaced or not lines else kept.with_changes(leading_lines=[*lines, *kept.leading_lines])
            )
            lines = []
        elif not lines or any(line.comment for line in statement.leading_lines):
            lines += statement.leading_lines
    if left:
        return after
    if body and not before.header and not _is_same(before.body[0], body[0]):
        body[0] = body[0].with_changes(leading_lines=_without_blank_lines_first(body[0].leading_lines))
    return after.with_changes(body=body)


def _without_blank_lines_first(lines: Iterable[cst.EmptyLine]) -> list[cst.EmptyLine]:
    return list(dropwhile(lambda line: line.comment is None, lines))


def _is_same(statement: cst.CSTNode, other: cst.CSTNode) -> bool:
    """Whether the second is the first, perhaps with fewer imports."""
    was, now = _imported_by(statement), _imported_by(other)
    return not was or (len(now) > 0 and now <= was)


def _imported_by(statement: cst.CSTNode) -> set[Import]:
    """What a statement imports; nothing if it is one that is never removed."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return set()
    if not all(isinstance(part, (cst.Import, cst.ImportFrom)) for part in statement.body):
        return set()
    return set(imported(cst.Module([statement])))


def keeps_comments(edit: Edit) -> bool:
    """Whether the new code has every comment of the old."""
    moved = [statement for statements in edit.before.values() for statement in statements]
    return not _comments(edit.replaced) - _comments([*edit.replaced.values(), *moved])


def _comments(nodes: Iterable[New]) -> Counter[str]:
    found: Counter[str] = Counter()
    pending = [node for node in nodes if isinstance(node, cst.CSTNode)]
    while pending:
        part = pending.pop()
        if isinstance(part, cst.Comment):
            found[part.value] += 1
        pending += part.children
    return found


class _Replacing(cst.CSTTransformer):
    def __init__(self, edits: Iterable[Edit]) -> None:
        super().__init__()
        self._replaced = {node: new for edit in edits for node, new in edit.replaced.items()}
        self._before: dict[cst.CSTNode, list[Statement]] = {}
        for edit in edits:
            for node, statements in edit.before.items():
                self._before.setdefault(node, []).extend(statements)

    def on_leave(  # type: ignore[override]
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> New | cst.FlattenSentinel[cst.CSTNode]:
        node = self._replaced.get(original_node, updated_node)
        if original_node not in self._before:
            return node
        statement = cast(Statement, node)
        first, *rest = self._before[original_node]
        moved = first.with_changes(leading_lines=statement.leading_lines)
        is_definition = isinstance(statement, cst.FunctionDef | cst.ClassDef)
        lines = [cst.EmptyLine(indent=False)] * 2 if is_definition else []
        return cst.FlattenSentinel([moved, *rest, statement.with_changes(leading_lines=lines)])
