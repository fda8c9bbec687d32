"""What a replay is asked about an object of which JAX compiles something."""

from collections.abc import Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from jaxtyped_static_mypy.facts.method_facts import MAKING
from jaxtyped_static_mypy.facts.objects.uses import Change
from jaxtyped_static_mypy.knowledge import naming

from .names import Known, Names
from .replay import Asked, Place
from .steps import Assigned, Guarded, Loop, Set, Step, flat, last

_EQUAL: Final = "__eq__"


class Compiled(NamedTuple):
    """What JAX compiles for an object."""

    cls: str  # of the object, by its full name
    function: str
    keys: tuple[str, ...]  # other static parameters, as `1:key`


@dataclass(frozen=True, eq=False)
class Asking:
    """What leads to changes of the objects of one class, and to what JAX compiles for them."""

    names: Names
    compiled: Compiled
    lineage: tuple[str, ...]  # of the class
    changes: tuple[tuple[str, Change], ...]  # those that count
    others: tuple[tuple[str, Change], ...]  # those of attributes that compiled code does not read

    @cached_property
    def asked(self) -> Asked:
        makes = self.names.below(last(self.compiled.cls))
        changes = {(module, change.line, change.attribute) for module, change in (*self.changes, *self.others)}
        changing = self._leading(changes, frozenset())
        read = {change.attribute for _, change in self.changes}
        keys = dict(key.split(":", 1) for key in self.compiled.keys)
        traced = [known for known in self.traced if known.name in changing]
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
    def traced(self) -> list[Known]:
        return list(self.names.by_name.get(self.compiled.function, ()))

    @cached_property
    def _running(self) -> frozenset[str]:
        """The names that run what JAX compiled: those of a decorated function, or of what `jit` returns for it."""
        function = self.compiled.function
        found = {one.target for one in self.names.assigned if function in one.compiled}
        decorators = (name for known in self.traced for name in known.routine.decorators)
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
            if known.routine.name and places_of(known) & wanted:
                found |= known_names[known]
        pending = list(known_names)
        while True:
            held = self.names.holders(found)
            leading = [known for known in pending if uses(known, found) or not held.isdisjoint(known.routine.called)]
            more = {name for known in leading for name in known_names[known]} - found
            if not more:
                return frozenset(found)
            found |= more
            done = set(leading)
            pending = [known for known in pending if known not in done]

    def leads_anywhere(self, known: Known) -> bool:
        return uses(known, self.asked.relevant) or bool(places_of(known) & set(self.asked.changes))

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


def uses(known: Known, names: AbstractSet[str]) -> bool:
    return not known.routine.named.isdisjoint(names)


def places_of(known: Known) -> frozenset[Place]:
    """The attributes that a routine sets, and where."""
    return frozenset(
        (known.module, step.line, step.name) for step in flat(known.routine.steps) if isinstance(step, Set)
    )


def _filled(steps: tuple[Step, ...]) -> Iterator[str]:
    """The attributes that are set where they have no value."""
    for step in steps:
        if isinstance(step, Guarded):
            yield from (inner.name for inner in flat(step.steps) if isinstance(inner, Set))
        elif isinstance(step, Loop):
            yield from _filled(step.steps)
