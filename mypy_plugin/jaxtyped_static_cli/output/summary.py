"""The last lines of a check, for people."""

import os

from rich.console import Console
from rich.text import Text

from ..findings.report import Report
from ..project.interpreter import Interpreter
from ..terminal.words import counted


def print_statistics(report: Report, console: Console) -> None:
    for code, count in report.counts():
        console.print(Text.assemble((f"{count:>5}", "bold"), "  ", (code, "red")))


def print_summary(report: Report, console: Console, python: Interpreter, seconds: float) -> None:
    if report.written:
        for line in fixed_files(report):
            console.print(Text(line, style="bold green"), soft_wrap=True)
    if report.findings:
        places = {finding.span.path for finding in report.findings}
        console.print(
            Text(
                f"Found {counted(len(report.findings), 'problem')} in {counted(len(places), 'file')}",
                style="bold red",
            )
        )
        console.print(f"`jaxtyped-static rule {report.findings[0].code}` explains the rule, with examples.")
    else:
        console.print(Text("Nothing found.", style="bold green"))
    for line in _further(report):
        console.print(line)
    console.print(
        Text(
            f"Checked {counted(report.files, 'file')} in {seconds:.1f} s with {python.path} ({python.origin}).",
            style="dim",
        )
    )


def fixed_files(report: Report) -> list[str]:
    """The lines that name every file that was written."""
    names = [os.path.relpath(path) for path in report.written]
    fixed = f"Fixed {counted(report.fixed, 'problem')} in"
    return (
        [f"{fixed} {names[0]}."]
        if len(names) == 1
        else [f"{fixed} {len(names)} files:", *(f"  {name}" for name in names)]
    )


def _fixable(report: Report) -> str:
    """As ruff says it."""
    safe = sum(fix.is_safe for fix in report.fixes.values())
    others = len(report.fixes) - safe
    if not safe:
        return f"{others} fixable with --fix --unsafe-fixes."
    return f"{safe} fixable with --fix" + (f", {others} more with --unsafe-fixes." if others else ".")


def _further(report: Report) -> list[str]:
    lines = [_fixable(report)] if report.fixes else []
    if report.accepted:
        lines.append(f"The baseline accepts {counted(report.accepted, 'problem')}.")
    if report.gone:
        gone = counted(len(report.gone), "problem")
        them = "it" if len(report.gone) == 1 else "them"
        lines.append(f"{gone} of the baseline can no longer be found; --write-baseline removes {them}:")
        lines += [f"  {path}: {code} {subject}" for path, code, subject in report.gone]
    if report.others and not report.show_others:
        lines.append(f"mypy has {counted(len(report.others), 'error')} of its own; --all shows them.")
    return lines
