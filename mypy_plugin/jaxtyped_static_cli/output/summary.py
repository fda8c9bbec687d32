"""The last lines of a check, for people: what was found and what to do next, in at most four lines."""

import os
from collections.abc import Iterator
from typing import Final

from rich.console import Console
from rich.text import Text

from ..files.parsing import NEWER
from ..findings.report import Report
from ..project.interpreter import Interpreter
from ..terminal.words import counted
from .costs import unexplained
from .harms import listed

_NAMED: Final = 3  # packages that are named, of those that are not seen


def print_statistics(report: Report, console: Console) -> None:
    for code, count in report.counts():
        harms = f": {listed(report.harms(code))}"
        console.print(Text.assemble((f"{count:>5}", "bold"), "  ", (code, "red"), harms))


def print_summary(report: Report, console: Console, python: Interpreter, seconds: float) -> None:
    for line in fixed_files(report) if report.written else ():
        console.print(Text(line, style="bold green"), soft_wrap=True)
    for line in (*_gone(report), *unexplained(report)):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    console.print(_found(report))
    for sentences in (_next_steps(report), _not_shown(report)):
        if line := " ".join(sentences):
            console.print(line)
    console.print(Text(" ".join(_checked(report, python, seconds)), style="dim"))


def fixed_files(report: Report) -> list[str]:
    """The lines that name every file that was written."""
    names = [os.path.relpath(path) for path in report.written]
    fixed = f"Fixed {counted(report.fixed, 'problem')} in"
    return (
        [f"{fixed} {names[0]}."]
        if len(names) == 1
        else [f"{fixed} {len(names)} files:", *(f"  {name}" for name in names)]
    )


def _gone(report: Report) -> Iterator[str]:
    if report.gone:
        gone = counted(len(report.gone), "problem")
        yield f"{gone} of the baseline can no longer be found; --write-baseline removes {_them(len(report.gone))}:"
        yield from (f"  {path}: {code} {subject}" for path, code, subject in report.gone)


def _found(report: Report) -> Text:
    if not report.findings:
        return Text("Nothing found.", style="bold green")
    files = {finding.span.path for finding in report.findings}
    found = f"Found {counted(len(report.findings), 'problem')} in {counted(len(files), 'file')}"
    return Text(f"{found}: {listed(report.harms())}", style="bold red")


def _next_steps(report: Report) -> Iterator[str]:
    if report.findings:
        yield f"`jaxtyped-static rule {report.findings[0].code}` explains the first."
    if report.fixes:
        yield _fixable(report)


def _fixable(report: Report) -> str:
    """As ruff says it."""
    safe = sum(fix.is_safe for fix in report.fixes.values())
    others = len(report.fixes) - safe
    if not safe:
        return f"{others} fixable with --fix --unsafe-fixes."
    return f"{safe} fixable with --fix" + (f", {others} more with --unsafe-fixes." if others else ".")


def _not_shown(report: Report) -> Iterator[str]:
    if report.potential:
        yield f"{counted(report.potential, 'potential finding')}: --potential shows {_them(report.potential)}."
    if report.unread:
        yield _unread(report.unread)
    if report.unimportable:
        yield _unimportable(report)
    if report.accepted:
        yield f"The baseline accepts {counted(report.accepted, 'problem')}."
    if report.others and not report.show_others:
        yield f"mypy has {counted(len(report.others), 'error')} of its own: --all shows {_them(len(report.others))}."


def _unread(files: int) -> str:
    newer = ".".join(map(str, NEWER))
    whose = f"{counted(files, 'file')} {'is' if files == 1 else 'are'} in the syntax of Python {newer}"
    return f"{whose}: run the command with that or a newer one to check {_them(files)}."


def _unimportable(report: Report) -> str:
    """Findings in these modules are potential, so here is why."""
    missing = sorted(set(report.unimportable.values()))
    more = len(missing) - _NAMED
    names = ", ".join(missing[:_NAMED]) + (f" and {more} more" if more > 0 else "")
    do = "does" if len(missing) == 1 else "do"
    modules = counted(len(report.unimportable), "module")
    whose = "it imports" if len(report.unimportable) == 1 else "they import"
    return f"{modules} cannot be imported: {whose} {names}, which {do} not exist."


def _them(count: int) -> str:
    return "it" if count == 1 else "them"


def _checked(report: Report, python: Interpreter, seconds: float) -> Iterator[str]:
    yield f"Checked {counted(report.files, 'file')} in {seconds:.1f} s with {python.path} ({python.origin})."
    if report.unseen:
        more = len(report.unseen) - _NAMED
        names = ", ".join(report.unseen[:_NAMED]) + (f" and {more} more" if more > 0 else "")
        types = f"the types of {counted(len(report.unseen), 'package')}"
        yield f"Not seen: {types} ({names}); `jaxtyped-static doctor` says what to do."
