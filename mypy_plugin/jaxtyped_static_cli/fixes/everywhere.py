"""Mends a finding at each of its places, by a fix that edits one."""

from collections.abc import Iterator
from functools import wraps
from pathlib import Path

from ..editing.edits import Edit, Together, joined
from ..findings.causes import Finding
from .proposals import Change, ProjectFiles, Propose


def everywhere(propose: Propose) -> Propose:
    """A fix that makes the edits of another one at all places of a finding: mended at one, it would still be there.

    Some edits exclude each other, such as two that define the same name. The first is made, and the other in the next
    round.
    """

    @wraps(propose)
    def proposed(finding: Finding, files: ProjectFiles) -> Change | None:
        at_places = (propose(place, files) for place in _places(finding))
        return _joined([change for change in at_places if change is not None], files)

    return proposed


def _places(finding: Finding) -> Iterator[Finding]:
    """The finding as if it were at one of its places alone."""
    spans = dict.fromkeys(position.span for position in finding.positions) or [finding.span]
    return (finding._replace(span=span, positions=()) for span in spans)


def _joined(changes: list[Change], files: ProjectFiles) -> Change | None:
    chosen: list[Change] = []
    taken: dict[Path, Together] = {}
    for change in changes:
        if fits(change, taken, files):
            chosen.append(change)
            add(change, taken)
    if not chosen:
        return None
    edits: dict[Path, list[Edit]] = {}
    for path, edit in (item for change in chosen for item in change.edits.items()):
        edits.setdefault(path, []).append(edit)
    doubt = next((change.unsafe_because for change in chosen if not change.is_safe), "")
    return Change({path: joined(found) for path, found in edits.items()}, doubt, len(chosen))


def fits(change: Change, taken: dict[Path, Together], files: ProjectFiles) -> bool:
    """Whether a change overlaps none of those that are chosen. `taken`: their edits, by file."""
    for path, edit in change.edits.items():
        document = files.document(path)
        if document is None or not taken.setdefault(path, Together(document)).fits(edit):
            return False
    return True


def add(change: Change, taken: dict[Path, Together]) -> None:
    for path, edit in change.edits.items():
        taken[path].add(edit)
