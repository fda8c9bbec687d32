"""`check --fix` and `check --diff`: fixes the findings of a check, and writes or shows what changed."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from ..editing.permission import Permission
from ..editing.writing import difference, write
from ..files import sources
from ..findings.causes import Finding
from ..findings.report import Fixable
from ..mypy_runs.runs import Outcome
from ..project.roots import Project
from ..terminal.saying import say, to_read_or_apply
from .proposals import ProjectFiles
from .results import Result, result_of
from .rounds import Contents, Fixed, Fixing
from .table import proposals

Reported = Callable[[Outcome], Iterable[Finding]]  # the findings of an outcome that are reported


class Applied(NamedTuple):
    """What was written.

    Attributes:
        outcome: of a check of the files as they are now.
        mended: how many findings are no more.
        written: the files.
        is_complete: whether all that should be written was.
    """

    outcome: Outcome
    mended: int
    written: tuple[Path, ...]
    is_complete: bool


def fix_findings(outcome: Outcome, reported: Reported, project: Project, allowed: Permission, *, unsafe: bool) -> Fixed:
    """Fixes in memory. From now on, `sources` shows the files as fixed."""
    again = outcome.again
    assert again is not None, "every run can be repeated"

    def check(contents: Contents) -> Result:
        after = again(contents)
        sources.show(contents)
        return result_of(after, reported(after), project.root)

    fixing = Fixing(project, allowed, check, unsafe)
    fixed = fixing(result_of(outcome, reported(outcome), project.root))
    sources.show(fixed.contents)
    return fixed


def find_fixes(
    outcome: Outcome, findings: Iterable[Finding], project: Project, allowed: Permission
) -> dict[Finding, Fixable]:
    """Which findings have a fix."""
    modules = {name: path for checked in outcome.checked for name, path in checked.modules.items()}
    found = proposals(findings, ProjectFiles(project, allowed, {}, modules))
    return {
        proposal.finding: Fixable(proposal.does, proposal.change.is_safe, proposal.change.unsafe_because)
        for proposal in found
    }


def apply(fixed: Fixed, project: Project, checked_at: float) -> Applied:
    """Writes what was fixed, and says what was not.

    `checked_at`: when the check began. Files that changed since then are left alone.
    """
    failed = write(fixed.contents, checked_at)
    sources.show({})
    _say_what_is_not_fixed(fixed, {**fixed.unreadable, **failed}, project)
    outcome = fixed.result.outcome
    if failed and outcome.again is not None:
        outcome = outcome.again({})
    mended = sum(failed.keys().isdisjoint(proposal.change.edits) for proposal in fixed.mended)
    return Applied(outcome, mended, tuple(sorted(fixed.contents.keys() - failed)), not failed)


def _say_what_is_not_fixed(fixed: Fixed, unchanged: Mapping[Path, str], project: Project) -> None:
    for path, reason in unchanged.items():
        say(f"{os.path.relpath(path)}: not fixed: {reason}")
    _say(fixed.undone, "not fixed: ", project)


def _say(reasons: Mapping[Finding, str], label: str, project: Project) -> None:
    for finding, why in reasons.items():
        where = f"{os.path.relpath(project.root / finding.span.path)}:{finding.span.line}"
        say(f"{where}: {finding.code}: {label}{why}")


def show_diff(fixed: Fixed, project: Project) -> int:
    """Prints what would be written; returns the exit code."""
    sources.show({})
    sys.stdout.writelines(to_read_or_apply(difference(fixed.contents), sys.stdout))
    _say_what_is_not_fixed(fixed, fixed.unreadable, project)
    _say(fixed.unsafe, "only with --unsafe-fixes: ", project)
    if not fixed.contents:
        print("Nothing to change.", file=sys.stderr)
    return 2 if fixed.result.outcome.broken else int(bool(fixed.contents))
