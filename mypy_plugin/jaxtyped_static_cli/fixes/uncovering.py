"""Whether what is reported after a fix was there before, and only hidden: it is then the next fault to mend.

A parameter is no static one, and not judged, before its marker or its list is right. Nor is a value followed any
further once computing it raises.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from ..files import sources
from ..findings.causes import Finding
from ..mypy_runs.diagnostics import Diagnostic
from .results import ErrorKey, Result, key, new_in

_OF_VALUES: Final = frozenset({"static-mutable", "static-hash", "static-eq", "static-dynamic", "static-unverified"})
_OF_BODIES: Final = frozenset({"jit-branch", "static-traced"})
# By the code of what was mended, the codes of what that may have hidden in the same function.
_HIDDEN: Final[Mapping[str, frozenset[str]]] = {
    "static-marker": _OF_VALUES | {"jit-argnames"},
    "jit-argnames": _OF_VALUES | {"jit-argnames"},
    "static-dynamic": _OF_BODIES,
    **dict.fromkeys(_OF_BODIES, _OF_BODIES),
    "jit-retrace": frozenset({"jit-retrace"}),  # what a loop no longer makes on each pass, each call still makes
}

Scope = tuple[str, str]  # a file, and the functions and classes around a line


def scope_of(finding: Finding, root: Path) -> Scope:
    """Where a finding is, in the files as they are shown."""
    span = finding.span
    return span.path, sources.scope(root / span.path, span.line)


def caused(mended: Mapping[Finding, Scope], after: Result, before: Result, root: Path) -> Counter[ErrorKey]:
    """The new errors that the fixes did not merely uncover. Each uncovers one at most at a place that it mends.

    `mended`: where each finding was.
    """
    new = new_in(after, before)
    pending = [pair for pair in mended.items() for _ in pair[0].positions or [None]]
    for error in _errors(after, new, root):
        hiding = next((pair for pair in pending if _may_hide(*pair, error, root)), None)
        if hiding is not None and new[key(error, root)] > 0:
            pending.remove(hiding)
            new[key(error, root)] -= 1
    return +new


def _errors(after: Result, new: Mapping[ErrorKey, int], root: Path) -> Iterator[Diagnostic]:
    """The errors of the rules that are new."""
    if new:
        yield from (
            diagnostic
            for diagnostic in after.outcome.diagnostics
            if diagnostic.is_ours and diagnostic.is_error and new[key(diagnostic, root)]
        )


def _may_hide(finding: Finding, scope: Scope, error: Diagnostic, root: Path) -> bool:
    if error.code not in _HIDDEN.get(finding.code, ()) or error.span.path != scope[0]:
        return False
    position, name = error.reported.position, scope[1].rpartition(".")[2]
    is_of_function = position is not None and bool(name) and position.owner.rpartition(".")[2] == name
    return is_of_function or sources.scope(root / error.span.path, error.span.line) == scope[1]
