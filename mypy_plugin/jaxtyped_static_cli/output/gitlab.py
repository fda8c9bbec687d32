"""The report of GitLab's Code Quality."""

import json
from collections.abc import Mapping
from typing import Final

from rich.console import Console

from ..findings.report import Report
from .fingerprints import fingerprints
from .harms import Level, level

_SEVERITIES: Final[Mapping[Level, str]] = {Level.ERROR: "critical", Level.WARNING: "major", Level.NOTE: "info"}


def write(report: Report, console: Console) -> None:
    issues = [
        {
            "description": finding.message,
            "check_name": finding.code,
            "fingerprint": mark,
            "severity": _SEVERITIES[level(finding.harm)],
            "location": {
                "path": report.path(finding.span),
                "positions": {
                    "begin": {"line": finding.span.line, "column": finding.span.column},
                    "end": {"line": finding.span.end_line, "column": finding.span.end_column},
                },
            },
        }
        for finding, mark in zip(report.findings, fingerprints(report.findings), strict=True)
    ]
    console.file.write(json.dumps(issues, indent=2) + "\n")
