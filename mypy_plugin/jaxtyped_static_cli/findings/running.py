"""How often a whole program runs its functions: it says who calls what, for the rule in `reach/repetition`."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from jaxtyped_static_mypy.knowledge import naming
from jaxtyped_static_mypy.knowledge.full_names import PARTIAL
from jaxtyped_static_mypy.libraries import known_function
from jaxtyped_static_mypy.reach import program, repetition
from jaxtyped_static_mypy.reach.eager import eager_runs_by_users, eager_runs_of
from jaxtyped_static_mypy.reach.program import Cause, Runs, Uses

from .functions import PROPERTIES
from .methods import ProgramMethods
from .own_programs import OwnPrograms
from .places import Place, last_name
from .switches import Asked, Switches
from .training import Training

_REGISTERING_NOTHING: Final = PROPERTIES | {"abstractmethod", "classmethod", "override", "staticmethod"}

Running: TypeAlias = program.Running[str, Place]


@dataclass(frozen=True, eq=False)
class ProgramRuns(ProgramMethods):
    """How often the functions of a program run."""

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

    def eager_by_users(self, function: str, *, is_batch_run: bool, is_looped: bool) -> Running | None:
        """How users of the library run a function outside of jit, as what calls it shows them."""
        return eager_runs_by_users(function, self, is_batch_run=is_batch_run, is_looped=is_looped)

    def at(self, place: Place) -> Running:
        return repetition.running_at(place, self)

    def makes_anew(self, place: Place) -> bool:
        """Whether the program makes one object after the other at a place, for one purpose or of the same values."""
        return repetition.makes_anew(place, self, is_the_same=place.use.takes_constants, are_users_counted=False)

    def drops(self, place: Place) -> bool:
        """Whether a loop makes an object at a place, again and again, only calls methods of it there, and drops it."""
        running = self.at(place)
        is_looped = running.is_again and running.cause is Cause.LOOP
        return place.use.is_dropped and is_looped and not any(map(self.are_experiments, running.places))

    def makes(self, cls: str) -> list[Place]:
        """The calls of a class."""
        return [place for place in self._places.of(cls) if place.use.is_call]

    def makes_once(self, cls: str, *, also_in_tests: bool = False) -> bool:
        """Whether the program makes objects of a class, or of those that inherit from it, but none again and again."""
        runs = [self.at(place).runs for place in self._places.constructions(cls) if place.use.is_call]
        return (Runs.ONCE in runs or (also_in_tests and bool(runs))) and Runs.AGAIN not in runs

    def class_meant(self, text: str) -> str | None:
        """Of which class the object is that a text of `several` stands for; None if the program does not show it."""
        return self._places.class_meant(text)

    def makes_again(self, cls: str) -> bool:
        """Whether the program makes one object of a class, or of those that inherit from it, after the other."""
        made = (place for place in self._places.constructions(cls) if place.use.is_call)
        return any(self.at(place).runs is Runs.AGAIN for place in made)

    def is_unused(self, function: str) -> bool:
        """Whether the program has no place that uses a function, or may use it."""
        return self.uses(function) == Uses([], [], [])

    def is_left_to_users(self, function: str) -> bool:
        """Whether nothing in the program uses a function, or only tests hand it on, or use what a package offers.

        What examples call is left to users, too.
        """
        calls, handed_on, compiled, is_open, perhaps = self.uses(function)
        called = [place for place in (*calls, *compiled, *perhaps) if not self.is_example(place, function)]
        if is_open or (called and not (self.is_offered(function) or self.is_shown(function))):
            return False
        return all(self.runs_itself(place) is Runs.IN_TESTS for place in (*called, *handed_on))

    def is_shown(self, function: str) -> bool:
        """Whether examples use a function."""
        return any(self.is_example(place, function) for place in self.uses(function).calls)

    def is_traced_around(self, function: str) -> bool:
        """Whether the program only runs the code around a jit call in a trace.

        A function that the call decorates is part of it, as the source has it; the code around it is what counts.
        """
        while (facts := self._facts(function)) is not None and any(map(naming.compiles, self._decorators(facts))):
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

    def is_in_interface(self, module: str, name: str) -> bool:
        return self._places.is_in_interface(module, name)

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
        if not uses.calls or not uses.is_only_called:
            return False
        around = [self.function_around(call) for call in uses.calls if not self.is_in_set_up(call)]
        return all(outer is not None and self.is_part_of_set_up(outer) for outer in around)

    def is_part_of_making(self, method: str) -> bool:
        """Whether all calls of a method, but for those in tests, stand where its object has just been made."""
        uses = self.uses(method)
        calls = [place for place in uses.calls if self.runs_itself(place) is not Runs.IN_TESTS]
        return uses.is_only_called and bool(calls) and all(place.use.is_building for place in calls)

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
        (module, inner), facts = self._split(function), self._facts(function)
        if facts is None or self._is_called_unseen(function):
            return Runs.AGAIN
        if not facts.cls and module in self._places.scripts:
            return Runs.NEVER
        return Runs.AGAIN if self._places.is_exported(module, inner.partition(".")[0]) else Runs.ONCE

    def has_users(self, function: str) -> bool:
        module, _ = self._split(function)
        return self.is_imported_by_users(module) or self._is_called_unseen(function)

    def _is_called_unseen(self, function: str) -> bool:
        """Whether a decorator may register a function somewhere, or a base that is not seen may call a method."""
        (module, _), facts = self._split(function), self._facts(function)
        if facts is None or (facts.cls and self._has_unseen_base(f"{module}.{facts.cls}")):
            return True
        return not all(last_name(decorator) in _REGISTERING_NOTHING for decorator in facts.decorators)

    def is_offered(self, function: str) -> bool:
        """Whether a package offers a function to its users.

        So it does with a public method if it offers the class, or makes objects of it that users get.
        """
        (module, inner), facts = self._split(function), self._facts(function)
        if facts is None or not facts.cls:
            return facts is not None and self._places.is_offered(module, inner)
        if naming.is_special(last_name(function)) or not self.is_for_users(function, of_package=False):
            return False
        made = (place for place in self._places.constructions(f"{module}.{facts.cls}") if place.use.is_call)
        return self._places.is_offered(module, facts.cls) or any(map(self.is_of_library, made))

    def is_example(self, place: Place, function: str) -> bool:
        module, inner = self._split(function)
        is_shown = place.module in self.examples and module not in self.examples
        return is_shown and not any(map(naming.is_private, inner.split(".")))

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

    def makes_other_code(self, place: Place) -> bool:
        return place.use.makes_other_code

    def is_made_for_others(self, place: Place) -> bool:
        return place.use.is_made_for_others

    def is_apart(self, place: Place) -> bool:
        return place.use.is_apart

    def needs_own_programs(self, place: Place, callee: str) -> bool:
        return self._own_programs.are_needed(place, callee)

    def compiles_anyway(self, place: Place) -> bool:
        return place.use.compiles_anyway

    def place_returned(self, place: Place) -> int | None:
        return place.use.returned

    def places_called_once(self, place: Place) -> tuple[int, ...]:
        return place.use.called_once

    def is_listed(self, place: Place) -> bool:
        return place.use.is_listed

    def are_experiments(self, place: Place) -> bool:
        return place.use.are_experiments

    def trains(self, function: str) -> bool:
        return self._training.trains(function)

    def is_batched(self, place: Place) -> bool:
        return place.use.is_batched

    def is_staged(self, place: Place) -> bool:
        return place.use.is_staged

    def is_for_users(self, function: str, *, of_package: bool) -> bool:
        module, inner = self._split(function)
        facts, parts = self._facts(function), inner.split(".")
        is_nested = facts is None or len(parts) > 1 + bool(facts.cls)
        if is_nested or any(map(naming.is_private, parts)) or not self.is_imported_by_users(module):
            return False
        is_hidden = of_package or any(map(naming.is_private, module.split(".")))
        return not is_hidden or self.is_in_interface(module, parts[0])

    def is_of_library(self, place: Place) -> bool:
        return self.is_imported_by_users(place.module) and not self.is_run_alone(place.module)

    def is_alias(self, place: Place) -> bool:
        return place.use.is_alias and not place.use.where

    def is_in_plain_test(self, place: Place) -> bool:
        return not place.use.is_traced and naming.is_test(last_name(place.use.where))

    def is_of_host(self, function: str) -> bool:
        facts = self._facts(function)
        return facts is not None and facts.is_of_host

    @cached_property
    def switches(self) -> Switches:
        def is_in_test(place: Place) -> bool:
            return self._is_in_test(place.module, place.use.where)

        return Switches(Asked(self._facts, self.uses_and_likely, is_in_test, self._is_inherited))

    @cached_property
    def _own_programs(self) -> OwnPrograms:
        return OwnPrograms(self._places, self._facts)

    @cached_property
    def _training(self) -> Training:
        return Training(self.program, self._places, self._methods)


def _only_transforms(decorator: str) -> bool:
    """Whether a decorator compiles or transforms a function, perhaps by a partial, and registers it nowhere."""
    return naming.compiles(decorator) or decorator == PARTIAL or known_function(decorator).calls is not None
