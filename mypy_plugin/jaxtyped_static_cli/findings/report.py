"""What a check found, for the formats to show."""

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from jaxtyped_static_mypy.reporting.harm import Harm

from ..mypy_runs.diagnostics import Diagnostic, Span
from ..terminal.saying import visible
from .causes import Finding, Position

if TYPE_CHECKING:
    from jaxtyped_static_runs.model import Run as RecordedRun

    from .costs import Cost


class Fixable(NamedTuple):
    """What `check --fix` would do about a finding."""

    does: str
    is_safe: bool
    unsafe_because: str = ""


class Report(NamedTuple):
    """The result of a check. Paths in it are relative to `root`."""

    root: Path
    findings: tuple[Finding, ...]
    files: int  # how many were checked
    accepted: int = 0  # findings that the baseline accepts
    gone: tuple[tuple[str, str, str], ...] = ()  # what the baseline accepts, but is no longer found
    potential: int = 0  # findings that are not shown, because nothing in the program shows that they do harm
    unseen: tuple[str, ...] = ()  # packages of which mypy knows no types
    unread: int = 0  # files in the syntax of a newer Python than the one that runs the command: not counted above
    unimportable: Mapping[str, str] = MappingProxyType({})  # modules that import one which does not exist: its name
    others: tuple[Diagnostic, ...] = ()  # mypy's own errors
    fixed: int = 0  # findings that were mended
    written: tuple[Path, ...] = ()  # files that were changed for that
    fixes: Mapping[Finding, Fixable] = MappingProxyType({})
    costs: "Mapping[Finding, Cost]" = MappingProxyType({})  # what findings cost in a recorded run
    unexplained: "RecordedRun | None" = None  # what that run shows, and no finding explains
    show_others: bool = False
    show_all_positions: bool = False
    show_statistics: bool = False

    def path(self, span: Span) -> str:
        """The path as the user can open it from the current folder."""
        return self.relative(span.path)

    def relative(self, path: str) -> str:
        """A path from the root as the user can open it from the current folder."""
        return os.path.relpath(self.root / path)

    def location(self, span: Span) -> str:
        return f"{visible(self.path(span))}:{span.line}:{span.column}"

    def counts(self) -> list[tuple[str, int]]:
        """How many findings there are of each code, the most first."""
        return sorted(
            Counter(finding.code for finding in self.findings).items(), key=lambda count: (-count[1], count[0])
        )

    def harms(self, code: str = "") -> Counter[Harm]:
        """How many findings, of this code or of all, do which harm."""
        return Counter(finding.harm for finding in self.findings if code in ("", finding.code))


def readable(report: Report) -> Report:
    """The report with all that it says in visible characters, and the paths as they are."""
    others = tuple(error._replace(message=visible(error.message)) for error in report.others)
    shown = {finding: _readable(finding) for finding in report.findings}
    fixes = {shown[finding]: fix for finding, fix in report.fixes.items()}
    costs = {shown[finding]: cost for finding, cost in report.costs.items()}
    return report._replace(findings=tuple(shown.values()), others=others, fixes=fixes, costs=costs)


def _readable(finding: Finding) -> Finding:
    return finding._replace(
        problem=visible(finding.problem),
        advice=visible(finding.advice),
        positions=tuple(
            Position(position.span, visible(position.scope), visible(position.description))
            for position in finding.positions
        ),
        notes=tuple(map(visible, finding.notes)),
        evidence=tuple(
            evidence._replace(label=visible(evidence.label), text=visible(evidence.text))
            for evidence in finding.evidence
        ),
    )
