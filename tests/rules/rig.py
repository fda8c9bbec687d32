"""Runs the modes that the selected tests ask for, each once."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path

from tests.rules.cases import Program
from tests.rules.configuration import shared_config
from tests.rules.modes import COLD, PLUGIN, Group, Outcome, run
from tests.rules.store import made_once
from tests.rules.verdicts import find_problems


class NotJudged(Exception):
    """There is nothing to judge a program by, for a reason that another test has reported."""


@dataclass(frozen=True)
class Rig:
    """The programs of one test session and the folder through which its processes share results."""

    folder: Path
    programs: tuple[Program, ...]
    plugin: str = PLUGIN
    _outcomes: dict[tuple[Path, str], Outcome] = field(default_factory=dict)

    @functools.cached_property
    def groups(self) -> Mapping[str, Group]:
        """The programs by the part of their configuration that they share."""
        members: dict[str, list[tuple[int, Program]]] = {}
        for numbered in enumerate(self.programs):
            members.setdefault(shared_config(numbered[1]), []).append(numbered)
        return {
            config: Group(self.folder / f"group-{position}", tuple(programs), self.plugin)
            for position, (config, programs) in enumerate(members.items())
        }

    def problems(self, program: Program, mode: str) -> list[str]:
        """What is wrong with the program in this mode, as sentences; empty when nothing is.

        What concerns no program is told to whoever asks first.

        Raises:
            NotJudged: it has been told, and nothing else is known.
        """
        number = next(number for number, other in enumerate(self.programs) if other.id == program.id)
        outcome, cold = self.outcome(program, mode), self.outcome(program, COLD)
        broken_off = outcome.broken_off or cold.broken_off
        if (broken_off or outcome.strays) and self._is_first_to_ask(program, mode):
            return [broken_off or "mypy said something about no file of a program:", *outcome.strays]
        if broken_off:
            raise NotJudged(f"{mode}: {broken_off.splitlines()[0]}")
        return find_problems(number, program, mode, outcome, cold)

    def _is_first_to_ask(self, program: Program, mode: str) -> bool:
        """Of all the tests of the session, in whatever process."""
        folder = self._group(program).folder
        told = folder / f"{COLD if self.outcome(program, COLD).broken_off else mode}.told"
        try:
            told.touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def outcome(self, program: Program, mode: str) -> Outcome:
        group = self._group(program)
        key = (group.folder, mode)
        if key not in self._outcomes:
            self._outcomes[key] = self._shared_outcome(group, mode)
        return self._outcomes[key]

    def start(self, wanted: Iterable[tuple[Program, str]], executor: Executor) -> None:
        """Begin with what will be asked for: first the cold runs, which the others wait for."""
        groups = {(group.folder, mode): group for program, mode in wanted for group in [self._group(program)]}
        runs = [(group, mode) for (_, mode), group in groups.items() if mode != COLD]
        colds = {group.folder: (group, COLD) for group in groups.values()}
        for group, mode in [*colds.values(), *runs]:
            executor.submit(self._shared_outcome, group, mode)

    def _group(self, program: Program) -> Group:
        return self.groups[shared_config(program)]

    def _shared_outcome(self, group: Group, mode: str) -> Outcome:
        def make() -> Outcome:
            if mode == COLD:
                return run(COLD, group)
            # What stops the cold run stops every other.
            return run(mode, group.without(self._shared_outcome(group, COLD).stopped))

        return made_once(group.folder / f"{mode}.pickle", make)
