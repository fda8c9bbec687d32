"""SARIF 2.1.0, which GitHub's code scanning and many editors read."""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from rich.console import Console

from jaxtyped_static_mypy.rules import CODES

from ..findings.causes import Finding
from ..findings.report import Report
from ..findings.rules import page
from ..mypy_runs.diagnostics import Span
from ..project.versions import own_version
from .fingerprints import fingerprints
from .harms import Level, level

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final[Mapping[Level, str]] = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "note"}


def write(report: Report, console: Console) -> None:
    driver = {"name": "jaxtyped-static", "version": own_version(), "rules": [_rule(code) for code in CODES]}
    marks = fingerprints(report.findings)
    results = [_result(report, finding, mark) for finding, mark in zip(report.findings, marks, strict=True)]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    console.file.write(json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n")


def _rule(code: str) -> dict[str, Any]:
    return {
        "id": code,
        "shortDescription": {"text": CODES[code].description},
        "help": {"text": CODES[code].description, "markdown": page(code)},
        "defaultConfiguration": {"level": "error"},
    }


def _result(report: Report, finding: Finding, mark: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": list(CODES).index(finding.code),
        "level": _LEVELS[level(finding.harm)],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": _physical(report, finding.span)}],
        "partialFingerprints": {"jaxtypedStatic/v1": mark},
        "properties": {"harm": finding.harm},
    }
    if related := list(_related(report, finding)):
        result["relatedLocations"] = related
    return result


def _related(report: Report, finding: Finding) -> Iterator[dict[str, Any]]:
    """What shows the harm, and the positions."""
    for shown in finding.evidence:
        place = {"artifactLocation": _artifact(report, shown.file), "region": {"startLine": shown.line}}
        yield {"physicalLocation": place, "message": {"text": shown.text}}
    for position in finding.positions:
        if position.span != finding.span:
            yield {"physicalLocation": _physical(report, position.span), "message": {"text": position.description}}


def _artifact(report: Report, path: str) -> dict[str, Any]:
    return {"uri": quote(os.fsencode(PurePath(report.relative(path)).as_posix()))}


def _physical(report: Report, span: Span) -> dict[str, Any]:
    return {
        "artifactLocation": _artifact(report, span.path),
        "region": {
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": span.end_line,
            "endColumn": span.end_column,
        },
    }
