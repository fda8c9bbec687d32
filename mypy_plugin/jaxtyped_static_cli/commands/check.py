"""`check`: reports what is wrong with the static arguments of a project."""

import argparse
import contextlib
import os
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from jaxtyped_static_mypy.rules import CODES

from ..editing.permission import permission
from ..files.parsing import unread_by_python
from ..files.python_files import Found, is_of_library
from ..findings.baseline import Compared, FindingKey, compare, read_baseline, write_baseline
from ..findings.causes import Finding, find_causes
from ..findings.report import Report
from ..findings.rules import selected_codes
from ..findings.unreached.importable import unimportable_in
from ..fixes.known import fixable
from ..mypy_runs.modules import relative
from ..mypy_runs.plugin import SWITCHES
from ..mypy_runs.preparation import cache_of, prepare
from ..mypy_runs.runs import Outcome, Run
from ..mypy_runs.watched import Watched
from ..output import FOR_PEOPLE, FORMATS, WITH_FIXES, WITH_STATISTICS
from ..output.summary import fixed_files, print_statistics, print_summary
from ..project.interpreter import Interpreter, find_interpreter
from ..project.roots import Project, find_project
from ..terminal.consoles import console_for
from ..terminal.problems import Problem
from ..terminal.progress import progress
from ..terminal.saying import say
from ..terminal.words import counted
from .arguments import add_project_arguments, names
from .watching import watch

if TYPE_CHECKING:
    from ..findings.costs import Costs

HELP: Final = "check a project"
DESCRIPTION: Final = """\
Checks that the static arguments of JAX's compiled functions are safe: immutable, compared by value, without arrays.

Needs no configuration. Runs mypy inside, with the packages of the project's own environment, and shows only the rules
of jaxtyped-static. Exit code: 0 if nothing is found, 1 if something is, 2 if something could not be checked
or written.
"""
EXAMPLES: Final = """\
examples:
  jaxtyped-static check                           the project around the current folder
  jaxtyped-static check src/ scripts/train.py     these folders and files
  jaxtyped-static check --python .conda/bin/python
  jaxtyped-static check --select jit,static-hash  some rules: all that begin with jit-, and static-hash
  jaxtyped-static check --diff                    show what --fix would change
  jaxtyped-static check --fix                     correct what can be corrected safely
  jaxtyped-static check --statistics              how many findings of each rule
  jaxtyped-static check --write-baseline          accept what there is today,
  jaxtyped-static check --baseline jaxtyped-static-baseline.json    and report only what is new
  jaxtyped-static check --run .jaxtyped_static_runs/train-20260131-120000-4711.jsonl    what costs most first
  jaxtyped-static check --watch                   again after every change of a file
  jaxtyped-static check --format github           annotations in a GitHub workflow
"""
_BASELINE: Final = Path("jaxtyped-static-baseline.json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_project_arguments(parser)
    rules = parser.add_argument_group("rules")
    rules.add_argument("--select", type=names, default=[], metavar="CODES", help="show these rules only")
    rules.add_argument("--ignore", type=names, default=[], metavar="CODES", help="leave these rules out")
    rules.add_argument("--potential", action="store_true", help="also report what nothing shows to go wrong, but could")
    rules.add_argument(
        "--strict", action="store_true", help="also report what cannot be proved safe; includes --potential"
    )
    rules.add_argument(
        "--run", type=Path, metavar="FILE", help="order findings by what they cost in this run (jaxtyped-static run)"
    )
    rules.add_argument("--baseline", type=Path, metavar="FILE", help="report only what is not accepted in this file")
    rules.add_argument(
        "--write-baseline", action="store_true", help=f"accept all findings: write them to --baseline, or {_BASELINE}"
    )
    fixes = parser.add_argument_group("fixes")
    fixes.add_argument("--fix", action="store_true", help="change the files, where that cannot do harm")
    fixes.add_argument("--unsafe-fixes", action="store_true", help="also make changes that may change what code does")
    fixes.add_argument("--diff", action="store_true", help="show what --fix would change, and write nothing")
    shown = parser.add_argument_group("output")
    shown.add_argument("--format", choices=list(FORMATS), default="full", help="how to show findings (default: full)")
    shown.add_argument("--color", choices=["auto", "always", "never"], default="auto", help="(default: auto)")
    shown.add_argument(
        "--statistics", action="store_true", help="show how many findings there are of each rule, and what they do"
    )
    shown.add_argument("--all", action="store_true", help="also show the errors of mypy itself")
    shown.add_argument("-v", "--verbose", action="store_true", help="list all positions of a finding")
    shown.add_argument("--exit-zero", action="store_true", help="exit with 0 even if something is found")
    shown.add_argument("--watch", action="store_true", help="check again whenever a file changes, until Ctrl-C")


def run(options: argparse.Namespace) -> int:
    if options.statistics and options.format not in WITH_STATISTICS:
        shown = ", ".join(sorted(WITH_STATISTICS))
        raise Problem(f"--format {options.format} has no place for --statistics; these have: {shown}")
    if not options.watch:
        return _check(options)[0]
    if options.write_baseline or options.fix:
        raise Problem("--watch changes no files; run --write-baseline or --fix on its own")
    root = find_project(options.paths or [Path.cwd()]).root
    return watch(lambda: _check(options)[1], Watched(root, tuple(options.paths) or (root,)))


class _Choice(NamedTuple):
    """Which of the findings of a run are reported."""

    codes: frozenset[str]
    accepted: Counter[FindingKey]
    root: Path
    checked: frozenset[str]  # files
    shows_potential: bool
    costs: "Costs | None"

    def is_checked(self, path: str) -> bool:
        return path in self.checked or not (self.root / path).exists()

    def compared(self, outcome: Outcome) -> Compared:
        causes = find_causes(outcome.checked, self.root)
        findings = sorted(
            (finding for finding in causes if finding.code in self.codes), key=lambda finding: finding.order
        )
        compared = compare(findings, self.accepted, self.is_checked)  # what is hidden is not gone
        shown = tuple(finding for finding in compared.new if self._is_shown(finding))
        return compared._replace(new=shown, potential=len(compared.new) - len(shown))

    def _is_shown(self, finding: Finding) -> bool:
        if self.shows_potential or not finding.harm.is_potential:
            return True
        cost = self.costs.of(finding) if self.costs is not None else None
        return cost is not None and cost.programs > 0

    def new(self, outcome: Outcome) -> tuple[Finding, ...]:
        return self.compared(outcome).new


def _check(options: argparse.Namespace) -> tuple[int, Watched]:
    """Returns the exit code, and what the result depends on."""
    start, checked_at = time.monotonic(), time.time()
    codes = selected_codes(options.select, options.ignore)
    project = find_project(options.paths or [Path.cwd()])
    python = find_interpreter(options.python, project.root)
    _require_one_environment(options, python)
    accepted = (
        read_baseline(options.baseline) if options.baseline and not options.write_baseline else Counter[FindingKey]()
    )
    found_files, outcome, watched = check_project(project, python, options, strict=options.strict)
    files, is_complete = found_files.files, found_files.is_complete
    checked = frozenset(relative(file, project.root) for file in files)
    costs = None if options.run is None else _costs(options.run, project.root)
    shows_potential = options.potential or SWITCHES.shows_potential
    choice = _Choice(codes, accepted, project.root, checked, shows_potential, costs)
    _say_what_went_wrong(outcome, project.root)
    allowed = permission(project.root, options.paths)
    applied, undone = None, dict[Finding, str]()
    if options.fix or options.diff:
        from ..fixes import running  # loads LibCST

        fixed = running.fix_findings(outcome, choice.new, project, allowed, unsafe=options.unsafe_fixes)
        if options.diff:
            code = running.show_diff(fixed, project)
            return (code if is_complete else 2), watched
        applied, undone = running.apply(fixed, project, checked_at), fixed.undone
        outcome = applied.outcome
        is_complete = is_complete and applied.is_complete
    found = choice.compared(outcome)
    if options.write_baseline:
        write_baseline(options.baseline or _BASELINE, found.new, choice.is_checked)
        print(f"{options.baseline or _BASELINE}: {counted(len(found.new), 'finding')} accepted from now on")
        return (0 if is_complete and not outcome.broken else 2), watched
    left = [finding for finding in found.new if finding not in undone] if options.format in WITH_FIXES else []
    exactly = options.format not in FOR_PEOPLE
    fixes = fixable(outcome, left, project, allowed, cache_of(project, options), exactly=exactly) if left else {}
    if costs is not None and (mismatch := costs.mismatch(files)):
        say(f"warning: {mismatch}")
    report = _with_costs(_report(found, outcome, files, project, options)._replace(fixes=fixes), costs)
    if applied is not None:
        report = report._replace(fixed=applied.mended, written=applied.written)
    _show(report, options, python, time.monotonic() - start)
    code = 1 if report.findings and not options.exit_zero else 0
    return (code if is_complete and not outcome.broken else 2), watched


def check_project(
    project: Project, python: Interpreter, options: argparse.Namespace, *, strict: bool
) -> tuple[Found, Outcome, Watched]:
    """Checks the files that the user names; returns them, what was found, and what that depends on.

    Raises:
        Problem: there are none, or they cannot be checked.
    """
    prepared = prepare(project, python, options)
    paths, found = prepared.files(options.paths)
    jax, keep = prepared.require_jax(), prepared.fill_cache()
    with progress() as shown:
        SWITCHES.strict, SWITCHES.on_file = strict, shown.read
        outcome = Run(found.files, project.root, prepared.options, shown.checked)()
    keep(checked.modules for checked in outcome.checked)
    program = (path for checked in outcome.checked for path in checked.modules.values())
    read = frozenset(path for path in program if not is_of_library(str(path)))
    watched = Watched(project.root, tuple(paths), tuple(prepared.options.exclude), read | {*found.files, jax})
    return found, outcome, watched


def _require_one_environment(options: argparse.Namespace, python: Interpreter) -> None:
    for path in options.paths if options.python is None else ():
        other = find_interpreter(None, find_project([path]).root)
        if other.path != python.path:
            raise Problem(
                f"{path} has another environment ({other.origin}) than {options.paths[0]} ({python.origin}); "
                "check one at a time, or choose one with --python"
            )


def _report(
    found: Compared, outcome: Outcome, files: Sequence[Path], project: Project, options: argparse.Namespace
) -> Report:
    broken = {project.root / error.span.path for error in outcome.broken}  # which is said of each
    unread = len(unread_by_python(files) - broken)
    return Report(
        project.root,
        found.new,
        len(files) - unread,
        found.accepted,
        found.gone,
        found.potential,
        unread=unread,
        unseen=_unseen(outcome),
        unimportable=unimportable_in(outcome.checked, project.root),
        others=tuple(
            diagnostic for diagnostic in outcome.diagnostics if diagnostic.is_error and diagnostic.code not in CODES
        ),
        show_others=options.all,
        show_all_positions=options.verbose,
        show_statistics=options.statistics,
    )


def _costs(file: Path, root: Path) -> "Costs":
    # Imported on use: few checks are given a run.
    from ..findings.costs import Costs
    from .recorded import run_in_file

    return Costs(run_in_file(file), root)


def _with_costs(report: Report, costs: "Costs | None") -> Report:
    if costs is None:
        return report
    found = {finding: cost for finding in report.findings if (cost := costs.of(finding)) is not None}
    rest = costs.unexplained(report.findings)
    return report._replace(findings=costs.ordered(report.findings, found), costs=found, unexplained=rest)


def _unseen(outcome: Outcome) -> tuple[str, ...]:
    """The packages of which nothing is known, other than the files that were named as not checked."""
    broken = {Path(error.span.path).stem for error in outcome.broken}
    return tuple(sorted(outcome.unseen - broken))


def _say_what_went_wrong(outcome: Outcome, root: Path) -> None:
    for warning in outcome.warnings:
        say(warning)
    for error in outcome.broken:
        path, line, column, *_ = error.span
        say(f"error: {os.path.relpath(root / path)}:{line}:{column}: not checked: {error.message}")


def _show(report: Report, options: argparse.Namespace, python: Interpreter, seconds: float) -> None:
    console = console_for(options.color)
    with contextlib.suppress(BrokenPipeError):
        if options.statistics and options.format in FOR_PEOPLE:
            print_statistics(report, console)
        else:
            FORMATS[options.format](report, console)
        if options.format in FOR_PEOPLE:
            print_summary(report, console, python, seconds)
    if options.format not in FOR_PEOPLE and report.written:
        for line in fixed_files(report):
            say(line)
