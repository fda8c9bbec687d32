"""Runs the modes that the selected tests ask for, each once."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.rules import kept
from tests.rules.cases import Program
from tests.rules.configuration import by_configuration
from tests.rules.modes import COLD, MODES, PLUGIN, Group, Mode, Outcome, run
from tests.rules.store import made_once, make_early
from tests.rules.verdicts import find_problems


class NotJudged(Exception):
    """A program cannot be judged, for a reason that another test has reported."""


@dataclass(frozen=True)
class Rig:
    """The programs of one test session and the folder through which its processes share results."""

    folder: Path
    programs: tuple[Program, ...]
    plugin: str = PLUGIN
    modes: Mapping[str, Mode] = field(default_factory=lambda: MODES)
    # Mode → ids of the requested programs; a mode without an entry runs all of them.
    asked: Mapping[str, Collection[str]] = field(default_factory=dict)
    _outcomes: dict[tuple[Path, str], Outcome] = field(default_factory=dict)

    @functools.cached_property
    def groups(self) -> Mapping[str, Group]:
        """Returns, by the id of a program, the group with which it shares its configuration."""
        parts = by_configuration(list(enumerate(self.programs)))
        groups = [
            # Numbered anew: a group is the same whatever other groups there are.
            Group(
                self.folder / f"group-{position}",
                tuple(enumerate(program for _, program in members)),
                self.plugin,
                modes=self.modes,
            )
            for position, members in enumerate(parts)
        ]
        return {program.id: group for group in groups for _, program in group.members}

    @functools.cached_property
    def _numbers(self) -> Mapping[str, int]:
        """Returns the number of each program in its group."""
        groups = {group.folder: group for group in self.groups.values()}
        return {program.id: number for group in groups.values() for number, program in group.members}

    def problems(self, program: Program, mode: str) -> list[str]:
        """Returns what is wrong with the program in this mode, as sentences; empty if nothing is.

        Problems that belong to no program are reported to the first caller.

        Raises:
            NotJudged: a problem has been reported, and nothing else is known.
        """
        number = self._numbers[program.id]
        outcome, cold = self.outcome(program, mode), self.outcome(program, COLD)
        broken_off = outcome.broken_off or cold.broken_off
        if (broken_off or outcome.strays) and self._is_first_to_ask(program, mode):
            return [broken_off or "mypy printed something that belongs to no program:", *outcome.strays]
        if broken_off:
            raise NotJudged(f"{mode}: {broken_off.splitlines()[0]}")
        return find_problems(number, program, mode, outcome, cold)

    def _is_first_to_ask(self, program: Program, mode: str) -> bool:
        """Returns whether this is the first of all tests of the session, in whatever process, to ask."""
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

    def start(self, executor: Executor) -> None:
        """Starts what will be needed: first the cold runs, for which the others wait; then the other modes.

        The large groups come last, because their cold runs take long.
        """
        groups = {group.folder: group for group in self.groups.values()}
        smallest_first = sorted(groups.values(), key=lambda group: len(group.members))
        longest_first = [mode for mode in reversed(list(self.modes)) if mode != COLD]
        others = [(group, mode) for group in smallest_first for mode in longest_first]
        for group, mode in [*((group, COLD) for group in smallest_first[::-1]), *others]:
            if mode == COLD or self._asked(group, mode).programs:
                executor.submit(make_early, *self._making(group, mode))

    def _asked(self, group: Group, mode: str) -> Group:
        """Returns the group without the programs that nobody asks for in this mode."""
        if mode not in self.asked:
            return group
        return group.without(number for number, program in group.members if program.id not in self.asked[mode])

    def _group(self, program: Program) -> Group:
        return self.groups[program.id]

    def _with_libraries(self, group: Group) -> Group:
        """Adds the libraries of the largest group's cache, which are the same under all settings."""
        largest = max(self.groups.values(), key=lambda other: len(other.members))
        if largest.folder == group.folder:
            return group
        self._shared_outcome(largest, COLD)
        return replace(group, libraries=largest.cache_of(COLD))

    def _shared_outcome(self, group: Group, mode: str) -> Outcome:
        return made_once(*self._making(group, mode))

    def _making(self, group: Group, mode: str) -> tuple[Path, Callable[[], Outcome]]:
        """Returns where the outcome is stored, and how it is made."""

        def make() -> Outcome:
            if mode == COLD:
                return self._cold(group)
            # What stops the cold run stops every other mode.
            outcome = run(mode, self._asked(group, mode).without(self._shared_outcome(group, COLD).stopped))
            shutil.rmtree(group.cache_of(mode), ignore_errors=True)  # 80 MB each; others start from the cold one
            return outcome

        return group.folder / f"{mode}.pickle", make

    def _cold(self, group: Group) -> Outcome:
        """Makes the cold run, or takes the one that was kept, if no test of this session is about it."""
        is_tested = any(program.id in self.asked.get(COLD, ()) for _, program in group.members)
        if not is_tested and (outcome := kept.take(group)) is not None:
            return outcome
        outcome = run(COLD, self._with_libraries(group))
        if is_tested:
            kept.keep(group, outcome)
        return outcome
