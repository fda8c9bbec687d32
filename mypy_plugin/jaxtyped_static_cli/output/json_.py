"""JSON of a documented shape: docs/check.md. `version` changes when a program that reads it may have to."""

import json
from typing import Any, Final

from rich.console import Console

from ..findings.causes import Finding
from ..findings.report import Report
from ..mypy_runs.diagnostics import Span
from .fingerprints import fingerprints

VERSION: Final = 1


def write(report: Report, console: Console) -> None:
    prints = fingerprints(report.findings)
    data: dict[str, Any] = {
        "version": VERSION,
        "files": report.files,
        "findings": [
            {**_finding(report, finding), "fingerprint": mark}
            for finding, mark in zip(report.findings, prints, strict=True)
        ],
        "potential": report.potential,
        "accepted": report.accepted,
        "gone": [{"path": path, "code": code, "subject": subject} for path, code, subject in report.gone],
        "other_errors": len(report.others),
    }
    if report.show_statistics:
        data["statistics"] = dict(report.counts())
        data["harms"] = dict(report.harms())
    if report.show_others:
        data["others"] = [
            {"code": other.code, "message": other.message, **_place(report, other.span)} for other in report.others
        ]
    console.file.write(json.dumps(data, indent=2) + "\n")


def _finding(report: Report, finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "problem": finding.problem,
        "advice": finding.advice,
        "harm": finding.harm,
        "subject": finding.subject,
        **_place(report, finding.span),
        "positions": [
            {"scope": position.scope, "description": position.description, **_place(report, position.span)}
            for position in finding.positions
        ],
        "evidence": [
            {"label": shown.label, "path": report.relative(shown.file), "line": shown.line, "text": shown.text}
            for shown in finding.evidence
        ],
        "notes": list(finding.notes),
        "cost": cost._asdict() if (cost := report.costs.get(finding)) is not None else None,
        "fix": fix._asdict() if (fix := report.fixes.get(finding)) is not None else None,
    }


def _place(report: Report, span: Span) -> dict[str, Any]:
    return {
        "path": report.path(span),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }
