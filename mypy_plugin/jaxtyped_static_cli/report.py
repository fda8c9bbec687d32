"""What a check found, for the formats to show."""

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from .diagnostics import Diagnostic, Span
from .findings import Finding


class Fixable(NamedTuple):
    """What `check --fix` would do about a finding."""

    does: str
    is_safe: bool


class Report(NamedTuple):
    """The result of a check. Paths in it are relative to `root`."""

    root: Path
    findings: tuple[Finding, ...]
    files: int  # how many were checked
    accepted: int = 0  # findings that the baseline accepts
    gone: tuple[tuple[str, str, str], ...] = ()  # what the baseline accepts, but is no longer found
    others: tuple[Diagnostic, ...] = ()  # mypy's own errors
    fixed: int = 0  # findings that were mended
    written: tuple[Path, ...] = ()  # files that were changed for that
    fixes: Mapping[Finding, Fixable] = MappingProxyType({})
    show_others: bool = False
    show_all_positions: bool = False

    def path(self, span: Span) -> str:
        """The path as the user can open it from the current folder."""
        return os.path.relpath(self.root / span.path)

    def location(self, span: Span) -> str:
        return f"{self.path(span)}:{span.line}:{span.column}"

    def counts(self) -> list[tuple[str, int]]:
        """How many findings there are of each code, the most first."""
        return sorted(Counter(finding.code for finding in self.findings).items(), key=lambda one: (-one[1], one[0]))
