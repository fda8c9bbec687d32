"""What is wrong with a program in a mode: the cold run is compared with the marks, and other modes with it."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from tests.rules.cases import Program
from tests.rules.layout import history
from tests.rules.marks import Report, unmet
from tests.rules.modes import APART, COLD, Outcome

# The end of the note that the plugin prints instead of crashing.
PLUGIN_FAULT = "please report it"


def find_problems(number: int, program: Program, mode: str, outcome: Outcome, cold: Outcome) -> list[str]:
    """Returns sentences for a human; empty if the mode reports what it should."""
    if stopped := outcome.stopped.get(number) or cold.stopped.get(number):
        return ["mypy stopped at this program:", stopped]
    if failed := _failures(number, outcome):
        return ["the plugin failed:", *failed]
    if mode == COLD:
        return against_marks(number, program, outcome)
    if mode == APART:
        return against_lines_of_cold(number, outcome, cold)
    return against_cold(number, outcome, cold)


def _failures(number: int, outcome: Outcome) -> list[str]:
    """Returns the plugin's notes about its own faults."""
    reports = {report for seen in outcome.seen[number] for report in seen.reports if PLUGIN_FAULT in report.text}
    return _shown(sorted(reports))


def against_marks(number: int, program: Program, outcome: Outcome) -> list[str]:
    """Each state that the program itself describes (not an added clean one) must show exactly the errors it marks."""
    described = {len(history(program)) - len(program.states) + step: step for step in range(len(program.states))}
    found = []
    for seen in outcome.seen[number]:
        if seen.state in described:
            found += _state_problems(program, described[seen.state], seen.reports)
    return found


def _state_problems(program: Program, step: int, reports: Sequence[Report]) -> list[str]:
    found = []
    for name, module in program.states[step].items():
        here = [report for report in reports if report.file == name]
        lines = module.text.splitlines()
        place = name if len(program.states) == 1 else f"{name} at step {step + 1}"
        for line, sentence in unmet(module.marks, here):
            code = lines[line - 1].strip() if 0 < line <= len(lines) else ""
            found.append(f"{place}:{line}  {sentence}\n    | {code}")
    return found


def against_cold(number: int, outcome: Outcome, cold: Outcome) -> list[str]:
    expected = {seen.state: seen.reports for seen in cold.seen[number]}
    walk = [seen.state for seen in outcome.seen[number]]
    found = []
    for visit, seen in enumerate(outcome.seen[number]):
        if seen.reports != expected[seen.state]:
            found.append(f"visit {visit + 1} on the way through states {walk}: - cold run, + this mode")
            found += difflib.ndiff(_shown(expected[seen.state]), _shown(seen.reports))
    return found


def against_lines_of_cold(number: int, outcome: Outcome, cold: Outcome) -> list[str]:
    """Where a case differs from its cold run in the codes or their lines; the file and the words may differ."""
    expected = _codes(cold.seen[number][-1].reports)
    found = []
    for words, seen in zip(("of two files", "with the classes from the cache"), outcome.seen[number], strict=True):
        if _codes(seen.reports) != expected:
            found.append(f"in a build {words}: - cold run, + this mode")
            found += difflib.ndiff(expected, _codes(seen.reports))
    return found


def _codes(reports: Sequence[Report]) -> list[str]:
    return sorted(f"{report.line:4} [{report.code}]" for report in reports if report.severity == "error")


def _shown(reports: Sequence[Report]) -> list[str]:
    return [f"{report.file}:{report.line}  {report}" for report in reports]
