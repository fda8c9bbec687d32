"""What a check found, and whether another check found anything new."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from ..files import sources
from ..findings.causes import Finding
from ..mypy_runs.diagnostics import Diagnostic
from ..mypy_runs.runs import Outcome

ErrorKey = tuple[str, ...]


class Result(NamedTuple):
    """The result of a check."""

    outcome: Outcome
    findings: tuple[Finding, ...]  # those that are reported
    keys: Mapping[ErrorKey, int]  # how many errors there are of each, those of mypy itself included

    @property
    def modules(self) -> dict[str, Path]:
        return {name: path for checked in self.outcome.checked for name, path in checked.modules.items()}


def result_of(outcome: Outcome, findings: Iterable[Finding], root: Path) -> Result:
    keys = Counter(key(diagnostic, root) for diagnostic in outcome.diagnostics if diagnostic.is_error)
    return Result(outcome, tuple(findings), keys)


def key(diagnostic: Diagnostic, root: Path) -> ErrorKey:
    """Identifies an error after edits.

    Of a static position the first fault is reported, and the next one when that is mended, so the position is the key.
    """
    reported = diagnostic.reported
    if diagnostic.is_ours and reported.position is not None:
        scope = sources.scope(root / diagnostic.span.path, diagnostic.span.line)
        return diagnostic.span.path, diagnostic.code, scope, str(reported.position)
    if diagnostic.is_ours:
        return diagnostic.span.path, diagnostic.code, " ".join((*reported.identity, reported.advice_text))
    return diagnostic.span.path, diagnostic.code, re.sub(r"\bline \d+", "", diagnostic.message)


def new_in(after: Result, before: Result) -> Counter[ErrorKey]:
    """The errors that were not there."""
    return Counter(after.keys) - Counter(before.keys)


def persisting(mended: Mapping[Finding, int | None], after: Result, before: Result) -> list[Finding]:
    """Those of the findings that are still there. `mended`: at how many of their places; None for all."""
    gone = Counter[ErrorKey]()
    for finding, count in mended.items():
        gone[_identity(finding)] += _places(finding) if count is None else count
    surplus = _counted(after.findings) - (_counted(before.findings) - gone)
    return [finding for finding in mended if surplus[_identity(finding)] > 0]


def _counted(findings: Iterable[Finding]) -> Counter[ErrorKey]:
    """At how many places each is."""
    found = Counter[ErrorKey]()
    for finding in findings:
        found[_identity(finding)] += _places(finding)
    return found


def _places(finding: Finding) -> int:
    return max(1, len({position.span for position in finding.positions}))


def _identity(finding: Finding) -> ErrorKey:
    return *finding.key, *finding.reported.identity
