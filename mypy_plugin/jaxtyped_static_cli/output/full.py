"""For people: the source with the exact place underlined, what is wrong, what to do, and where it matters."""

from collections.abc import Iterator, Mapping
from typing import Final

from rich.console import Console
from rich.text import Text

from jaxtyped_static_mypy.reporting.finding import Evidence
from jaxtyped_static_mypy.reporting.harm import Harm

from ..files import sources
from ..findings.causes import Finding
from ..findings.report import Report
from ..mypy_runs.diagnostics import Span
from ..terminal.saying import visible
from .costs import in_run
from .harms import Level, does, level

_FIRST: Final = 3  # positions that are shown, unless all are asked for
_LONGEST: Final = 300  # characters of a line of source that are shown
_BEFORE: Final = 100  # of which are before the place, if the line is longer
_STYLES: Final[Mapping[Level, str]] = {Level.ERROR: "bold red", Level.WARNING: "yellow", Level.NOTE: "dim"}


def write(report: Report, console: Console) -> None:
    for finding in report.findings:
        console.print(_heading(finding))
        console.print(_arrow(report, finding.span))
        for line in _excerpt(report, finding.span):
            console.print(line)
        for line in _below(report, finding):
            console.print(line)
        console.print()
    for other in report.others if report.show_others else ():
        console.print(f"{report.location(other.span)}: {other.message}  [{other.code}]")


def _heading(finding: Finding) -> Text:
    return Text.assemble((finding.code, "bold red"), ": ", (finding.problem, "bold"))


def _arrow(report: Report, span: Span) -> Text:
    return Text.assemble((f"{' ' * _width(span)}--> ", "blue"), _link(report, span))


def _link(report: Report, span: Span) -> Text:
    return Text(report.location(span), style=f"link {(report.root / span.path).as_uri()}")


def _excerpt(report: Report, span: Span) -> list[Text]:
    """The first line of the place, and the one before it."""
    lines = sources.lines(report.root / span.path)
    if not 0 < span.line <= len(lines):
        return []
    width = _width(span)
    shown = [Text(f"{' ' * width} |", style="blue")]
    if span.line > 1 and lines[span.line - 2].strip():
        shown.append(_numbered(span.line - 1, width, _part(lines[span.line - 2], 0)))
    whole = lines[span.line - 1]
    start = min(span.column, len(whole) + 1) - 1
    end = min(span.end_column if span.end_line == span.line else len(whole) + 1, len(whole) + 1) - 1
    skipped = max(start - _BEFORE, 0) if len(whole) > _LONGEST else 0
    text = _part(whole, skipped)
    shown.append(_numbered(span.line, width, text))
    before = "".join("\t" if character == "\t" else " " for character in text[: start - skipped])
    marks = before.expandtabs(4) + "^" * max(min(end - skipped, len(text)) - (start - skipped), 1)
    shown.append(Text.assemble((f"{' ' * width} | ", "blue"), (marks, "bold red")))
    return shown


def _part(line: str, skipped: int) -> str:
    """What is shown of a line after so many characters, which is all of it unless it is very long."""
    part = visible(line[skipped : skipped + _LONGEST])
    if skipped:
        part = f"…{part[1:]}"
    return part if skipped + _LONGEST >= len(line) else f"{part[:-1]}…"


def _width(span: Span) -> int:
    return len(str(span.line))


def _numbered(number: int, width: int, text: str) -> Text:
    return Text.assemble((f"{number:>{width}} | ", "blue"), text.expandtabs(4))


def _below(report: Report, finding: Finding) -> list[Text]:
    indent = " " * _width(finding.span)
    style = _STYLES[level(finding.harm)]
    shown = [_line(indent, "harm", Text(_harm(report, finding), style=style), style)]
    shown += [_line(indent, "help", finding.advice, "green")] if finding.advice else []
    shown += [_line(indent, "run", in_run(report, finding), "magenta")] if finding in report.costs else []
    shown += _evidence(report, finding, indent)
    texts = {evidence.text for evidence in finding.evidence}
    shown += [_line(indent, "note", note, "cyan") for note in finding.notes if note not in texts]
    if (fix := report.fixes.get(finding)) is not None and fix.unsafe_because:
        shown.append(_line(indent, "unsafe fix", fix.unsafe_because, "yellow"))
    places = finding.positions if report.show_all_positions else finding.positions[:_FIRST]
    for place in places:
        at = Text.assemble(_link(report, place.span), " ") if place.span != finding.span else Text()
        scope = f"{place.scope}: " if place.scope else ""
        shown.append(_line(indent, "where", Text.assemble(at, scope, place.description), "blue"))
    if len(places) < len(finding.positions):
        more = f"{len(finding.positions) - len(places)} more; --verbose lists them"
        shown.append(_line(indent, "where", more, "blue"))
    return shown


def _harm(report: Report, finding: Finding) -> str:
    """What a finding does: a run may show what nothing in the program does."""
    cost = report.costs.get(finding)
    return does(Harm.RECOMPILES if finding.harm.is_potential and cost and cost.programs else finding.harm)


def _evidence(report: Report, finding: Finding, indent: str) -> Iterator[Text]:
    """What the program shows, with each line of it once."""
    shown = {(finding.span.path, finding.span.line)}
    told = finding.evidence if report.show_all_positions else finding.evidence[:_FIRST]
    for evidence in told:
        yield _line(indent, "note", evidence.text, "cyan")
        if evidence.line is not None and (evidence.file, evidence.line) not in shown:
            shown.add((evidence.file, evidence.line))
            yield Text.assemble((f"{indent}   --> ", "blue"), *_source_line(report, evidence, evidence.line))
    if len(told) < len(finding.evidence):
        more = f"{len(finding.evidence) - len(told)} more such notes; --verbose lists them"
        yield _line(indent, "note", more, "cyan")


def _source_line(report: Report, evidence: Evidence, line: int) -> Iterator[Text]:
    path = report.root / evidence.file
    yield Text(f"{visible(report.relative(evidence.file))}:{line}", style=f"link {path.as_uri()}")
    lines = sources.lines(path)
    if line <= len(lines):
        yield Text.assemble((" | ", "blue"), _part(lines[line - 1].strip(), 0))


def _line(indent: str, label: str, text: str | Text, style: str) -> Text:
    return Text.assemble((f"{indent} = ", "blue"), (f"{label}: ", style), text)
