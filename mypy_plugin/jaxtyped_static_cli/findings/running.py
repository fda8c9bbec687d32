"""How often a whole program runs its functions: it says who calls what, for the rule in `reach/repetition`."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, TypeAlias

from jaxtyped_static_mypy.facts.method_facts import MAKING
from jaxtyped_static_mypy.facts.objects.resolving import KnownModules
from jaxtyped_static_mypy.facts.objects.uses import Function, ModuleUses
from jaxtyped_static_mypy.knowledge import naming
from jaxtyped_static_mypy.knowledge.full_names import PARTIAL
from jaxtyped_static_mypy.libraries import known_function
from jaxtyped_static_mypy.reach import program, repetition
from jaxtyped_static_mypy.reach.eager import eager_runs_of
from jaxtyped_static_mypy.reach.program import Defined, Runs, Uses

from .places import Place, UsedPlaces, last_name
from .switches import Asked, Switches
from .training import Training

_PROPERTIES: Final = frozenset({"property", "cached_property"})
_REGISTERING_NOTHING: Final = _PROPERTIES | {"abstractmethod", "classmethod", "override", "staticmethod"}
_CALLING_NOTHING: Final = frozenset({"ABC", "Generic", "object"})  # bases

Running: TypeAlias = program.Running[str, Place]


@dataclass(frozen=True, eq=False)
class ProgramRuns:
    """The functions of a program, by their full names, with what the modules say of them."""

    program: KnownModules
    modules: tuple[str, ...]
    folders: Mapping[str, Path]  # of modules that are in no package, and not where a project has its library
    tests: frozenset[str]  # modules of tests, by their paths

    def of(self, function: str) -> Running | None:
        """How often the program runs a function, and why; None if it does not know it."""
        if self._facts(function) is None:
            return None
        if self._is_in_test(*self._split(function)):
            return program.Running(Runs.IN_TESTS, is_certain=True)
        return repetition.running_of(function, self)

    def eager(self, function: str, *, is_batch_run: bool = True) -> Running | None:
        """How often the program runs a function outside of jit; None if it does not show that it does.

        `is_batch_run`: whether that counts which runs for one item of a batch.
        """
        return eager_runs_of(function, self, is_batch_run=is_batch_run)

    def at(self, place: Place) -> Running:
        return repetition.running_at(place, self)

    def makes_anew(self, place: Place) -> bool:
        """Whether the program makes one object after the other at a place, for one purpose or of the same values."""
        return repetition.makes_anew(place, self, is_the_same=place.use.takes_constants, are_users_counted=False)

    def makes(self, cls: str) -> list[Place]:
        """The calls of a class."""
        return [place for place in self._places.of(cls) if place.use.is_call]

    def makes_once(self, cls: str) -> bool:
        """Whether the program makes objects of a class, or of those that inherit from it, but none again and again."""
        calls = [place for place in self._places.constructions(cls) if place.use.is_call]
        runs = [self.at(place).runs for place in calls]
        return Runs.ONCE in runs and Runs.AGAIN not in runs

    def is_unused(self, function: str) -> bool:
        """Whether the program has no place that uses a function, or may use it."""
        return self.uses(function) == Uses([], [], [])

    def is_left_to_users(self, function: str) -> bool:
        """Whether nothing in the program uses a function, or only tests hand it on, or use what a package offers."""
        calls, handed_on, compiled, is_open, perhaps = self.uses(function)
        called = (*calls, *compiled, *perhaps)
        if is_open or (called and not self.is_offered(function)):
            return False
        return all(self.runs_itself(place) is Runs.IN_TESTS for place in (*called, *handed_on))

    def is_traced_around(self, function: str) -> bool:
        """Whether the program only runs the code around a jit call in a trace.

        A function that the call decorates is part of it, as the source has it; the code around it is what counts.
        """
        while (facts := self._facts(function)) is not None and any(map(naming.compiles, facts.decorators)):
            function = function.rpartition(".")[0]
        running = self.of(function)
        return running is not None and running.runs is Runs.TRACED

    def is_dead(self, function: str) -> bool:
        """Whether nothing runs a function: only its program could, and does not, or only where nothing runs."""
        if function not in self._dead:
            self._dead[function] = False  # while its callers are asked: functions that call each other may run
            self._dead[function] = self._is_dead(function)
        return self._dead[function]

    @cached_property
    def _dead(self) -> dict[str, bool]:
        return {}

    def _is_dead(self, function: str) -> bool:
        (module, inner), facts = self._split(function), self._facts(function)
        if facts is None or facts.cls or "." in inner or not all(map(_only_transforms, facts.decorators)):
            return False
        running = self.of(function)
        if running is not None and running.runs is Runs.NEVER:
            return True
        is_of_scripts = module in self._places.scripts or self._places.is_beside_scripts(module)
        if not (naming.is_private(inner) or is_of_scripts) or self._places.is_imported(module, inner):
            return False
        around = [f"{place.module}.{place.use.where.partition('.')[0]}" for place in self._places.of(function)]
        return all(map(self.is_dead, around))

    def is_dead_method(self, method: str, *, starts: bool) -> bool:
        """Whether nothing runs a method of a name that no code uses: its class is in a program that nobody imports.

        `starts`: whether its module begins to work by itself when it runs.
        """
        facts, defined = self._facts(method), self.defined(method)
        module, _ = self._split(method)
        if facts is None or defined is None or not facts.cls or facts.decorators or defined.is_overriding:
            return False
        if naming.is_special(defined.name) or self._has_unseen_base(f"{module}.{facts.cls}"):
            return False
        is_of_scripts = module in self._places.scripts or self._places.is_beside_scripts(module)
        return is_of_scripts or (starts and self.is_run_alone(module))

    def offers(self, module: str, name: str) -> bool:
        """Whether a package offers its users what a module of it defines."""
        return self._places.is_offered(module, name)

    def is_run_alone(self, module: str) -> bool:
        """Whether no other module imports one."""
        return self._places.is_of_program(module, "")

    def is_part_of_set_up(self, function: str) -> bool:
        """Whether only code calls a function, for all that the program shows, that sets something up by its name.

        Those that a base calls are, too, if it does so on its own object.
        """
        known = self._parts_of_set_up
        if function not in known:
            known[function] = False  # while its callers are asked: functions that call each other are none
            known[function] = self._is_called_by_set_up(function)
        return known[function]

    @cached_property
    def _parts_of_set_up(self) -> dict[str, bool]:
        return {}

    def _is_called_by_set_up(self, function: str) -> bool:
        if not naming.is_private(last_name(function)):
            return False
        uses = self.uses(function)
        if not uses.calls or uses.handed_on or uses.compiled or uses.is_open or uses.perhaps:
            return False
        around = [self.function_around(call) for call in uses.calls if not self.is_in_set_up(call)]
        return all(outer is not None and self.is_part_of_set_up(outer) for outer in around)

    # What the rule asks

    def runs_itself(self, place: Place) -> Runs | None:
        if self._is_in_test(place.module, place.use.where):
            return Runs.IN_TESTS
        if self.switches.is_off(place):
            return Runs.NEVER
        if place.use.is_traced:
            return Runs.TRACED
        if place.use.is_once:
            return Runs.ONCE
        return Runs.AGAIN if place.use.is_repeated else None

    def is_handed_to_host(self, place: Place) -> bool:
        return place.use.is_repeated and not place.use.is_call

    def function_around(self, place: Place) -> str | None:
        return f"{place.module}.{place.use.where}" if place.use.where else None

    def runs_elsewhere(self, function: str) -> Runs:
        """A decorated function may be registered somewhere, and a base that is not seen may call a method."""
        (module, inner), facts = self._split(function), self._facts(function)
        if facts is None or (facts.cls and self._has_unseen_base(f"{module}.{facts.cls}")):
            return Runs.AGAIN
        if not all(last_name(decorator) in _REGISTERING_NOTHING for decorator in facts.decorators):
            return Runs.AGAIN
        if not facts.cls and module in self._places.scripts:
            return Runs.NEVER
        return Runs.AGAIN if self._places.is_exported(module, inner.partition(".")[0]) else Runs.ONCE

    def is_offered(self, function: str) -> bool:
        (module, inner), facts = self._split(function), self._facts(function)
        return facts is not None and not facts.cls and self._places.is_offered(module, inner)

    def program_of(self, place: Place) -> str | None:
        return place.module if self._places.is_of_program(place.module, place.use.where) else None

    def outer(self, function: str) -> str | None:
        module, inner = self._split(function)
        outer = inner.rpartition(".")[0]
        return f"{module}.{outer}" if outer else None

    def is_in_set_up(self, place: Place) -> bool:
        return any(naming.is_set_up(last_name(name)) for name, _ in self._around(place.module, place.use.where))

    def is_in_named_set_up(self, place: Place) -> bool:
        return any(naming.is_named_set_up(last_name(name)) for name, _ in self._around(place.module, place.use.where))

    def ends_with_pass(self, place: Place) -> bool:
        return place.use.ends_with_pass

    def is_apart(self, place: Place) -> bool:
        return place.use.is_apart

    def trains(self, function: str) -> bool:
        return self._training.trains(function)

    def defined(self, function: str) -> Defined | None:
        facts = self._facts(function)
        if facts is None:
            return None
        cls = f"{self._split(function)[0]}.{facts.cls}" if facts.cls else ""
        is_overriding = bool(cls) and any(self._may_define(base, last_name(function)) for base in self._above(cls))
        return Defined(last_name(function), bool(cls), facts.decorators, is_overriding)

    def uses(self, function: str) -> Uses[Place]:
        """The places that use a function; a method also where an object of a base of its class is used."""
        facts, name = self._facts(function), last_name(function)
        if facts is None:
            return Uses()
        if not facts.cls:
            return _sorted(self._places.of(function))
        module, _ = self._split(function)
        cls = f"{module}.{facts.cls}"
        if name in MAKING:
            return _sorted(place for place in self._places.constructions(cls) if place.use.is_call)
        if naming.is_special(name):
            return Uses(is_open=True)
        found = [
            place
            for base in self.program.lineage(cls)
            for place in self._places.of(f"{base}.{name}")
            if not self._is_of_sibling(place, base, cls)
        ]
        is_property = any(last_name(decorator) in _PROPERTIES for decorator in facts.decorators)
        is_open = self._places.is_read_unseen(name, is_property=is_property)
        known = _sorted(found, are_calls=is_property, is_open=is_open)
        named = _sorted(place for place in self._places.by_name(name) if place not in found)
        read, handed_on = (named.handed_on, ()) if is_property else ((), named.handed_on)
        return known._replace(
            compiled=[*known.compiled, *named.compiled],
            handed_on=[*known.handed_on, *handed_on],
            perhaps=(*named.calls, *read),
        )

    def uses_and_likely(self, function: str) -> Uses[Place]:
        """The same, with those of methods of its name that objects have of which no class is seen."""
        facts, found, name = self._facts(function), self.uses(function), last_name(function)
        if facts is None or not facts.cls or naming.is_special(name):
            return found
        more = _sorted(self._places.unresolved(name), is_open=self._places.is_read_uncalled(name))
        return Uses(
            [*found.calls, *found.perhaps, *more.calls],
            [*found.handed_on, *more.handed_on],
            [*found.compiled, *more.compiled],
            more.is_open,
        )

    def is_batched(self, place: Place) -> bool:
        return place.use.is_batched

    def is_staged(self, place: Place) -> bool:
        return place.use.is_staged

    def is_of_host(self, function: str) -> bool:
        facts = self._facts(function)
        return facts is not None and facts.is_of_host

    def certain_uses(self, function: str) -> Uses[Place]:
        """The calls of a method on objects of its class, and those in methods of the bases on `self`.

        None of one that a class below replaces: the objects may be of that. A module that hands a function on may have
        replaced it by a compiled one, as in `step = wrapped(step)`, so its calls are not certain.
        """
        found, facts = self.uses(function), self._facts(function)
        if facts is None or last_name(function) in MAKING:
            return found
        if not facts.cls:
            handing = {place.module for place in found.handed_on}
            calls = [place for place in found.calls if place.module not in handing]
            return found if self._split(function)[0] in handing else found._replace(calls=calls, handed_on=[])
        cls = f"{self._split(function)[0]}.{facts.cls}"
        own, bases = self._places.of(function), set(self.program.lineage(cls))
        calls = [place for place in found.calls if place in own or self._class_around(place) in bases]
        return found._replace(calls=calls, is_open=found.is_open or self._is_replaced(cls, last_name(function)))

    def _class_around(self, place: Place) -> str:
        """The class of the method that a place is in; empty if it is in none."""
        around = [facts.cls for _, facts in self._around(place.module, place.use.where)]
        return f"{place.module}.{around[0]}" if around and around[0] else ""

    def _is_of_sibling(self, place: Place, base: str, cls: str) -> bool:
        """Whether a place is in a class below a base of this one, whose objects are never of this one."""
        around, lineage = self._class_around(place), self.program.lineage(cls)
        return base != cls and around != "" and around not in lineage and base in self.program.lineage(around)

    def _is_replaced(self, cls: str, method: str) -> bool:
        classes = self._defining_classes.get(method, ())
        return any(other != cls and cls in self.program.lineage(other) for other in classes)

    @cached_property
    def _defining_classes(self) -> Mapping[str, list[str]]:
        """The classes that define a method of a name."""
        found: dict[str, list[str]] = {}
        for module in self.modules:
            uses = self.program.find(module)
            for name, facts in uses.functions.items() if uses is not None else ():
                if facts.cls:
                    found.setdefault(last_name(name), []).append(f"{module}.{facts.cls}")
        return found

    @cached_property
    def switches(self) -> Switches:
        return Switches(
            Asked(
                self._facts,
                self.uses_and_likely,
                lambda place: self._is_in_test(place.module, place.use.where),
                self._is_inherited,
            )
        )

    def _is_inherited(self, cls: str) -> bool:
        """Whether a class has others below it, or code hands the class on, which may make objects of it."""
        return cls in self._inherited or any(not place.use.is_call for place in self._places.of(cls))

    @cached_property
    def _inherited(self) -> frozenset[str]:
        """The classes that have others below them."""
        known = ((module, self.program.find(module)) for module in self.modules)
        own = (f"{module}.{name}" for module, uses in known if uses is not None for name in uses.bases)
        return frozenset(base for name in own for base in self.program.lineage(name) if base != name)

    # What the modules say

    @cached_property
    def _places(self) -> UsedPlaces:
        return UsedPlaces(self.program, self.modules, self.folders)

    @cached_property
    def _training(self) -> Training:
        return Training(self.program, self._places, self._methods)

    def _methods(self, name: str) -> list[str]:
        return [f"{cls}.{name}" for cls in self._defining_classes.get(name, ())]

    def _facts(self, function: str) -> Function | None:
        uses, inner = self.program.split(function)
        return uses.functions.get(inner) if uses is not None else None

    def _split(self, function: str) -> tuple[str, str]:
        uses, inner = self.program.split(function)
        return (uses.module if uses is not None else ""), inner

    def _around(self, module: str, where: str) -> Iterator[tuple[str, Function]]:
        """The functions around the code in a function, outermost first, and that function."""
        uses, parts = self.program.find(module), where.split(".")
        names = (".".join(parts[: i + 1]) for i in range(len(parts)))
        for name in names:
            if uses is not None and (facts := uses.functions.get(name)) is not None:
                yield name, facts

    def is_test_module(self, module: str) -> bool:
        return module in self.tests or naming.is_test_module(module)

    def _is_in_test(self, module: str, where: str) -> bool:
        if self.is_test_module(module):
            return True
        return any(
            naming.is_test(last_name(name)) or (facts.cls and self._has_base(f"{module}.{facts.cls}", naming.TEST_CASE))
            for name, facts in self._around(module, where)
        )

    def _has_base(self, cls: str, name: str) -> bool:
        """Whether a class inherits from one with such a name, perhaps of a package that is not seen."""
        return any(last_name(base) == last_name(name) for base in self._above(cls))

    def _above(self, cls: str) -> Iterator[str]:
        """The bases of a class and of those above it, as they are written, also those of packages that are not seen."""
        return (base for above in self.program.lineage(cls) for base in self._places.bases(above))

    def _defining(self, base: str) -> tuple[ModuleUses | None, str]:
        """The module that defines a base, as it is written, and its name there; None if that is not seen."""
        return self.program.split(self.program.definition(base) or base)

    def _has_unseen_base(self, cls: str) -> bool:
        bases = (base for base in self._above(cls) if last_name(base.partition("[")[0]) not in _CALLING_NOTHING)
        return any(self._defining(base)[0] is None for base in bases)

    def _may_define(self, base: str, method: str) -> bool:
        uses, inner = self._defining(base)
        return uses is None or f"{inner}.{method}" in uses.functions


def _only_transforms(decorator: str) -> bool:
    """Whether a decorator compiles or transforms a function, perhaps by a partial, and registers it nowhere."""
    return naming.compiles(decorator) or decorator == PARTIAL or known_function(decorator).calls is not None


def _sorted(places: Iterable[Place], *, are_calls: bool = False, is_open: bool = False) -> Uses[Place]:
    found = sorted(places, key=lambda place: place.order)
    calls = [place for place in found if place.use.is_call or are_calls]
    others = [place for place in found if not (place.use.is_call or are_calls)]
    handed_on = [place for place in others if not place.use.is_compiled]
    return Uses(calls, handed_on, [place for place in others if place.use.is_compiled], is_open)
