"""The migration of a program: a plan for each file, verified, and the contents to write."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ..editing.documents import Document, Unreadable
from ..editing.edits import edited
from ..modules import relative
from .lists import OPTIONS
from .planning import Plan, plan
from .reading import Reader, Reading
from .reasons import Left
from .verification import Versions, unverified

_MARKS = tuple(option.encode() for option in OPTIONS)


class File(NamedTuple):
    """A file with something to migrate."""

    path: Path
    document: Document
    plan: Plan
    refused: Mapping[int, Left] = MappingProxyType({})  # by the number of each function

    @property
    def left(self) -> list[Left]:
        return sorted([*self.plan.left, *self.refused.values()])

    @property
    def content(self) -> bytes:
        """The content with the changes."""
        if not self.plan.functions:
            return self.document.content
        return edited(self.document, [self.plan.shared, *(function.edit for function in self.plan.functions)])


class Migration(NamedTuple):
    files: tuple[File, ...]
    unread: tuple[tuple[Path, str], ...]  # files that LibCST cannot read, and why

    @property
    def changed(self) -> list[File]:
        return [file for file in self.files if file.plan.functions]


def propose(paths: Sequence[Path], *, write_any: bool) -> Migration:
    """What can be changed, as far as the source of each file tells."""
    files: list[File] = []
    unread: list[tuple[Path, str]] = []
    for path in paths:
        content = path.read_bytes()
        if not any(mark in content for mark in _MARKS):
            continue
        try:
            document = Document(content)
            files.append(File(path, document, _plan(path, document, write_any)))
        except (Unreadable, RecursionError) as problem:
            unread.append((path, str(problem)))
    return Migration(tuple(files), tuple(unread))


def verified(migration: Migration, reader: Reader, *, write_any: bool) -> Migration:
    """The migration without the functions that the checker does not read as before."""
    if not migration.changed:
        return migration
    reader.prepare()
    before = reader.read({})
    while changed := migration.changed:
        after = reader.read({file.path: file.content for file in changed})
        refused = {file.path: _refused(file, before, after, reader.root) for file in changed}
        if not any(refused.values()):
            break
        files = [_without(file, refused.get(file.path, {}), write_any) for file in migration.files]
        migration = migration._replace(files=tuple(files))
    return migration


def _plan(path: Path, document: Document, write_any: bool, without: Collection[int] = ()) -> Plan:
    return plan(document, write_any=write_any, is_package=path.name == "__init__.py", without=without)


def _refused(file: File, before: Reading, after: Reading, root: Path) -> dict[int, Left]:
    versions = Versions(file.path, relative(file.path, root), file.document, Document(file.content))
    found = unverified(file.plan.functions, before, after, versions)
    return {one.number: Left(one.sites[0].line, one.name, "unverified", why) for one, why in found}


def _without(file: File, refused: Mapping[int, Left], write_any: bool) -> File:
    if not refused:
        return file
    refused = {**file.refused, **refused}
    return file._replace(plan=_plan(file.path, file.document, write_any, refused.keys()), refused=refused)
