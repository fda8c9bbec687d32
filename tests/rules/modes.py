"""The modes, and what each one reports about a group of programs.

A group is the programs under one plugin configuration. A mode puts them into one source tree, runs mypy over it once or
more, and returns the output, split by program. Every mode but `cold` starts from a copy of the cache that `cold` filled
(jax, numpy and the rest are analysed once), except the daemon that must start without one.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.processes import Unfinished
from tests.rules import engines
from tests.rules.cases import Program
from tests.rules.configuration import group_config
from tests.rules.engines import Workspace
from tests.rules.layout import (
    Visit,
    apart,
    back_and_forth,
    back_and_forth_served,
    in_turns,
    number_of,
    only_libraries,
    owner,
    side_by_side,
    side_by_side_touched,
    source_trees,
    without_tags,
)
from tests.rules.marks import Report, read_reports
from tests.rules.split import split
from tests.rules.tree import Files

PLUGIN = "jaxtyped_static_mypy"
COLD = "cold"
APART = "apart"
_SCRATCH = "scratch"
# mypy's output if it cannot go on: a crash in it or in a plugin, or an error that stops the whole run.
_STOPPED = ("INTERNAL ERROR", "Traceback (most recent call last)", "errors prevented further checking")
_STOPPING_CODE = "syntax"
# All programs share their settings, some of which name things that exist only in some states of a program.
_NAMES_NOTHING = re.compile(r': jaxtyped_static: warning: \w+ names "')
# Limits in CPU seconds: dozens of times the usual amount, because a busy machine needs several times as much for the
# same work.
_PATIENCE, _PATIENCE_WITH_LIBRARIES = 2_000.0, 300.0

Numbered = tuple[int, Program]


@dataclass(frozen=True)
class Mode:
    """How programs are laid out, how mypy runs over them, and which programs the mode makes sense for."""

    plan: Callable[[Sequence[Numbered]], list[Visit]]
    engine: Callable[[Workspace, Sequence[Files]], list[str]]
    starts_from_cache: bool = True
    is_for: Callable[[Program], bool] = lambda program: True


MODES: Mapping[str, Mode] = {
    COLD: Mode(side_by_side, engines.build, starts_from_cache=False),
    "warm": Mode(side_by_side, engines.build),
    "touched": Mode(side_by_side_touched, engines.build),
    APART: Mode(apart, engines.build, is_for=lambda program: split(program) is not None),
    "edited": Mode(back_and_forth, engines.build),
    "parallel": Mode(back_and_forth, engines.build_in_parallel),
    "daemon": Mode(in_turns, engines.serve, starts_from_cache=False),
    "daemon-from-cache": Mode(back_and_forth_served, engines.serve_from_cache),
}


@dataclass(frozen=True)
class Group:
    """The programs under one configuration, each with its number in the source tree."""

    folder: Path
    members: tuple[Numbered, ...]
    plugin: str = PLUGIN
    left_out: frozenset[int] = frozenset()
    libraries: Path | None = None  # a cache that has them
    modes: Mapping[str, Mode] = field(default_factory=lambda: MODES)

    @property
    def programs(self) -> tuple[Numbered, ...]:
        return tuple(one for one in self.members if one[0] not in self.left_out)

    def without(self, numbers: Iterable[int]) -> Group:
        return replace(self, left_out=self.left_out | set(numbers))

    def cache_of(self, mode: str) -> Path:
        return self.folder / mode / "cache"


@dataclass(frozen=True)
class Seen:
    """The result of one visit for one program."""

    state: int
    reports: tuple[Report, ...]


@dataclass(frozen=True)
class Outcome:
    """A mode's result: the visits of each program, or the output if it stopped mypy; and output of no program.

    It has only a reason if the mode did not finish and no program is known to be at fault.
    """

    seen: Mapping[int, Sequence[Seen]] = field(default_factory=dict)
    stopped: Mapping[int, str] = field(default_factory=dict)
    strays: Sequence[str] = ()
    broken_off: str = ""


def run(name: str, group: Group) -> Outcome:
    """Runs one mode. A program that stops mypy is removed, and the others run again without it."""
    stopped: dict[int, str] = {}
    while True:
        rest = group.without(stopped)
        visits, outputs, why = _attempt(name, rest)
        if not why:
            return outcome_of(visits, outputs, stopped)
        found = _stops(rest) if name == COLD else dict(_stop_in(outputs))
        if not found:
            return Outcome(stopped=stopped, broken_off=why)
        stopped |= found


def _attempt(name: str, group: Group) -> tuple[list[Visit], list[str], str]:
    """Returns the visits, mypy's output at each, and why it did not finish, if it did not."""
    mode = group.modes[name]
    visits = mode.plan(group.programs)
    seed = group.cache_of(COLD) if mode.starts_from_cache else group.libraries if name == COLD else None
    workspace = make_workspace(name, group, seed=seed)
    try:
        outputs = mode.engine(workspace, source_trees(visits))
    except Unfinished as why:
        return visits, [], str(why)
    if len(outputs) < len(visits):
        return visits, outputs, f"{len(outputs)} of {len(visits)} runs were made:\n{outputs[-1]}"
    return visits, outputs, next(filter(is_stopped, outputs), "")


def _stops(group: Group) -> dict[int, str]:
    """Finds the programs that stop mypy, with the libraries in a cache: a cold run for each would be slow."""
    (visit,) = side_by_side(group.programs)
    workspace = make_workspace(_SCRATCH, group, seed=None)
    group.modes[COLD].engine(workspace, [only_libraries([visit])])
    return _stops_among(group, replace(workspace, patience=_PATIENCE_WITH_LIBRARIES))


def _stops_among(group: Group, workspace: Workspace) -> dict[int, str]:
    """Finds programs that crash in mypy's output, and programs that mypy does not finish by bisection."""
    numbers = [number for number, _ in group.programs]
    if not numbers:
        return {}
    (visit,) = side_by_side(group.programs)
    try:
        (output,) = group.modes[COLD].engine(workspace, source_trees([visit]))
    except Unfinished as why:
        if len(numbers) == 1:
            return {numbers[0]: str(why)}
        halves = set(numbers[::2]), set(numbers[1::2])
        return _stops_among(group.without(halves[0]), workspace) | _stops_among(group.without(halves[1]), workspace)
    found = dict(_stop_in([output]))
    return found | _stops_among(group.without(found), workspace) if found else {}


def make_workspace(name: str, group: Group, *, seed: Path | None) -> Workspace:
    """Creates a workspace with a copy of the cache `seed`."""
    folder = group.folder / name
    shutil.rmtree(folder, ignore_errors=True)
    if seed is not None:
        shutil.copytree(seed, group.cache_of(name))
    # The same text in every mode, because a cache is only valid for one.
    config = folder / "pyproject.toml"
    folder.mkdir(parents=True, exist_ok=True)
    config.write_text(_config_text(group), encoding="utf-8")
    return Workspace(folder / "tree", config, group.cache_of(name), _PATIENCE)


def _config_text(group: Group) -> str:
    return (
        f'[tool.mypy]\nplugins = ["{group.plugin}"]\ncheck_untyped_defs = true\nexplicit_package_bases = true\n'
        f"[tool.jaxtyped_static]\n{group_config(group.members)}"
    )


def is_stopped(output: str) -> bool:
    """Returns whether mypy could not go on."""
    return any(sign in output for sign in _STOPPED)


def _stop_in(outputs: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Returns the programs in whose files mypy stopped, and its output then."""
    for output in outputs:
        if is_stopped(output) and (number := _culprit(output)) is not None:
            yield number, without_tags(output)


def _culprit(output: str) -> int | None:
    reports = [report for report in read_reports(output) if isinstance(report, Report)]
    stops = [report for report in reports if "INTERNAL ERROR" in report.text or report.code == _STOPPING_CODE]
    tags = [tag for report in [*stops, *reports] if (tag := owner(report.file))]
    return number_of(tags[0]) if tags else None


def outcome_of(visits: Sequence[Visit], outputs: Sequence[str], stopped: Mapping[int, str]) -> Outcome:
    """Returns the output of the runs, split by program."""
    seen: dict[int, list[Seen]] = {}
    strays: list[str] = []
    for visit, output in zip(visits, outputs, strict=True):
        by_tag, left_over = _by_tag(output)
        strays += left_over
        for placement in visit:
            reports = tuple(sorted(by_tag.pop(placement.tag, ())))
            seen.setdefault(placement.number, []).append(Seen(placement.state, reports))
        strays += [str(report) for reports in by_tag.values() for report in reports]
    return Outcome(seen, stopped, strays)


def _by_tag(output: str) -> tuple[dict[str, list[Report]], list[str]]:
    """Returns the reports of each tag, and the lines without one."""
    by_tag: dict[str, list[Report]] = {}
    left_over: list[str] = []
    for line in read_reports(output):
        tag = owner(line.file) if isinstance(line, Report) else None
        if isinstance(line, str) and _NAMES_NOTHING.search(line):
            continue
        if not isinstance(line, Report) or tag is None:
            left_over.append(str(line) if isinstance(line, str) else f"{line.file}:{line.line}: {line}")
            continue
        report = replace(line, file=without_tags(line.file), text=without_tags(line.text))
        by_tag.setdefault(tag, []).append(report)
    return by_tag, left_over
