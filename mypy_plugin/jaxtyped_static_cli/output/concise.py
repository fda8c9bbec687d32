"""One line for each finding."""

from rich.console import Console
from rich.text import Text

from ..findings.report import Report


def write(report: Report, console: Console) -> None:
    for finding in report.findings:
        count = f" ({len(finding.positions)} positions)" if len(finding.positions) > 1 else ""
        location = report.location(finding.span)
        console.print(Text.assemble(f"{location}: ", (finding.code, "bold red"), f" {finding.message}{count}"))
    for other in report.others if report.show_others else ():
        console.print(Text(f"{report.location(other.span)}: {other.code} {other.message}"))
