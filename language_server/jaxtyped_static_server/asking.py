"""What the server asks the worker about a place."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jaxtyped_static_cli.findings.causes import Finding

from .actions import Action, fixes, project_files, silencings
from .diagnostics import diagnostics
from .marking import markings
from .places import Places, overlaps
from .session import Answer

Json = Any


def asked(question: Json, answer: Answer | None, places: Places) -> Json:
    """The reply; None if nothing is known."""
    path = Path(question["path"])
    if answer is None or path in answer.broken or path not in answer.contents:
        return None
    return _actions(path, question["range"], answer, places)


def _actions(path: Path, at: Json, answer: Answer, places: Places) -> list[Json]:
    lines = range(at["start"]["line"] + 1, at["end"]["line"] + 2)
    content = answer.contents[path]
    return [*_about_findings(path, content, at, lines, answer, places), *markings(path, content, lines)]


def _about_findings(
    path: Path, content: bytes, at: Json, lines: range, answer: Answer, places: Places
) -> Iterator[Json]:
    shown = {finding: own for finding in answer.findings if (own := _shown(finding, path, at, places))}
    if not shown:
        return
    modules = {name: file for checked in answer.checked for name, file in checked.modules.items()}
    files = project_files(answer.project, answer.contents, modules)
    text = content.decode(errors="replace")
    for action in (*fixes(shown, files), *silencings(shown, path, text, lines, answer.project.root)):
        if _is_of_read_files(action, answer):
            yield {**action.json, "diagnostics": shown[action.finding]}


def _shown(finding: Finding, path: Path, at: Json, places: Places) -> list[Json]:
    """The diagnostics of a finding in a range of a file."""
    found = diagnostics([finding], places)
    own = (one for file, shown in found.items() if places.root / file == path for one in shown)
    return [one for one in own if overlaps(one["range"], at)]


def _is_of_read_files(action: Action, answer: Answer) -> bool:
    """Whether all that an action changes is as the editor has it."""
    broken = {path.as_uri() for path in answer.broken}
    return broken.isdisjoint(action.json["edit"]["changes"])
