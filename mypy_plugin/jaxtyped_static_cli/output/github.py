"""Annotations in a workflow of GitHub Actions."""

from collections.abc import Mapping
from typing import Final

from rich.console import Console

from ..findings.causes import Finding
from ..findings.report import Report
from ..terminal.saying import visible
from .harms import Level, level

_COMMANDS: Final[Mapping[Level, str]] = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def write(report: Report, console: Console) -> None:
    for finding in report.findings:
        console.file.write(_annotation(report, finding) + "\n")


def _annotation(report: Report, finding: Finding) -> str:
    span = finding.span
    fields = {
        "title": finding.code,
        "file": visible(report.path(span)),
        "line": span.line,
        "endLine": span.end_line,
    }
    if span.line == span.end_line:  # columns of an annotation are those of one line
        fields |= {"col": span.column, "endColumn": span.end_column}
    shown = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in fields.items())
    shown_by = "".join(f"\n{evidence.text}" for evidence in finding.evidence)
    places = "".join(
        f"\n{report.location(position.span)}: {position.description}"
        for position in finding.positions
        if position.span != span
    )
    return f"::{_COMMANDS[level(finding.harm)]} {shown}::{_escaped(finding.message + shown_by + places)}"


def _escaped(text: str, further: str = "") -> str:
    for character in "%\r\n" + further:
        text = text.replace(character, f"%{ord(character):02X}")
    return text
