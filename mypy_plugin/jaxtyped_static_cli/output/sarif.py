"""SARIF 2.1.0, which GitHub's code scanning and many editors read."""

import json
import os
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

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


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
        "level": "error",
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": _physical(report, finding.span)}],
        "partialFingerprints": {"jaxtypedStatic/v1": mark},
    }
    related = [position for position in finding.positions if position.span != finding.span]
    if related:
        result["relatedLocations"] = [
            {"physicalLocation": _physical(report, position.span), "message": {"text": position.description}}
            for position in related
        ]
    return result


def _physical(report: Report, span: Span) -> dict[str, Any]:
    return {
        "artifactLocation": {"uri": quote(os.fsencode(PurePath(report.path(span)).as_posix()))},
        "region": {
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": span.end_line,
            "endColumn": span.end_column,
        },
    }
