"""Whether code that JAX compiled for an object ever finds another value there than the one that it was compiled for."""

from collections.abc import Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from jaxtyped_static_mypy.facts.method_facts import MAKING
from jaxtyped_static_mypy.facts.objects.uses import ANY_ATTRIBUTE, Change
from jaxtyped_static_mypy.knowledge import naming
from jaxtyped_static_mypy.reach.program import Runs

from ..running import ProgramRuns
from .names import Known, Names
from .replay import Asked, Place, Replay, TooMuch
from .steps import Assigned, Guarded, Loop, Set, Step, flat, last

_EQUAL: Final = "__eq__"
_CALL: Final = "__call__"


class Compiled(NamedTuple):
    """What JAX compiles for an object."""

    cls: str  # of the object, by its full name
    function: str
    keys: tuple[str, ...]  # other static parameters, as `1:key`


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
        top = [known for known in self.names.all if not known.routine.name and self._leads_anywhere(known)]
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
        run = Replay(self.names, self.asked, is_strict=True)
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

    # The runs of the program

    def _scripts(self) -> dict[Known, Replay]:
        """One run for the code of each module, and one for each function that starts a program."""
        top = [known for known in self.names.all if not known.routine.name and self._leads_anywhere(known)]
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
            run = Replay(self.names, self.asked)
            for known in (*order, *order):
                if self._is_run_by_users:
                    run.compile()
                run.run(known)
            yield run

    @cached_property
    def _is_run_by_users(self) -> bool:
        """Whether the program leaves it to its users to run what JAX compiled."""
        names = self.asked.compiled
        unused = {name for name in names if name not in self.names.used and not naming.is_private(name)}
        is_offered = any(self.runs.offers(known.module, known.routine.name.partition(".")[0]) for known in self._traced)
        return bool(unused) or is_offered or self.names.used.isdisjoint(names)

    def _changes(self, known: Known) -> bool:
        return (
            known.name in self.asked.changing
            or self._uses(known, self.asked.changing)
            or bool(_places(known) & set(self.asked.changes))
        )

    def _replay(self, known: Known) -> Replay:
        run = Replay(self.names, self.asked)
        run.run(known)
        return run

    @cached_property
    def _unused(self) -> list[Known]:
        """The functions that lead to something, and that no code of the program names."""
        named = (known for known in self.names.all if known.routine.name and self._leads_anywhere(known))
        return [known for known in named if known.name not in self.names.used and not _is_called_by_python(known)]

    @cached_property
    def _offered(self) -> list[Known]:
        """The public methods with a change that a package offers its users."""
        return [
            known
            for known in self.names.all
            if known.routine.cls
            and not naming.is_private(last(known.routine.name))
            and known.name in self.asked.changing
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
        return frozenset(known.module for known in top if self._uses(known, self.asked.makes))

    @cached_property
    def _dead(self) -> frozenset[Place]:
        dead = (known for known in self._unused if self._is_dead(known))
        return frozenset(place for known in dead for place in _places(known))

    @property
    def _runs_unseen(self) -> bool:
        """Whether Python itself calls something that matters: an operator, `with`, an iterator."""
        return any(
            _is_called_by_python(known) and last(known.routine.name) != _CALL and self._leads_anywhere(known)
            for known in self.names.all
        )

    # What is asked

    @cached_property
    def asked(self) -> Asked:
        makes = self.names.below(last(self.compiled.cls))
        changes = {(module, change.line, change.attribute) for module, change in (*self.changes, *self.others)}
        changing = self._leading(changes, frozenset())
        read = {change.attribute for _, change in self.changes}
        keys = dict(key.split(":", 1) for key in self.compiled.keys)
        traced = [known for known in self._traced if known.name in changing]
        relevant = self._leading(changes, self._running | makes)
        return Asked(
            makes,
            self._running,
            {**keys, **{name: name for name in keys.values()}},
            changes,
            {(module, one.target) for module, one in self._assigned if one.called in makes},
            read,
            self._initial,
            self._lazy & read,
            self._is_equal_by_value,
            relevant,
            changing,
            traced,
            relevant - makes,
            self.names.holders(relevant - makes),
        )

    @property
    def _assigned(self) -> Iterator[tuple[str, Assigned]]:
        return ((module, one) for module, read in self.names.modules.items() for one in read.assigned)

    @cached_property
    def _traced(self) -> list[Known]:
        return list(self.names.by_name.get(self.compiled.function, ()))

    @cached_property
    def _running(self) -> frozenset[str]:
        """The names that run what JAX compiled: those of a decorated function, or of what `jit` returns for it."""
        function = self.compiled.function
        found = {one.target for one in self.names.assigned if function in one.compiled}
        decorators = (name for known in self._traced for name in known.routine.decorators)
        if not found or any(map(naming.compiles, decorators)):
            found.add(function)
        while more := {one.target for one in self.names.assigned if found & (one.given | one.compiled)} - found:
            found |= more
        return frozenset(found)

    def _leading(self, changes: Collection[Place], names: frozenset[str]) -> frozenset[str]:
        """The names that lead to a change, or to one of these names."""
        known_names, wanted = self.names.names_of, set(changes)
        found = set(names)
        for known in self.names.all:
            if known.routine.name and _places(known) & wanted:
                found |= known_names[known]
        pending = list(known_names)
        while True:
            held = self.names.holders(found)
            leading = [
                known for known in pending if self._uses(known, found) or not held.isdisjoint(known.routine.called)
            ]
            more = {name for known in leading for name in known_names[known]} - found
            if not more:
                return frozenset(found)
            found |= more
            done = set(leading)
            pending = [known for known in pending if known not in done]

    def _uses(self, known: Known, names: AbstractSet[str]) -> bool:
        return not known.routine.named.isdisjoint(names)

    def _leads_anywhere(self, known: Known) -> bool:
        return self._uses(known, self.asked.relevant) or bool(_places(known) & set(self.asked.changes))

    @cached_property
    def _initial(self) -> Mapping[str, str]:
        """What the constructors give the attributes: a constant, or something else, of which nothing is known."""
        found: dict[str, str] = {}
        for cls in reversed(self.lineage):
            for module, read in self.names.modules.items():
                inner = cls.removeprefix(f"{module}.")
                found |= read.defaults.get(inner, {}) if inner != cls else {}
        for known in self._constructors:
            for step in flat(known.routine.steps):
                if isinstance(step, Set) and step.owner == known.routine.own:
                    found[step.name] = (not step.is_uncertain and step.constant) or f"?{step.name}"
        return found

    @cached_property
    def _constructors(self) -> list[Known]:
        named = {f"{cls}.{name}" for cls in self.lineage for name in MAKING}
        return [known for known in self.names.all if known.full_name in named]

    @cached_property
    def _lazy(self) -> frozenset[str]:
        """The attributes that methods fill when they have no value, where no other code asks whether they have one."""
        found = (name for known in self.names.all for name in _filled(known.routine.steps))
        asked = frozenset[str]().union(*(read.asked for read in self.names.modules.values()))
        return frozenset(found) - asked

    @cached_property
    def _is_equal_by_value(self) -> bool:
        own = {f"{cls}.{_EQUAL}" for cls in self.lineage}
        decorated = {f"{module}.{cls}" for module, read in self.names.modules.items() for cls in read.decorated}
        return any(known.full_name in own for known in self.names.all) or bool(decorated & set(self.lineage))

    @cached_property
    def _seen(self) -> frozenset[Place]:
        """What the steps set."""
        found = {place for known in self.names.all for place in _places(known)}
        lines = {(module, line) for module, line, _ in found}
        return frozenset(found | {(module, line, ANY_ATTRIBUTE) for module, line in lines})


def _places(known: Known) -> frozenset[Place]:
    """The attributes that a routine sets, and where."""
    return frozenset(
        (known.module, step.line, step.name) for step in flat(known.routine.steps) if isinstance(step, Set)
    )


def _is_called_by_python(known: Known) -> bool:
    name = last(known.routine.name)
    return naming.is_special(name) and name not in MAKING


def _filled(steps: tuple[Step, ...]) -> Iterator[str]:
    """The attributes that are set where they have no value."""
    for step in steps:
        if isinstance(step, Guarded):
            yield from (inner.name for inner in flat(step.steps) if isinstance(inner, Set))
        elif isinstance(step, Loop):
            yield from _filled(step.steps)
