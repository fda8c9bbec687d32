"""Imports that only what is replaced needed."""

import re
from collections.abc import Collection, Iterator
from typing import Final

import libcst as cst
import libcst.matchers as m

from ..editing.documents import Document
from ..editing.edits import Edit, New
from ..editing.imports import imported
from ..editing.names import Names

# What a file may need no more.
_REPLACED: Final = frozenset(
    {
        *("functools", "functools.partial", "jax", "jax.jit", "jax.tree_util", "jax.tree_util.register_dataclass"),
        *("dataclasses", "dataclasses.dataclass", "dataclasses.field", "jax_dataclasses", "jax_dataclasses.Static"),
        *("jax_dataclasses.pytree_dataclass", "jax_dataclasses.jit", "jax_dataclasses.static_field"),
        *("flax", "flax.struct", "flax.struct.dataclass", "flax.struct.field"),
    }
)


def without_imports(
    edit: Edit, document: Document, names: Names, replaced: Collection[cst.CSTNode], exported: Collection[str]
) -> Edit:
    """An edit that also removes imports. `exported`: names that others import from the file."""
    found = [name.value for node in replaced for name in m.findall(node, m.Name()) if isinstance(name, cst.Name)]
    heads = {*found} - {*exported}
    bases = [base for node in replaced if isinstance(node, cst.Arg) and (base := names.full_name(node.value))]
    known = {*_REPLACED, *bases, *(base.rpartition(".")[0] for base in bases)}
    unneeded = [
        import_
        for import_ in imported(document.module)
        if import_.full_name in known and import_.bound in heads and not _is_noted(import_.bound, document)
    ]
    changed = {**edit.replaced, **dict(_relative(document, names, replaced, heads))} if bases else edit.replaced
    return Edit(changed, unneeded=(*edit.unneeded, *unneeded))


def _relative(
    document: Document, names: Names, replaced: Collection[cst.CSTNode], heads: Collection[str]
) -> Iterator[tuple[cst.CSTNode, New]]:
    """The changes of relative imports of bases, which LibCST's own way to remove imports does not know."""
    bases = {node for node in replaced if isinstance(node, cst.Arg)}
    for line in document.module.body:
        statement = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
        if (
            not isinstance(statement, cst.ImportFrom)
            or not statement.relative
            or isinstance(statement.names, cst.ImportStar)
        ):
            continue
        gone = [
            alias
            for alias in statement.names
            if (name := alias.evaluated_alias or alias.evaluated_name) in heads
            and not _is_noted(name, document)
            and all(any(part in bases for part in names.around(use)) for use in names.accesses(name))
        ]
        kept = [alias for alias in statement.names if alias not in gone]
        if gone and kept:
            kept[-1] = kept[-1].with_changes(comma=statement.names[-1].comma)
            yield statement, statement.with_changes(names=kept)
        elif gone:
            yield line, cst.RemoveFromParent()


def _is_noted(name: str, document: Document) -> bool:
    """Whether a comment stands beside the import of a name."""
    return bool(re.search(rf"^(?:from|import)\b.*\b{name}\b.*#", document.text, re.MULTILINE))
