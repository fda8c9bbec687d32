"""Which functions of a program a name may mean: all that have it, but for those of other classes than `self` is of."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from jaxtyped_static_mypy.facts.method_facts import MAKING

from ..relations import inverted, reached, steps_of
from .steps import Assigned, ModuleSteps, Named, Routine, Set, flat, last

_CALL: Final = "__call__"
_SETTER: Final = "setter"
_PROPERTIES: Final = frozenset({"property", "cached_property", "setter"})


class Known(NamedTuple):
    """A routine, and its module."""

    module: str
    routine: Routine

    @property
    def full_name(self) -> str:
        return f"{self.module}.{self.routine.name}"

    @property
    def name(self) -> str:
        """By which it is called: a constructor by its class."""
        own = last(self.routine.name)
        return last(self.routine.cls) if self.routine.cls and own in MAKING else own

    @property
    def is_property(self) -> bool:
        return any(last(name) in _PROPERTIES for name in self.routine.decorators)


@dataclass(frozen=True, eq=False)
class Names:
    """The names of a program. `modules`: those that are no tests."""

    modules: Mapping[str, ModuleSteps]
    _held: dict[tuple[str, frozenset[str]], list[str]] = field(default_factory=dict, init=False)

    @cached_property
    def all(self) -> list[Known]:
        return [Known(module, routine) for module, read in self.modules.items() for routine in read.routines]

    @cached_property
    def by_name(self) -> Mapping[str, list[Known]]:
        """The functions by the names under which they are called; objects that are called by those that hold them."""
        found = defaultdict[str, list[Known]](list)
        for known in self.all:
            if known.routine.name:
                found[known.name].append(known)
        calling = {last(known.routine.cls): known for known in self.all if last(known.routine.name) == _CALL}
        for assigned in self.assigned:
            if (known := calling.get(assigned.called)) is not None:  # type: ignore[assignment]
                found[assigned.target].append(known)
        return found

    @cached_property
    def names_of(self) -> Mapping[Known, set[str]]:
        """The names under which each function is called."""
        return inverted(self.by_name)

    @cached_property
    def assigned(self) -> list[Assigned]:
        return [assigned for read in self.modules.values() for assigned in read.assigned]

    @cached_property
    def classes(self) -> Mapping[str, set[str]]:
        """The classes with their bases, all by their last names."""
        found = defaultdict[str, set[str]](set)
        for read in self.modules.values():
            for cls, bases in read.bases.items():
                found[last(cls)].update(bases)
        return found

    @cached_property
    def used(self) -> frozenset[str]:
        """The names that code uses."""
        steps = [step for known in self.all for step in flat(known.routine.steps)]
        named = (step.name for step in steps if isinstance(step, Named) and not step.is_for_jit)
        return frozenset(named) | {step.name for step in steps if isinstance(step, Set) and step.name in self.setters}

    @cached_property
    def setters(self) -> Mapping[str, list[Known]]:
        """The setters of properties, by the names of these."""
        found = defaultdict[str, list[Known]](list)
        for known in self.all:
            if any(last(name) == _SETTER for name in known.routine.decorators):
                found[known.name].append(known)
        return found

    @cached_property
    def _passed_on(self) -> Mapping[str, set[str]]:
        """By each name, the variables and parameters that get what it stands for."""
        found = defaultdict[str, set[str]](set)
        for assigned in self.assigned:
            for name in assigned.given:
                found[name].add(assigned.target)
        for step in (step for known in self.all for step in flat(known.routine.steps)):
            if not isinstance(step, Named) or not step.passed:
                continue
            called = self.by_name.get(step.name, ()) or self._constructors_above(step.name)
            for known in called:
                for key, name in step.passed:
                    found[name].update(_parameter(key, known.routine))
        return found

    def holders(self, names: Iterable[str]) -> frozenset[str]:
        """The variables and parameters that may hold one of these functions."""
        return reached(set(names), steps_of(self._passed_on))

    @cached_property
    def _got_from(self) -> Mapping[str, set[str]]:
        return inverted(self._passed_on)

    def held_by(self, name: str, functions: frozenset[str]) -> list[str]:
        """Those of some functions that a variable or parameter may hold."""
        key = name, functions
        if key not in self._held:
            found = reached({name}, steps_of(self._got_from))
            self._held[key] = sorted((found - {name}) & functions)
        return self._held[key]

    def family(self, cls: str) -> frozenset[str]:
        """A class, with all above and below it, by their last names."""
        return frozenset({*self._above(cls), *self.below(cls)})

    def below(self, cls: str) -> frozenset[str]:
        """A class, and those that inherit from it."""
        return frozenset({cls, *(name for name in self.classes if cls in self._above(name))})

    def _above(self, cls: str) -> frozenset[str]:
        return reached({cls}, steps_of(self.classes))

    def meant(self, named: Named, around: Known) -> Iterable[Known]:
        """What a name in a routine means."""
        if named.is_of_base:
            return self._of_bases(named, around)
        found = self.by_name.get(named.name, [])
        if not found and named.name in self.classes:
            return self._constructors_above(named.name)
        if not named.owner:
            return [known for known in found if not known.routine.cls or last(known.routine.name) in (*MAKING, _CALL)]
        if named.owner == around.routine.own:
            family = self.family(last(around.routine.cls))
            return [known for known in found if last(known.routine.cls) in family or not known.routine.cls]
        return found

    def _of_bases(self, named: Named, around: Known) -> Iterator[Known]:
        above = self._above(last(around.routine.cls)) - {last(around.routine.cls)}
        found = (known for cls in sorted(above) for known in self._methods.get(cls, ()))
        return (known for known in found if last(known.routine.name) == named.name)

    @cached_property
    def _methods(self) -> Mapping[str, list[Known]]:
        """The methods of the classes of a name."""
        found = defaultdict[str, list[Known]](list)
        for known in self.all:
            if known.routine.cls:
                found[last(known.routine.cls)].append(known)
        return found

    def _constructors_above(self, cls: str) -> list[Known]:
        """Those that make objects of a class that has none of its own."""
        own = (known for name in sorted(self._above(cls)) for known in self._methods.get(name, ()))
        return [known for known in own if last(known.routine.name) in MAKING]


def _parameter(key: str, routine: Routine) -> Iterator[str]:
    """The parameter that gets an argument, by its position or name."""
    if not key.isdigit():
        yield from (name for name in routine.parameters if name == key)
        return
    index = int(key) + bool(routine.cls)
    yield from routine.parameters[index : index + 1]
