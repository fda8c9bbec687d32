"""Finds the declaration of a field by its path, `Solver.models.sizes`, through annotations and imports."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import libcst as cst

from ..editing.documents import Document
from .proposals import ProjectFiles

_MAX_IMPORTS: Final = 5  # modules that pass a class on
_ITEM: Final = re.compile(r"\[[^\]]*\]")

Declared = tuple[Path, cst.ClassDef]


def find_field(path: str, file: Path, files: ProjectFiles) -> tuple[Path, cst.AnnAssign] | None:
    """The file and statement that declare the last field of a path, which starts with a class that a file names."""
    root, *steps = _ITEM.sub("", path).split(".")
    owner = find_class(root, file, files)
    for number, step in enumerate(steps):
        found = _field_of(owner, step, files) if owner is not None else None
        if found is None:
            return None
        if number == len(steps) - 1:
            return found
        owner = _class_in(found, files)
    return None


def _field_of(owner: Declared, name: str, files: ProjectFiles) -> tuple[Path, cst.AnnAssign] | None:
    """The field of a class, or of a base."""
    file, found = owner
    for declared in fields(found):
        if isinstance(declared.target, cst.Name) and declared.target.value == name:
            return file, declared
    for base in found.bases:
        above = find_class(base.value.value, file, files) if isinstance(base.value, cst.Name) else None
        if above is not None and above[1] is not found and (inherited := _field_of(above, name, files)) is not None:
            return inherited
    return None


def _class_in(field: tuple[Path, cst.AnnAssign], files: ProjectFiles) -> Declared | None:
    """The first class that an annotation names."""
    file, declared = field
    for name in _names(declared.annotation):
        if (found := find_class(name, file, files)) is not None:
            return found
    return None


def _names(node: cst.CSTNode) -> Iterator[str]:
    if isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, cst.SimpleString) and isinstance(text := node.evaluated_value, str):
        yield from re.findall(r"\w+", text)
    for child in node.children:
        yield from _names(child)


def find_class(name: str, file: Path, files: ProjectFiles, imports: int = _MAX_IMPORTS) -> Declared | None:
    """The statement of a class that a file defines or imports."""
    document = files.document(file)
    if document is None:
        return None
    for found in document.all(cst.ClassDef):
        if found.name.value == name:
            return file, found
    for module in _modules_with(name, document, file, files) if imports else ():
        if (declared := find_class(name, module, files, imports - 1)) is not None:
            return declared
    return None


def _modules_with(name: str, document: Document, file: Path, files: ProjectFiles) -> Iterator[Path]:
    """The files from which a name is imported."""
    names = {path: module for module, path in files.modules.items()}
    for statement in document.all(cst.ImportFrom):
        if isinstance(statement.names, cst.ImportStar) or all(
            alias.evaluated_name != name for alias in statement.names
        ):
            continue
        target = document.code(statement.module) if statement.module is not None else ""
        if statement.relative:
            parts = names.get(file, "").split(".")
            is_package = file.stem == "__init__"
            kept = len(parts) - len(statement.relative) + is_package
            target = ".".join([*parts[:kept], *([target] if target else [])])
        for module in (target, f"{target}.{name}"):
            if module in files.modules:
                yield files.modules[module]


def fields(found: cst.ClassDef) -> Iterator[cst.AnnAssign]:
    for line in found.body.body:
        if isinstance(line, cst.SimpleStatementLine):
            yield from (part for part in line.body if isinstance(part, cst.AnnAssign) and field_name(part))


def field_name(declared: cst.AnnAssign) -> str:
    """The name that an annotated assignment declares; empty for one to an attribute."""
    return declared.target.value if isinstance(declared.target, cst.Name) else ""
