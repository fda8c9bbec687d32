"""One line for each finding: `path:line:column: code [harm] message`."""

from rich.console import Console
from rich.text import Text

from ..findings.report import Report
from .costs import in_run


def write(report: Report, console: Console) -> None:
    for finding in report.findings:
        count = f" ({len(finding.positions)} positions)" if len(finding.positions) > 1 else ""
        count += f" ({in_run(report, finding)} in the run)" if finding in report.costs else ""
        location, said = report.location(finding.span), f" [{finding.harm}] {finding.message}{count}"
        console.print(Text.assemble(f"{location}: ", (finding.code, "bold red"), said))
    for other in report.others if report.show_others else ():
        console.print(Text(f"{report.location(other.span)}: {other.code} {other.message}"))
