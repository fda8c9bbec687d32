"""How a file spells what the migration writes: `jit`, `Static` and `Any`."""

from collections.abc import Collection
from typing import Final, NamedTuple

import libcst as cst
import libcst.matchers as m

from ..editing.documents import Document
from ..editing.imports import Import
from ..editing.names import Names
from .reasons import Refused

OURS: Final = "jaxtyped_static"


class Spelling(NamedTuple):
    """The text to write for a name, and the import that it needs."""

    text: str
    needed: Import


class Vocabulary(NamedTuple):
    """What the migration writes into a file."""

    jit: Spelling
    static: Spelling
    any: Spelling
    # The import of jax.jit, if ours takes its name: nothing else may use it.
    superseded: cst.ImportFrom | None


def vocabulary_of(document: Document, names: Names, compiling: Collection[cst.CSTNode]) -> Vocabulary:
    """`compiling`: the expressions that will be replaced.

    Raises:
        Refused: the names that are needed stand for something else.
    """
    superseded = _superseded(document, names, compiling)
    jit = Spelling("jit", Import(OURS, "jit")) if superseded is not None else spelling_of(OURS, "jit", names)
    return Vocabulary(jit, spelling_of(OURS, "Static", names), spelling_of("typing", "Any", names), superseded)


def superseding(statement: cst.ImportFrom) -> cst.ImportFrom:
    """`from jax import jit` as an import of our `jit`, or without it if it imports other names."""
    left = [alias for alias in _aliases(statement) if alias.evaluated_name != "jit"]
    if not left:
        return statement.with_changes(module=cst.Name(OURS))
    left[-1] = left[-1].with_changes(comma=_aliases(statement)[-1].comma)
    return statement.with_changes(names=left)


def spelling_of(module: str, name: str, names: Names) -> Spelling:
    """How a file spells a name of a module.

    Raises:
        Refused: the names that are needed stand for something else.
    """
    if names.is_free(name, after=f"{module}.{name}"):
        return Spelling(name, Import(module, name))
    if names.is_free(module, after=module):
        return Spelling(f"{module}.{name}", Import(module))
    raise Refused("name", module)


def _superseded(document: Document, names: Names, compiling: Collection[cst.CSTNode]) -> cst.ImportFrom | None:
    if names.is_free("jit", after=f"{OURS}.jit") or not names.is_free("jit", after="jax.jit"):
        return None
    imports = [
        statement
        for statement in document.all(cst.ImportFrom)
        if any(a.evaluated_name == "jit" for a in _aliases(statement))
    ]
    if len(imports) != 1 or m.findall(document.module, m.Assign(targets=[m.AssignTarget(m.Name("__all__"))])):
        return None
    used = names.accesses("jit")
    is_inside = all(any(part in compiling for part in (use, *names.around(use))) for use in used)
    return imports[0] if is_inside else None


def _aliases(statement: cst.ImportFrom) -> list[cst.ImportAlias]:
    return [] if isinstance(statement.names, cst.ImportStar) else list(statement.names)
