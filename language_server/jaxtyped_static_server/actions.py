"""What an editor can do about a finding: the fix of `check --fix`, or a comment that silences it."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from jaxtyped_static_cli.editing.edits import edited
from jaxtyped_static_cli.editing.permission import permission
from jaxtyped_static_cli.findings.causes import Finding
from jaxtyped_static_cli.fixes.proposals import ProjectFiles, Proposal
from jaxtyped_static_cli.fixes.table import proposals
from jaxtyped_static_cli.project.roots import Project

from .edits import text_edits
from .silencing import silenced

Json = Any
_QUICK_FIX: Final = "quickfix"


class Action(NamedTuple):
    """A code action, without the diagnostics that it is about."""

    finding: Finding
    is_safe: bool
    json: Json


def fixes(findings: Iterable[Finding], files: ProjectFiles) -> Iterator[Action]:
    """The fixes of `check --fix`: one for each finding that has one."""
    for proposal in proposals(findings, files):
        yield _fix(proposal, files)


def project_files(project: Project, contents: Mapping[Path, bytes], modules: Mapping[str, Path]) -> ProjectFiles:
    """`contents`: of the files that are edited, or that mypy has read."""
    return ProjectFiles(project, permission(project.root, contents), contents, modules)


def silencings(findings: Iterable[Finding], file: Path, text: str, lines: range, root: Path) -> Iterator[Action]:
    """The comments that silence findings on some lines of a file, from 1: where mypy reports them."""
    for finding in findings:
        spans = [position.span for position in finding.positions] or [finding.span]
        for line in sorted({span.line for span in spans if root / span.path == file and span.line in lines}):
            if (after := silenced(text, line, finding.code)) is not None:
                title = f"{finding.code}: silence it on this line, with # type: ignore[{finding.code}]"
                yield Action(finding, False, _json(title, False, {file: text_edits(text, after)}))


def _fix(proposal: Proposal, files: ProjectFiles) -> Action:
    finding, change = proposal.finding, proposal.change
    changes = {}
    for path, edit in change.edits.items():
        document = files.document(path)
        assert document is not None, "an edit has a document"
        changes[path] = text_edits(document.text, edited(document, [edit]).decode(document.module.encoding))
    return Action(finding, change.is_safe, _json(_title(finding, change.unsafe_because), change.is_safe, changes))


def _json(title: str, is_preferred: bool, changes: Mapping[Path, list[Json]]) -> Json:
    edit = {"changes": {path.as_uri(): edits for path, edits in changes.items()}}
    return {"title": title, "kind": _QUICK_FIX, "isPreferred": is_preferred, "edit": edit}


def _title(finding: Finding, unsafe_because: str) -> str:
    does = finding.advice or finding.problem
    return f"{finding.code}: {does}" + (f" (unsafe: {unsafe_because})" if unsafe_because else "")
