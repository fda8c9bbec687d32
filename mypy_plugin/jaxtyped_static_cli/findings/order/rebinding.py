"""Which variables of modules a program changes between its calls of what JAX has compiled."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from jaxtyped_static_mypy.facts.objects.uses import Change, How
from jaxtyped_static_mypy.reach.program import Runs
from jaxtyped_static_mypy.reporting.finding import Question

from ..running import ProgramRuns
from .modules import Modules
from .names import Known
from .steps import ModuleSteps, stored_in
from .variables import Place, Shared, places_stale


@dataclass(frozen=True, eq=False)
class Rebinding:
    """A program. `steps`: those of its modules without tests."""

    steps: Mapping[str, ModuleSteps]
    runs: ProgramRuns

    def changes(self, question: Question) -> Iterator[tuple[str, Change]]:
        """The changes after which compiled code still finds the old value, each with its module."""
        shared = Shared(question.cls, question.among[0], question.compiled, question.keys)
        if shared.whole in self._stored:
            for place in places_stale(shared, self._modules, self._reaching(shared.compiled)):
                yield place.module, _change(place, shared)

    @cached_property
    def _modules(self) -> Modules:
        return Modules(self.steps)

    @cached_property
    def _stored(self) -> frozenset[str]:
        """The full names of all variables of modules, and of their parts, that code changes."""
        known = self._modules.routines.values()
        found = ((one, step) for one in known for step in stored_in(one.routine.steps) if not step.is_local)
        return frozenset(self._modules.full_name(step.target, one) for one, step in found)

    @cached_property
    def _started(self) -> list[Known]:
        """The code of each module, and the functions that start a program."""
        return [known for known in self._modules.routines.values() if not known.routine.name or self._starts(known)]

    def _reaching(self, compiled: str) -> list[Known]:
        """What begins a program and may get to a function, because its module imports that of the function."""
        found = self._modules.split(compiled)
        if found is None:
            return self._started
        near = self.runs.imports.connected(found[0])
        return [known for known in self._started if known.module in near]

    def _starts(self, known: Known) -> bool:
        defined = self.runs.defined(known.full_name)
        return defined is not None and defined.runs is Runs.ONCE


def _change(place: Place, shared: Shared) -> Change:
    written = f"{shared.name.rpartition('.')[2]}{shared.path}"
    return Change("", written, How.ASSIGNED, place.where, False, (), False, False, False, place.line)
