"""Fixes for the errors that the editor shows: those of `check --fix`, for the text as it is now."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from jaxtyped_static_cli.files import sources
from jaxtyped_static_cli.findings.causes import find_causes
from jaxtyped_static_cli.fixes.proposals import ProjectFiles
from jaxtyped_static_cli.mypy_runs.diagnostics import Diagnostic, Span
from jaxtyped_static_cli.mypy_runs.modules import rounds
from jaxtyped_static_cli.mypy_runs.runs import Checked
from jaxtyped_static_cli.project.roots import find_project
from jaxtyped_static_mypy.rules import CODES
from jaxtyped_static_server.actions import Action, fixes, project_files

from . import background

Json = Any


def actions(path: Path, shown: Iterable[Json], opened: Mapping[Path, str]) -> list[Action]:
    """The fixes for a file. `shown`: the diagnostics under the cursor. `opened`: the text of all files being edited."""
    shown = list(shown)
    if not any(diagnostic.get("code") in CODES for diagnostic in shown):
        return []
    files = _files_with(path, opened)
    sources.show(files.contents)
    try:
        checked = Checked(tuple(_diagnostics(path, shown, files.root)), dict(files.modules))
        return [_about(action, shown) for action in fixes(find_causes([checked], files.root), files)]
    finally:
        sources.show({})


def _files_with(path: Path, opened: Mapping[Path, str]) -> ProjectFiles:
    """The files around one, without what is installed."""
    modules: dict[str, Path] = {}
    contents = {file: text.encode() for file, text in opened.items()}
    files = project_files(find_project([path]), contents, modules)
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


def _about(action: Action, shown: list[Json]) -> Action:
    own = [diagnostic for diagnostic in shown if diagnostic.get("code") == action.finding.code]
    return action._replace(json={**action.json, "diagnostics": own})
