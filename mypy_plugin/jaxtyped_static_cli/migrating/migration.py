"""The migration of a program: a plan for each file, verified, and the contents to write."""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import libcst as cst

from ..editing import edits
from ..editing.documents import Document, Unreadable
from ..editing.names import Names
from ..mypy_runs.modules import relative
from .classes import DYNAMIC, Requested
from .exports import Exports
from .planning import Plan, Wanted, plan
from .programs import ClassKey
from .reading import Reader, Reading, Reported
from .reasons import Left
from .static_parameters import MARKS
from .verification import Versions, unverified

_LISTS: Final = re.compile("|".join(MARKS).encode())
# What declares a static field.
_FIELDS: Final = re.compile(rb"pytree_node|jax_dataclasses|[\"']static[\"']|\bstatic\s*=")


@dataclass(frozen=True)
class File:
    """A file with something to migrate."""

    path: Path
    document: Document
    names: Names
    plan: Plan
    exported: frozenset[str] | None  # names that others import from it; None if any may be
    refused: Mapping[int, Left] = field(default_factory=dict)  # by the number of each function
    refused_classes: Mapping[str, Left] = field(default_factory=dict)

    @property
    def left(self) -> list[Left]:
        return sorted([*self.plan.left, *self.refused.values(), *self.refused_classes.values()])

    @cached_property
    def content(self) -> bytes:
        """The content with the changes. LibCST takes a third of a second to find imports that nothing uses any more."""
        return edits.edited(self.document, self.plan.edits) if self.plan.edits else self.document.content


class Migration(NamedTuple):
    files: tuple[File, ...]
    unread: tuple[tuple[Path, str], ...]  # files that LibCST cannot read, and why
    wanted: Wanted = Wanted()

    @property
    def changed(self) -> list[File]:
        return [file for file in self.files if file.plan.edits]

    @property
    def has_classes(self) -> bool:
        return any(file.plan.classes for file in self.files)

    def planned(self) -> "Migration":
        """With a new plan for each file. Classes that have to become static together do so, or none of them."""
        return self._replace(files=tuple(_with(file, self.wanted) for file in self.files)).together()

    def together(self) -> "Migration":
        """Without the classes that would become static but for their own source, and without those that need them."""
        left = {
            key: (kept.reason, kept.about)
            for file in self.files
            for kept in file.plan.left
            if (key := ClassKey(file.path, kept.name)) in self.wanted.classes.static.classes
        }
        return self.without_static(left) if left else self

    def without_static(self, left: Mapping[ClassKey, tuple[str, str]]) -> "Migration":
        """Without some of the classes that would become static, and without those that need them."""
        wanted = self.wanted._replace(classes=self.wanted.classes.without(left))
        gone = {key.path for key in self.wanted.classes.static.classes.keys() - wanted.classes.static.classes.keys()}
        files = tuple(_with(file, wanted) if file.path in gone else file for file in self.files)
        return self._replace(files=files, wanted=wanted).together()


def propose(
    paths: Sequence[Path],
    wanted: Wanted,
    left_alone: Container[Path] = (),
    edited: Mapping[Path, bytes] = MappingProxyType({}),
) -> Migration:
    """What can be changed, as far as the source of each file tells.

    `left_alone`: paths that may not be changed. `edited`: the contents of files that are not those on the disk.
    """
    files: list[File] = []
    unread: list[tuple[Path, str]] = []
    contents = {path: edited[path] if path in edited else path.read_bytes() for path in paths}
    exports = Exports(contents)
    hierarchies = wanted.classes.hierarchies
    declaring = hierarchies.files if hierarchies is not None else frozenset()
    for path, content in contents.items():
        is_marked = _LISTS.search(content) or (wanted.classes.fields and _FIELDS.search(content))
        if path in left_alone or (not is_marked and path not in declaring):
            continue
        try:
            document = Document(content)
            file = File(path, document, Names(document), Plan(), exports.of(path))
            files.append(_with(file, wanted))
        except (Unreadable, RecursionError) as problem:
            unread.append((path, str(problem)))
    unreadable = {
        key: ("unreadable", "")
        for key in wanted.classes.static.classes
        if key.path in dict(unread) or key.path in left_alone
    }
    migration = Migration(tuple(files), tuple(unread), wanted)
    return migration.without_static(unreadable) if unreadable else migration.together()


def verified(migration: Migration, reader: Reader) -> Migration:
    """The migration without the functions that the checker does not read as before, and classes that cause errors."""
    if not migration.changed:
        return migration
    wanted = migration.wanted
    reader.prepare()
    before = reader.read({})
    functions = migration
    if wanted.classes.anything:
        functions = migration._replace(wanted=wanted._replace(classes=Requested())).planned()
    while changed := functions.changed:
        after = reader.read({file.path: file.content for file in changed})
        refused = {file.path: _refused(file, before, after, reader.root) for file in changed}
        if not any(refused.values()):
            before = after
            break
        files = [_without(file, refused.get(file.path, {}), functions.wanted) for file in functions.files]
        functions = functions._replace(files=tuple(files))
    if not wanted.classes.anything:
        return functions
    return _with_classes(functions._replace(wanted=wanted).planned(), reader, before)


def _with_classes(migration: Migration, reader: Reader, before: Reading) -> Migration:
    """The migration without classes that have errors, of mypy itself or of the rules."""
    while migration.has_classes:
        after = reader.read({file.path: file.content for file in migration.changed})
        new = after.errors - before.errors
        faulty = [_faulty(file, after, new, reader.root) for file in migration.files]
        if not new and not any(faulty):
            break
        if not any(faulty):
            faulty = [_named(file, new) for file in migration.files]
        if not any(faulty):  # no error is in a class or names one
            faulty = [{cls.name: min(new)[2] for cls in file.plan.classes} for file in migration.files]
        files = [
            _without_classes(file, why, migration.wanted) for file, why in zip(migration.files, faulty, strict=True)
        ]
        static = {
            ClassKey(file.path, name): ("errors", why)
            for file, found in zip(migration.files, faulty, strict=True)
            for name, why in found.items()
            if ClassKey(file.path, name) in migration.wanted.classes.static.classes
        }
        migration = migration._replace(files=tuple(files)).without_static(static)
    return migration


def _faulty(file: File, after: Reading, new: Container[Reported], root: Path) -> dict[str, str]:
    """Classes in which something new is reported, or anything about a field, which the new class would refuse."""
    if not file.plan.classes:
        return {}
    document, shown = Document(file.content), relative(file.path, root)
    found: dict[str, str] = {}
    for diagnostic in after.outcome.diagnostics:
        if not diagnostic.is_error or diagnostic.span.path != shown:
            continue
        place = document.place(diagnostic.span.line, diagnostic.span.column)
        is_of_field = diagnostic.is_ours and document.around(place, cst.FunctionDef) is None
        cls = document.around(place, cst.ClassDef)
        if cls is not None and (is_of_field or (diagnostic.span.path, diagnostic.code, diagnostic.message) in new):
            found.setdefault(cls.name.value, diagnostic.message)
    return {
        planned.name: found[name] for planned in file.plan.classes if (name := planned.name.rpartition(".")[2]) in found
    }


def _named(file: File, new: Iterable[Reported]) -> dict[str, str]:
    """Classes that new errors name, wherever they are."""
    messages = [message for _, _, message in new]
    patterns = {cls.name: rf"\b{cls.name.rpartition('.')[2]}\b" for cls in file.plan.classes}
    found = {name: [text for text in messages if re.search(pattern, text)] for name, pattern in patterns.items()}
    return {name: named[0] for name, named in found.items() if named}


def _with(file: File, wanted: Wanted) -> File:
    """The file with a plan for what was not refused."""
    planned = plan(
        file.document,
        file.names,
        file.path,
        wanted,
        exported=file.exported,
        without=file.refused.keys(),
        without_classes=file.refused_classes.keys(),
    )
    return replace(file, plan=planned)


def _refused(file: File, before: Reading, after: Reading, root: Path) -> dict[int, Left]:
    versions = Versions(file.path, relative(file.path, root), file.document, Document(file.content))
    found = unverified(file.plan.functions, before, after, versions)
    return {
        function.number: Left(function.sites[0].line, function.name, reason, about) for function, reason, about in found
    }


def _without(file: File, refused: Mapping[int, Left], wanted: Wanted) -> File:
    return _with(replace(file, refused={**file.refused, **refused}), wanted) if refused else file


def _without_classes(file: File, why: Mapping[str, str], wanted: Wanted) -> File:
    """The file without some dynamic classes. `why`: the error of each."""
    refused = {
        cls.name: Left(cls.line, cls.name, "errors", why[cls.name])
        for cls in file.plan.classes
        if cls.name in why and cls.becomes == DYNAMIC
    }
    return _with(replace(file, refused_classes={**file.refused_classes, **refused}), wanted) if refused else file
