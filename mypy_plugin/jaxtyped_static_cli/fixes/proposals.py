"""What a fix proposes, and what it knows of the program."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

import libcst as cst

from ..editing.documents import Document, Place, Unreadable
from ..editing.edits import Edit
from ..editing.permission import Permission
from ..files.python_files import Found, find, is_of_library
from ..findings.causes import Finding
from ..project.roots import Project
from .proofs.code import Code, read_code

# Those of them that are installed as editable are not where packages are.
_LIBRARIES: Final = frozenset({"jax", "jaxlib", "jaxtyped_static", "numpy"})


class Change(NamedTuple):
    """The edits that mend a finding, by file."""

    edits: Mapping[Path, Edit]
    unsafe_because: str = ""  # why they may change more than what is wrong; empty if they cannot
    places: int | None = None  # how many places of the finding they mend; None for all

    @property
    def is_safe(self) -> bool:
        return not self.unsafe_because


class Proposal(NamedTuple):
    """A finding, and a change that mends it."""

    finding: Finding
    change: Change
    does: str


@dataclass
class ProjectFiles:
    """The files of a project. Those that cannot be edited are named in `unreadable`."""

    project: Project
    permission: Permission
    contents: Mapping[Path, bytes]  # of files that were changed
    modules: Mapping[str, Path]
    unreadable: dict[Path, str] = field(default_factory=dict)
    _documents: dict[Path, Document] = field(default_factory=dict)

    @property
    def root(self) -> Path:
        return self.project.root

    @cached_property
    def _found(self) -> Found:
        """All files of the project, whether or not they are checked."""
        return find([self.project.whole], (), self.root)

    @property
    def paths(self) -> list[Path]:
        return self._found.files

    def content(self, path: Path) -> bytes:
        return self.contents[path] if path in self.contents else path.read_bytes()

    def document(self, path: Path) -> Document | None:
        """A file to edit; None if that is not possible."""
        if path not in self._documents and path not in self.unreadable:
            if (why := self.permission.refusal(path)) is not None:
                self.unreadable[path] = why
                return None
            try:
                self._documents[path] = Document(self.content(path))
            except (Unreadable, OSError) as error:
                self.unreadable[path] = str(error)
        return self._documents.get(path)

    @cached_property
    def code(self) -> Code:
        """The files of the project and the modules of its own that it imports, for proofs that a fix is safe."""
        files = dict.fromkeys(
            [*self.paths, *sorted(path for name, path in self.modules.items() if _is_own(name, path))]
        )
        hidden = [left.path for left in self._found.left_out if left.is_code]
        return read_code(files, self.content, self.root, self.modules, hidden)


def _is_own(name: str, path: Path) -> bool:
    """Whether a module may be about the classes and functions of the project."""
    return path.suffix == ".py" and not is_of_library(str(path)) and name.partition(".")[0] not in _LIBRARIES


class Spot(NamedTuple):
    """The place of a finding in its file."""

    path: Path
    document: Document
    place: Place

    def starting(self, kind: type[cst.CSTNode]) -> cst.CSTNode | None:
        return self.document.starting_at(self.place, kind)

    def change(self, edit: Edit | None, unsafe_because: str = "") -> Change | None:
        return Change({self.path: edit}, unsafe_because) if edit is not None else None


Propose = Callable[[Finding, ProjectFiles], Change | None]
NEVER: Final = "never"


class Fix(NamedTuple):
    """A kind of fix: the codes that it mends, what it does, and when it is safe."""

    codes: tuple[str, ...]
    does: str
    is_safe_if: str  # NEVER, or a condition in words
    propose: Propose


def spot_of(finding: Finding, files: ProjectFiles) -> Spot | None:
    """Where a finding is; None if its file cannot be edited. Parses the file, so look at what it says first."""
    path = files.root / finding.span.path
    document = files.document(path)
    if document is None:
        return None
    return Spot(path, document, document.place(finding.span.line, finding.span.column))


def edits_of(proposals: Iterable[Proposal]) -> dict[Path, list[Edit]]:
    found: dict[Path, list[Edit]] = {}
    for proposal in proposals:
        for path, edit in proposal.change.edits.items():
            found.setdefault(path, []).append(edit)
    return found
