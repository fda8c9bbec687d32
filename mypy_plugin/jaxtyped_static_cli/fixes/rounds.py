"""Applies fixes, checks again, and undoes those that do not help."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ..editing.edits import Together, edited
from ..editing.permission import Permission
from ..files import sources
from ..findings.causes import Finding
from ..mypy_runs.diagnostics import Diagnostic
from ..project.roots import Project
from .containers import display_at
from .everywhere import add, fits
from .proposals import ProjectFiles, Proposal, edits_of
from .results import ErrorKey, Result, key, new_in, persisting
from .table import proposals
from .uncovering import caused, scope_of

_MAX_ROUNDS: Final = 10
_MISTYPED: Final = ("arg-type", "assignment", "list-item", "return-value", "dict-item")

Contents = dict[Path, bytes]
Check = Callable[[Contents], Result]


@dataclass
class Fixed:
    """What the fixes did."""

    contents: Contents  # of the files that they changed
    result: Result  # of a check of these
    mended: list[Proposal] = field(default_factory=list)
    undone: dict[Finding, str] = field(default_factory=dict)  # those whose fix did not help, or did harm, and which
    unreadable: dict[Path, str] = field(default_factory=dict)
    unsafe: dict[Finding, str] = field(default_factory=dict)  # those whose fix was not wanted, and why it is unsafe


@dataclass
class Fixing:
    """One run of `check --fix`."""

    project: Project
    permission: Permission
    check: Check
    allows_unsafe: bool

    def __call__(self, first: Result) -> Fixed:
        """Fixes what can be fixed. A fix may make room for another, so this is done in rounds."""
        done = Fixed({}, first)
        refused: set[tuple[str, ...]] = set()
        for _ in range(_MAX_ROUNDS):
            files = self._files_with(done)
            sources.show(done.contents)  # not those of a fix that was undone
            chosen, done.unsafe = self._chosen(done.result.findings, files, refused)
            done.unreadable |= files.unreadable
            if not chosen:
                break
            undone = self._apply(chosen, files, done)
            done.undone |= undone
            refused |= {finding.key for finding in undone}
        return done

    def _files_with(self, done: Fixed) -> ProjectFiles:
        return ProjectFiles(self.project, self.permission, done.contents, done.result.modules)

    def _chosen(
        self, findings: Sequence[Finding], files: ProjectFiles, refused: set[tuple[str, ...]]
    ) -> tuple[list[Proposal], dict[Finding, str]]:
        """Fixes that do not overlap; and the findings whose fix is unsafe and not wanted, with the reason."""
        chosen: list[Proposal] = []
        unsafe: dict[Finding, str] = {}
        taken: dict[Path, Together] = {}
        fitting = (finding for finding in findings if finding.key not in refused)
        for proposal in proposals(fitting, files):
            if not proposal.change.is_safe and not self.allows_unsafe:
                unsafe[proposal.finding] = proposal.change.unsafe_because
            elif fits(proposal.change, taken, files):
                chosen.append(proposal)
                add(proposal.change, taken)
        return chosen, unsafe

    def _apply(self, chosen: list[Proposal], files: ProjectFiles, done: Fixed) -> dict[Finding, str]:
        """Applies fixes together, or in halves where something new appears; returns those that were undone, and why."""
        accepted: list[Proposal] = []
        undone: dict[Finding, str] = {}
        pending = [chosen]
        start = done.result
        scopes = {proposal.finding: scope_of(proposal.finding, files.root) for proposal in chosen}
        while pending:
            batch = pending.pop()
            tried = [*accepted, *batch]
            attempt, result = self._attempt(tried, files, start)
            harm = caused({proposal.finding: scopes[proposal.finding] for proposal in tried}, result, start, files.root)
            suspects = _suspects(batch, harm, result, start)
            if not suspects:
                accepted += batch
                done.contents, done.result = attempt, result
            elif len(batch) == 1:
                undone[batch[0].finding] = _reason(harm, result, files.root)
            else:
                pending += _parts(batch, suspects)
        done.mended += accepted
        return undone

    def _attempt(self, batch: list[Proposal], files: ProjectFiles, before: Result) -> tuple[Contents, Result]:
        """The content of files after fixes, and the result of a check.

        Where the new types do not fit lists that are written out, these are changed, too.
        """
        contents = {**files.contents, **_applied(batch, files)}
        result = self.check(contents)
        more = _literals(result, before, ProjectFiles(self.project, self.permission, contents, result.modules))
        if more:
            contents |= more
            result = self.check(contents)
        return contents, result


def _applied(batch: list[Proposal], files: ProjectFiles) -> Contents:
    changed: Contents = {}
    for path, edits in edits_of(batch).items():
        if (document := files.document(path)) is not None:
            changed[path] = edited(document, edits)
    return changed


def _literals(result: Result, before: Result, files: ProjectFiles) -> Contents:
    """Files in which displays of lists and sets become immutable, where a new error says that they must."""
    new = new_in(result, before)
    found: Contents = {}
    by_path: dict[Path, list[Diagnostic]] = {}
    for diagnostic in result.outcome.diagnostics:
        if (
            diagnostic.code in _MISTYPED
            and new[key(diagnostic, files.root)]
            and ("tuple[" in diagnostic.message or "frozenset[" in diagnostic.message)
        ):
            by_path.setdefault(files.root / diagnostic.span.path, []).append(diagnostic)
    for path, diagnostics in by_path.items():
        document = files.document(path)
        if document is None:
            continue
        places = {document.place(diagnostic.span.line, diagnostic.span.column) for diagnostic in diagnostics}
        fitting = [edit for place in sorted(places) if (edit := display_at(document, place)) is not None]
        if fitting:
            found[path] = edited(document, fitting)
    return found


def _suspects(batch: list[Proposal], harm: Counter[ErrorKey], after: Result, before: Result) -> list[Proposal]:
    """The fixes that may be why a finding is still there, or for what is worse."""
    if len(after.outcome.broken) > len(before.outcome.broken):
        return batch
    left = set(persisting({proposal.finding: proposal.change.places for proposal in batch}, after, before))
    suspects = {proposal.finding for proposal in batch if proposal.finding in left}
    for found in harm:
        suspects |= {proposal.finding for proposal in batch if _may_cause(proposal, found)} or {
            proposal.finding for proposal in batch
        }
    return [proposal for proposal in batch if proposal.finding in suspects]


def _reason(harm: Counter[ErrorKey], after: Result, root: Path) -> str:
    """Why a fix is undone. The line is that of the file as fixed."""
    errors = (
        diagnostic for diagnostic in after.outcome.diagnostics if diagnostic.is_error and harm[key(diagnostic, root)]
    )
    first = next(errors, None)
    if first is None:
        return "the fix does not help, and was undone"
    where = f"{os.path.relpath(root / first.span.path)}:{first.span.line}"
    return f"the fix was undone, because it leads to another error: {where}: {first.message}  [{first.code}]"


def _may_cause(proposal: Proposal, error: ErrorKey) -> bool:
    """Whether an error is about a file that a fix changed, or names the class."""
    subject = proposal.finding.subject.rpartition(".")[2]
    return error[0] == proposal.finding.span.path or bool(subject and subject in error[-1])


def _parts(batch: list[Proposal], suspects: list[Proposal]) -> list[list[Proposal]]:
    """Those without suspicion, and the others in halves; the last is tried first."""
    suspected = {proposal.finding for proposal in suspects}
    others = [proposal for proposal in batch if proposal.finding not in suspected]
    tested = suspects if others else batch
    middle = len(tested) // 2
    parts = [tested[middle:], tested[:middle], others] if len(tested) > 1 else [tested, others]
    return [part for part in parts if part]
