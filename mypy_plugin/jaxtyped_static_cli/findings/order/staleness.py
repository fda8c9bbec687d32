"""Whether code that JAX compiled for an object ever finds another value there than the one that it was compiled for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from jaxtyped_static_mypy.facts.method_facts import MAKING
from jaxtyped_static_mypy.facts.objects.uses import ANY_ATTRIBUTE, Change
from jaxtyped_static_mypy.knowledge import naming
from jaxtyped_static_mypy.reach.program import Runs

from ..running import ProgramRuns
from .asking import Asking, Compiled, places_of, uses
from .names import Known, Names
from .replay import Place, Replay, TooMuch
from .steps import Set, flat, last

_CALL: Final = "__call__"


@dataclass(frozen=True, eq=False)
class Staleness:
    """The programs that modules are, with all that changes objects of one class."""

    names: Names
    runs: ProgramRuns
    compiled: Compiled
    lineage: tuple[str, ...]  # of the class
    changes: tuple[tuple[str, Change], ...]  # those that count
    others: tuple[tuple[str, Change], ...]  # those of attributes that compiled code does not read

    def is_shown_fresh(self) -> bool:
        """Whether no run of the program leaves anything stale, for all that the syntax shows."""
        wanted = {(module, change.line, change.attribute) for module, change in self.changes}
        if not wanted <= self._seen or self._runs_unseen:
            return False
        try:
            begun = self._scripts()
            runs = [*begun.values(), *self._users(begun)]
        except TooMuch:
            return False
        reached = set[Place]().union(*(run.reached for run in runs))
        return not any(run.is_stale for run in runs) and wanted <= reached | self._dead

    def places_stale(self) -> frozenset[Place]:
        """The changes of which compiled code finds an old value for sure, as far as names tell.

        What users of the program call, they call again, with other arguments.
        """
        top = [known for known in self.names.all if not known.routine.name and self._asking.leads_anywhere(known)]
        again = [known for known in self._unused if not (self._runs_once(known) or self._is_dead(known))]
        again = [known for known in (*again, *self._offered) if not naming.is_private(last(known.routine.name))]
        started = [known for known in self._unused if self._runs_once(known)]
        try:
            own = [self._strict_run(known) for known in (*top, *started)]
            by_users = [self._strict_run(known, known) for known in again if not naming.is_set_up(known.name)]
        except TooMuch:
            return frozenset()
        found = frozenset[Place]().union(*(run.stale for run in own))
        return found | (frozenset[Place]().union(*(run.stale for run in by_users)) & self._given)

    def _strict_run(self, *started: Known) -> Replay:
        run = Replay(self.names, self._asking.asked, is_strict=True)
        for known in started:
            run.run(known)
        return run

    @cached_property
    def _given(self) -> frozenset[Place]:
        """The places that set an attribute to what they get from their callers."""
        return frozenset(
            (known.module, step.line, step.name)
            for known in self.names.all
            for step in flat(known.routine.steps)
            if isinstance(step, Set) and not step.names.isdisjoint(set(known.routine.parameters) - {known.routine.own})
        )

    @cached_property
    def _asking(self) -> Asking:
        return Asking(self.names, self.compiled, self.lineage, self.changes, self.others)

    # The runs of the program

    def _scripts(self) -> dict[Known, Replay]:
        """One run for the code of each module, and one for each function that starts a program."""
        top = [known for known in self.names.all if not known.routine.name and self._asking.leads_anywhere(known)]
        started = [known for known in self._unused if self._runs_once(known)]
        found = {known: self._replay(known) for known in (*top, *started)}
        beginning = [known for known in top if found[known].has_run or found[known].reached]
        if len(beginning) > 1 and not all(self.runs.is_run_alone(known.module) for known in top):
            raise TooMuch
        return found

    def _users(self, begun: Mapping[Known, Replay]) -> Iterator[Replay]:
        """What users of the program may do, if it leaves to them what changes an object: all of it, in any order.

        `begun`: what it does by itself. If it never runs there what JAX compiled, somebody else does so in between.
        """
        left = [known for known in self._unused if not (self._runs_once(known) or self._is_dead(known))]
        left += self._offered
        if not any(run.has_run for run in begun.values()):
            left += [known for known, run in begun.items() if run.reached]
        if not any(self._changes(known) for known in left):
            return
        for order in (left, left[::-1]):
            run = Replay(self.names, self._asking.asked)
            for known in (*order, *order):
                if self._is_run_by_users:
                    run.compile()
                run.run(known)
            yield run

    @cached_property
    def _is_run_by_users(self) -> bool:
        """Whether the program leaves it to its users to run what JAX compiled."""
        names = self._asking.asked.compiled
        unused = {name for name in names if name not in self.names.used and not naming.is_private(name)}
        is_offered = any(
            self.runs.offers(known.module, known.routine.name.partition(".")[0]) for known in self._asking.traced
        )
        return bool(unused) or is_offered or self.names.used.isdisjoint(names)

    def _changes(self, known: Known) -> bool:
        return (
            known.name in self._asking.asked.changing
            or uses(known, self._asking.asked.changing)
            or bool(places_of(known) & set(self._asking.asked.changes))
        )

    def _replay(self, known: Known) -> Replay:
        run = Replay(self.names, self._asking.asked)
        run.run(known)
        return run

    @cached_property
    def _unused(self) -> list[Known]:
        """The functions that lead to something, and that no code of the program names."""
        named = (known for known in self.names.all if known.routine.name and self._asking.leads_anywhere(known))
        return [known for known in named if known.name not in self.names.used and not _is_called_by_python(known)]

    @cached_property
    def _offered(self) -> list[Known]:
        """The public methods with a change that a package offers its users."""
        return [
            known
            for known in self.names.all
            if known.routine.cls
            and not naming.is_private(last(known.routine.name))
            and known.name in self._asking.asked.changing
            and self.runs.offers(known.module, known.routine.cls.partition(".")[0])
        ]

    def _runs_once(self, known: Known) -> bool:
        """Whether a program starts with it, and nobody else calls it."""
        defined = self.runs.defined(known.full_name)
        return defined is not None and defined.runs is Runs.ONCE

    def _is_dead(self, known: Known) -> bool:
        """Whether nothing runs a function, or a method of a program that nobody imports."""
        if self.names.modules[known.module].looks_up:
            return False
        if self.runs.is_dead(known.full_name):
            return True
        return self.runs.is_dead_method(known.full_name, starts=known.module in self._starting)

    @cached_property
    def _starting(self) -> frozenset[str]:
        """The modules that make the object by themselves, where they are imported or run."""
        top = (known for known in self.names.all if not known.routine.name)
        return frozenset(known.module for known in top if uses(known, self._asking.asked.makes))

    @cached_property
    def _dead(self) -> frozenset[Place]:
        dead = (known for known in self._unused if self._is_dead(known))
        return frozenset(place for known in dead for place in places_of(known))

    @property
    def _runs_unseen(self) -> bool:
        """Whether Python itself calls something that matters: an operator, `with`, an iterator."""
        return any(
            _is_called_by_python(known) and last(known.routine.name) != _CALL and self._asking.leads_anywhere(known)
            for known in self.names.all
        )

    @cached_property
    def _seen(self) -> frozenset[Place]:
        """What the steps set."""
        found = {place for known in self.names.all for place in places_of(known)}
        lines = {(module, line) for module, line, _ in found}
        return frozenset(found | {(module, line, ANY_ATTRIBUTE) for module, line in lines})


def _is_called_by_python(known: Known) -> bool:
    name = last(known.routine.name)
    return naming.is_special(name) and name not in MAKING
