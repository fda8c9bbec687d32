"""Requirements for every program: the plugin must not crash or delay mypy where plain mypy succeeds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from tests.fuzz.checking import Checker, Outcome, Program
from tests.rules.marks import Report
from tests.rules.verdicts import PLUGIN_FAULT

# Acceptable CPU time: this factor of plain mypy's, plus these seconds.
_TIMES, _SECONDS = 4.0, 3.0
_FAULT: Final = re.compile(r"\((\w+: .*, at [\w.]+:\d+)\); please report it")
_FRAME: Final = re.compile(r'File "(?:.*/)?([\w.]+)", line (\d+), in ')
_RAISED: Final = re.compile(r"^(\w+(?:Error|Exception|Exit|Interrupt))\b.*", re.MULTILINE)


class Problem(NamedTuple):
    number: int  # of the program
    cause: str
    details: str


def problems(programs: Sequence[Program], checker: Checker, *, hides_nothing: bool = False) -> list[Problem]:
    """Returns at most one problem per program. `hides_nothing`: losing an error of plain mypy is a problem, too."""
    found = list(_among(programs, list(range(len(programs))), checker, hides_nothing=hides_nothing))
    return sorted(found)


def _among(
    programs: Sequence[Program], numbers: list[int], checker: Checker, *, hides_nothing: bool
) -> Iterator[Problem]:
    if not numbers:
        return
    together = partial(_among, programs, checker=checker, hides_nothing=hides_nothing)
    outcome = checker.check([programs[number] for number in numbers])
    if outcome.stopped_early:
        stopped = {numbers[at] for at in _stopping(outcome)}
        yield from together([number for number in numbers if number not in stopped])
        return
    plain = checker.check([programs[number] for number in numbers], plugin=False) if hides_nothing else None
    if not outcome.crashed and not _is_slow(programs, numbers, outcome, plain, checker):
        found = {problem.number: problem for problem in [*_hidden(outcome, plain), *_faults(outcome)]}
        yield from (problem._replace(number=numbers[problem.number]) for problem in found.values())
    elif len(numbers) > 1:
        middle = len(numbers) // 2
        yield from together(numbers[:middle])
        yield from together(numbers[middle:])
    elif (cause := _cause_alone(programs[numbers[0]], outcome, checker)) is not None:
        yield Problem(numbers[0], cause, outcome.output)


def _stopping(outcome: Outcome) -> set[int]:
    """Returns the programs with an error that stops mypy: a syntax error, or one without a code."""
    errors = [(number, report) for number, report in outcome.reports() if report.severity == "error"]
    if not errors:
        raise RuntimeError(f"mypy stopped for a reason outside of the programs:\n{outcome.output}")
    return {number for number, report in errors if report.code in ("", "syntax")} or {errors[-1][0]}


def _is_slow(
    programs: Sequence[Program], numbers: list[int], outcome: Outcome, plain: Outcome | None, checker: Checker
) -> bool:
    if outcome.cpu < _SECONDS:
        return False
    plain = plain or checker.check([programs[number] for number in numbers], plugin=False)
    return not plain.crashed and outcome.cpu > _TIMES * plain.cpu + _SECONDS


def _cause_alone(program: Program, outcome: Outcome, checker: Checker) -> str | None:
    """Returns what breaks one program; None if it breaks without the plugin, too."""
    if checker.check([program], plugin=False).crashed:
        return None
    if outcome.status is None:
        return f"death: {outcome.ended_by}"
    return f"crash: {_exception(outcome.output)}" if outcome.crashed else "slow"


def _exception(output: str) -> str:
    raised, frames = _RAISED.findall(output), _FRAME.findall(output)
    file, line = frames[-1] if frames else ("?", "?")
    return f"{raised[-1] if raised else '?'} at {file}:{line}"


def _faults(outcome: Outcome) -> Iterator[Problem]:
    for number, report in outcome.reports():
        if PLUGIN_FAULT in report.text and (fault := _FAULT.search(report.text)):
            yield Problem(number, f"fault: {fault[1]}", _shown(report))


def _hidden(outcome: Outcome, plain: Outcome | None) -> Iterator[Problem]:
    if plain is None or plain.crashed:
        return
    lines = {(number, report.line) for number, report in outcome.reports() if report.severity == "error"}
    for number, report in plain.reports():
        if report.severity == "error" and (number, report.line) not in lines:
            words = re.sub(r'"[^"]*"', '"..."', report.text)
            yield Problem(number, f"hidden: [{report.code}] {words}", _shown(report))


def _shown(report: Report) -> str:
    return f"{report.file}:{report.line}: {report}"
