"""Findings as the diagnostics of an editor: the harm is the severity, and the evidence is one click away."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from jaxtyped_static_cli.findings.causes import Finding, Position
from jaxtyped_static_cli.findings.rules import page_file
from jaxtyped_static_cli.output.harms import Level, level
from jaxtyped_static_cli.terminal.saying import visible

from .places import Places

Json = Any
SOURCE: Final = "jaxtyped-static"
_ERROR, _WARNING, _INFORMATION, _HINT = 1, 2, 3, 4
_SEVERITIES: Final[Mapping[Level, int]] = {Level.ERROR: _ERROR, Level.WARNING: _WARNING, Level.NOTE: _HINT}
_MOST_RELATED: Final = 20  # lines beside one diagnostic


def diagnostics(findings: Iterable[Finding], places: Places) -> dict[str, list[Json]]:
    """The diagnostics of each file, by its path from the root."""
    found: dict[str, list[Json]] = {}
    for finding in findings:
        found.setdefault(finding.span.path, []).append(_of_cause(finding, places))
        for position in finding.positions:
            if position.span != finding.span:
                found.setdefault(position.span.path, []).append(_of_position(position, finding, places))
    return found


def _of_cause(finding: Finding, places: Places) -> Json:
    return {
        **_described(finding),
        "range": places.range(finding.span),
        "severity": _SEVERITIES[level(finding.harm)],
        "message": "\n".join(map(visible, (finding.message, *_told_by_notes(finding)))),
        "relatedInformation": list(_related(finding, places))[:_MOST_RELATED],
    }


def _of_position(position: Position, finding: Finding, places: Places) -> Json:
    """At a position that its cause, elsewhere, makes wrong: people look at the line that they are writing."""
    return {
        **_described(finding),
        "range": places.range(position.span),
        "severity": _HINT if finding.harm.is_potential else _INFORMATION,
        "message": visible(f"{position.description}: {finding.message}"),
        "relatedInformation": [{"location": places.location(finding.span), "message": "the cause is here"}],
    }


def _described(finding: Finding) -> Json:
    return {
        "source": SOURCE,
        "code": finding.code,
        "codeDescription": {"href": page_file(finding.code).as_uri()},
        "data": {"harm": finding.harm},
    }


def _told_by_notes(finding: Finding) -> list[str]:
    """What no related line says."""
    shown = {evidence.text for evidence in finding.evidence}
    return [note for note in finding.notes if note not in shown]


def _related(finding: Finding, places: Places) -> Iterator[Json]:
    for shown in finding.evidence:
        if shown.line is not None:
            yield {"location": places.line(shown.file, shown.line), "message": visible(shown.text)}
    for position in finding.positions:
        if position.span != finding.span:
            yield {"location": places.location(position.span), "message": visible(position.description)}
