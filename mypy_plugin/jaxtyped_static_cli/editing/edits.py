"""What to change in a document, and the text with the changes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

import libcst as cst
from libcst.codemod import CodemodContext
from libcst.codemod.visitors import RemoveImportsVisitor

from .documents import Document
from .imports import Import, with_imports

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


@dataclass(frozen=True)
class Edit:
    """A change of one document."""

    replaced: Mapping[cst.CSTNode, cst.CSTNode] = field(default_factory=dict)
    before: Mapping[cst.CSTNode, Sequence[Statement]] = field(default_factory=dict)  # statements to put before others
    imports: tuple[Import, ...] = ()  # what the changed code needs
    unneeded: tuple[Import, ...] = ()  # imports to remove if nothing uses them any more

    def overlaps(self, other: "Edit", document: Document) -> bool:
        """Whether one changes what is part of a node that the other replaces."""
        return _is_inside(self, other, document) or _is_inside(other, self, document)


def _is_inside(inner: Edit, outer: Edit, document: Document) -> bool:
    nodes = [*inner.replaced, *inner.before]
    return any(node in outer.replaced for changed in nodes for node in (changed, *document.ancestors(changed)))


def edited(document: Document, edits: Iterable[Edit]) -> bytes:
    """The content of a document after edits that do not overlap."""
    edits = list(edits)
    replacing = _Replacing(edits)
    module = document.module.visit(replacing)
    module = with_imports(module, [one for edit in edits for one in edit.imports])
    return without_unused(module, [one for edit in edits for one in edit.unneeded]).bytes


def without_unused(module: cst.Module, imports: Iterable[Import]) -> cst.Module:
    """The module without those of the imports that nothing in it uses."""
    context = CodemodContext()
    for one in imports:
        RemoveImportsVisitor.remove_unused_import(context, one.module, one.name, one.alias)
    return RemoveImportsVisitor(context).transform_module(module)


def keeps_comments(before: cst.CSTNode, after: cst.CSTNode) -> bool:
    """Whether every comment is still there."""
    return not _comments(before) - _comments(after)


def _comments(node: cst.CSTNode) -> Counter[str]:
    found: Counter[str] = Counter()
    pending = [node]
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
    ) -> cst.CSTNode | cst.FlattenSentinel[cst.CSTNode]:
        node = self._replaced.get(original_node, updated_node)
        if original_node not in self._before:
            return node
        statement = cast(Statement, node)
        first, *rest = self._before[original_node]
        moved = first.with_changes(leading_lines=statement.leading_lines)
        return cst.FlattenSentinel([moved, *rest, statement.with_changes(leading_lines=())])
