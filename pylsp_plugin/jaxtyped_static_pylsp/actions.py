"""Fixes for the errors that the editor shows: those of `check --fix`, for the text as it is now."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from jaxtyped_static_cli.editing.edits import edited
from jaxtyped_static_cli.editing.permission import permission
from jaxtyped_static_cli.files import sources
from jaxtyped_static_cli.findings.causes import Finding, find_causes
from jaxtyped_static_cli.fixes.proposals import ProjectFiles, Proposal
from jaxtyped_static_cli.fixes.table import proposals
from jaxtyped_static_cli.mypy_runs.diagnostics import Diagnostic, Span
from jaxtyped_static_cli.mypy_runs.modules import rounds
from jaxtyped_static_cli.mypy_runs.runs import Checked
from jaxtyped_static_cli.project.roots import find_project
from jaxtyped_static_mypy.rules import CODES

from . import background
from .edits import text_edits

Json = Any


class Action(NamedTuple):
    """A code action."""

    is_safe: bool
    json: Json


def actions(path: Path, shown: Iterable[Json], opened: Mapping[Path, str]) -> list[Action]:
    """The fixes for a file. `shown`: the diagnostics under the cursor. `opened`: the text of all files being edited."""
    shown = list(shown)
    if not any(diagnostic.get("code") in CODES for diagnostic in shown):
        return []
    files = _files_with(path, opened)
    sources.show(files.contents)
    try:
        checked = Checked(tuple(_diagnostics(path, shown, files.root)), dict(files.modules))
        return [_action(proposal, files, shown) for proposal in proposals(find_causes([checked], files.root), files)]
    finally:
        sources.show({})


def _files_with(path: Path, opened: Mapping[Path, str]) -> ProjectFiles:
    """The files around one, without what is installed."""
    modules: dict[str, Path] = {}
    project, contents = find_project([path]), {file: text.encode() for file, text in opened.items()}
    files = ProjectFiles(project, permission(project.root, opened), contents, modules)
    for together in rounds(files.paths, files.root, ()):
        modules |= {module.name: module.file for module in together}
    return files


def _diagnostics(path: Path, shown: list[Json], root: Path) -> Iterator[Diagnostic]:
    """The errors of this project's rules that the last check reported, too.

    What a note says is in the finding: an editor shows it as a diagnostic of its own.
    """
    for diagnostic in shown:
        is_ours = diagnostic.get("code") in CODES
        finding = background.finding_of(path, diagnostic["message"]) if is_ours else None
        if finding is not None:
            start, end = diagnostic["range"]["start"], diagnostic["range"]["end"]
            places = (start["line"], start["character"], end["line"], end["character"])
            name = str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
            span = Span(name, *(number + 1 for number in places))
            yield Diagnostic(span, diagnostic["code"], diagnostic["message"], (), True, finding)


def _action(proposal: Proposal, files: ProjectFiles, shown: list[Json]) -> Action:
    finding, change = proposal.finding, proposal.change
    changes = {}
    for path, edit in change.edits.items():
        document = files.document(path)
        assert document is not None, "an edit has a document"
        after = edited(document, [edit]).decode(document.module.encoding)
        changes[path.as_uri()] = text_edits(document.text, after)
    return Action(
        change.is_safe,
        {
            "title": _title(finding, change.unsafe_because),
            "kind": "quickfix",
            "diagnostics": [diagnostic for diagnostic in shown if diagnostic.get("code") == finding.code],
            "isPreferred": change.is_safe,
            "edit": {"changes": changes},
        },
    )


def _title(finding: Finding, unsafe_because: str) -> str:
    does = finding.advice or finding.problem
    return f"{finding.code}: {does}" + (f" (unsafe: {unsafe_because})" if unsafe_because else "")
