"""How a file spells a function of a library, and the import that it lacks."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import libcst as cst
from libcst.helpers import get_full_name_for_node

from .documents import Document

# How modules are usually imported, where a name of their own is usual.
_USUAL: Final = {"jax.numpy": "jnp", "numpy": "np"}


class Import(NamedTuple):
    """`import module as alias`, or `from module import name as alias`."""

    module: str
    name: str | None = None
    alias: str | None = None

    @property
    def bound(self) -> str:
        """The name that it binds."""
        return self.alias or self.name or self.module.partition(".")[0]

    @property
    def full_name(self) -> str:
        """What that name stands for."""
        if self.name is not None:
            return f"{self.module}.{self.name}"
        return self.module if self.alias is not None else self.bound


class Spelling(NamedTuple):
    """What to write for a function of a library, and the import that has to be added first."""

    text: str
    missing: Import | None = None

    @property
    def imports(self) -> tuple[Import, ...]:
        return () if self.missing is None else (self.missing,)


def spelling(document: Document, full_name: str) -> Spelling | None:
    """How a file spells `functools.partial`, `jax.numpy` or the like; None if other things have the names it needs."""
    known, taken = document.once(_spelled), document.once(names)
    for parent, rest in _splits(full_name):
        if parent in known:
            return Spelling(".".join([known[parent], *rest]))
    for wanted in _ways(full_name):
        if wanted.bound not in taken:
            return Spelling(wanted.bound + full_name.removeprefix(wanted.full_name), wanted)
    return None


@lru_cache(64)  # many fixes ask about one file
def imported(module: cst.Module) -> tuple[Import, ...]:
    """What the statements at the top level of a module import; relative imports are left out."""
    return tuple(_imported(module))


def _imported(module: cst.Module) -> Iterator[Import]:
    for line in module.body:
        for statement in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(statement, cst.Import):
                yield from _of_import(statement)
            elif isinstance(statement, cst.ImportFrom) and not statement.relative:
                yield from _of_import_from(statement)


def names(document: Document) -> frozenset[str]:
    """Every name in a file, whatever it stands for, and in whatever scope."""
    return frozenset(node.value for node in document.all(cst.Name))


def _spelled(document: Document) -> dict[str, str]:
    """By the full name of what is imported, the name that it has."""
    return {found.full_name: found.bound for found in imported(document.module)}


def _splits(full_name: str) -> Iterator[tuple[str, list[str]]]:
    """`a.b.c`: ("a.b.c", []), ("a.b", ["c"]), ("a", ["b", "c"])."""
    parts = full_name.split(".")
    for end in range(len(parts), 0, -1):
        yield ".".join(parts[:end]), parts[end:]


def _ways(full_name: str) -> Iterator[Import]:
    """The imports with which a name can be spelled, the usual one first."""
    parent, _, name = full_name.rpartition(".")
    if full_name in _USUAL:
        yield Import(full_name, alias=_USUAL[full_name])
    elif parent in _USUAL:
        yield Import(parent, alias=_USUAL[parent])
    elif parent:
        yield Import(parent, name)
    yield Import(full_name if not parent or full_name in _USUAL else parent)


def _of_import(statement: cst.Import) -> Iterator[Import]:
    for alias in statement.names:
        module = get_full_name_for_node(alias.name)
        if module is not None:
            yield Import(module, alias=_alias(alias))


def _of_import_from(statement: cst.ImportFrom) -> Iterator[Import]:
    module = get_full_name_for_node(statement.module) if statement.module is not None else None
    if module is None or isinstance(statement.names, cst.ImportStar):
        return
    for alias in statement.names:
        yield Import(module, get_full_name_for_node(alias.name), _alias(alias))


def _alias(alias: cst.ImportAlias) -> str | None:
    return alias.asname.name.value if alias.asname is not None and isinstance(alias.asname.name, cst.Name) else None
