"""Which code a program runs outside of jit, as far as it shows, and which of that again and again.

Code that nothing in a program traces may still be traced by those who use it. So only what the program itself runs
counts: the code of its modules, `main`, what nobody can trace, and what these call, one function after the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, Protocol

from ..knowledge import naming
from .program import Cause, Defined, FunctionT, PlaceT, Program, Running, Runs, Uses, shown_best
from .repetition import is_whole_run, repeated_at, running_of, with_callee

_MOST_SHOWN: Final = 2  # places: many examples call the same
_FEWEST_TESTED: Final = 2  # calls in tests: a single one may be of what users call once


class EagerProgram(Program[FunctionT, PlaceT], Protocol[FunctionT, PlaceT]):
    """What is asked of a program here, too."""

    def is_staged(self, place: PlaceT) -> bool:
        """Whether what calls the function at a place traces it: `jax.checkpoint(f)(x)`."""

    def is_batched(self, place: PlaceT) -> bool:
        """Whether what calls the function at a place gives it one item of a batch: `jax.vmap(f)(xs)`."""

    def is_of_host(self, function: FunctionT) -> bool:
        """Whether a function does what nobody traces."""

    def certain_uses(self, function: FunctionT) -> Uses[PlaceT]:
        """The calls that mean this function for sure, and all other uses that may mean it."""


class LibraryProgram(EagerProgram[FunctionT, PlaceT], Protocol[FunctionT, PlaceT]):
    """What is asked of a whole program, which may be a library."""

    def is_for_users(self, function: FunctionT, *, of_package: bool) -> bool:
        """Whether users of a library may call a function. `of_package`: whether a package has to offer it to them."""

    def is_of_library(self, place: PlaceT) -> bool:
        """Whether code stands in a module of a library, which others import."""

    def is_alias(self, place: PlaceT) -> bool:
        """Whether a module only gives a function another name at a place."""

    def is_in_plain_test(self, place: PlaceT) -> bool:
        """Whether code stands in a test itself, and not in a function that the test may hand to JAX."""


def eager_at(
    place: PlaceT, program: EagerProgram[FunctionT, PlaceT], *, is_batch_run: bool = True
) -> Running[FunctionT, PlaceT] | None:
    """How often a program runs the code at a place outside of jit; None if it does not show that it does.

    `is_batch_run`: whether that counts which runs for one item of a batch.
    """
    return _Walk(program, is_batch_run).at(place)


def eager_runs_of(
    function: FunctionT, program: EagerProgram[FunctionT, PlaceT], *, is_batch_run: bool = True
) -> Running[FunctionT, PlaceT] | None:
    """The same of a function."""
    return _Walk(program, is_batch_run).of(function)


def eager_runs_by_users(
    function: FunctionT, program: LibraryProgram[FunctionT, PlaceT], *, is_batch_run: bool, is_looped: bool
) -> Running[FunctionT, PlaceT] | None:
    """How users of a library run a function outside of jit, as code shows them that calls it there; None if none does.

    Examples, or the import of the library, run it so. What tests alone run is potential: a test runs outside of jit
    what users mostly compile as a part of something else. `is_looped`: a loop of the function itself compiles again,
    also in a single run, so that one test is enough, and no package has to offer the function. Else it takes several
    tests, of what the library itself does not call, and what does not take long anyway, by its name.

    What no code calls but users, who may trace it, is potential, too, unless it does what nobody traces.
    """
    return _Users(program, _Walk(program, is_batch_run), is_looped).of(function, is_eager=False)


@dataclass(eq=False)
class _Users(Generic[FunctionT, PlaceT]):
    """One walk from callee to callers, which ends at a function that users call."""

    program: LibraryProgram[FunctionT, PlaceT]
    walk: "_Walk[FunctionT, PlaceT]"
    is_looped: bool
    seen: set[FunctionT] = field(default_factory=set)

    def of(self, function: FunctionT, *, is_eager: bool) -> Running[FunctionT, PlaceT] | None:
        """`is_eager`: whether what it calls does what nobody traces."""
        program = self.program
        defined = program.defined(function)
        if function in self.seen or defined is None or not self.walk.may_be_eager(defined):
            return None
        self.seen.add(function)
        uses, is_eager = program.certain_uses(function), is_eager or self.walk.is_of_host(function)
        is_of_runs = defined.is_beginning or defined.is_whole_run or is_whole_run(function, program)
        if is_of_runs or not all(map(self._is_tested, uses.compiled)):
            return None
        if handed_on := self._handed_on(uses):
            return self._kept(function, defined, uses, handed_on)
        tested: list[PlaceT] = []
        is_as_called = not (uses.handed_on or uses.compiled)
        if is_as_called and program.is_for_users(function, of_package=not self.is_looped):
            if shown := [call for call in uses.calls if self._is_shown(call, function)]:
                return Running(Runs.AGAIN, Cause.SHOWN, tuple(shown[:_MOST_SHOWN]), function)
            tested = self._tested(function, defined, uses)
        around = (program.function_around(call) for call in uses.calls if self._passes(call))
        outers = (self.of(outer, is_eager=is_eager) for outer in around if outer is not None)
        found = [running for running in outers if running is not None]
        if tested:
            found.append(Running(Runs.AGAIN, Cause.TESTED, tuple(tested[:_MOST_SHOWN]), function))
        best = min(found, key=lambda running: running.is_potential, default=None)
        return best or self._left_to_users(function, defined, uses, is_eager=is_eager)

    def _handed_on(self, uses: Uses[PlaceT]) -> list[PlaceT]:
        """The places that hand a function to somebody, besides tests: those that only rename it hand it to nobody."""
        return [place for place in uses.handed_on if not (self._is_tested(place) or self.program.is_alias(place))]

    def _kept(
        self, function: FunctionT, defined: Defined, uses: Uses[PlaceT], places: Sequence[PlaceT]
    ) -> Running[FunctionT, PlaceT] | None:
        """How often a function runs that a library hands on, as in a partial or dict: users may call it there, too.

        Not one that a module may replace by another: `step = wrapped(step)`.
        """
        if not self._is_for_users(function, defined, uses):
            return None
        program = self.program
        are_kept = all(program.function_around(place) is not None or program.is_listed(place) for place in places)
        is_traced = any(program.runs_itself(place) is Runs.TRACED for place in places)
        if is_traced or not are_kept:
            return None
        return Running(Runs.AGAIN, Cause.OFFERED, tuple(places[:_MOST_SHOWN]), function)

    def _left_to_users(
        self, function: FunctionT, defined: Defined, uses: Uses[PlaceT], *, is_eager: bool
    ) -> Running[FunctionT, PlaceT] | None:
        """How often a function runs that nothing in a library but its tests and examples calls; None if others do."""
        program = self.program
        if handed_on := self._handed_on(program.uses(function)):
            return self._kept(function, defined, uses, handed_on)
        calls = (*uses.calls, *uses.perhaps)
        is_called = not all(self._is_tested(call) or program.is_example(call, function) for call in calls)
        if is_called or not self._is_for_users(function, defined, uses):
            return None
        is_certain = is_eager and program.is_for_users(function, of_package=True)
        return Running(Runs.AGAIN, Cause.INTERFACE if is_certain else Cause.OFFERED, (), function)

    def _is_for_users(self, function: FunctionT, defined: Defined, uses: Uses[PlaceT]) -> bool:
        """Whether users may call a function. What overrides a method of a base may be called by that, in a trace."""
        return not (uses.is_open or defined.is_overriding) and self.program.is_for_users(function, of_package=False)

    def _is_tested(self, place: PlaceT) -> bool:
        return self.program.runs_itself(place) is Runs.IN_TESTS

    def _tested(self, function: FunctionT, defined: Defined, uses: Uses[PlaceT]) -> list[PlaceT]:
        """The calls in tests, if these show how users call a function: nothing else says what they do."""
        of_tests = [call for call in uses.calls if self.program.runs_itself(call) is Runs.IN_TESTS]
        tested = [call for call in of_tests if self._passes(call) and self.program.is_in_plain_test(call)]
        if self.is_looped:
            return tested
        if len(tested) < _FEWEST_TESTED or naming.takes_long(defined.name):
            return []
        others = [call for call in uses.calls if call not in of_tests]
        are_of_users = all(self.program.is_example(call, function) or not self._is_inner(call) for call in others)
        return tested if are_of_users else []

    def _is_inner(self, call: PlaceT) -> bool:
        """Whether code of the library calls it, which may be traced further out."""
        return self.program.function_around(call) is not None and self.program.is_of_library(call)

    def _is_shown(self, call: PlaceT, function: FunctionT) -> bool:
        program = self.program
        if program.runs_itself(call) is Runs.IN_TESTS or program.is_in_set_up(call):
            return False
        if not (program.is_example(call, function) or self._is_imported(call, set())):
            return False
        found = self.walk.at(call, function)
        return found is not None and found.cause is not Cause.RUNS

    def _is_imported(self, call: PlaceT, seen: set[FunctionT]) -> bool:
        """Whether a library runs the code at a call when it is imported, and not a program that a package has.

        What it sets up then, by the name of the function, it sets up once.
        """
        program = self.program
        function = program.function_around(call)
        if program.is_in_set_up(call):
            return False
        if function is None or function in seen:
            return function is None and program.is_of_library(call)
        seen.add(function)
        return any(self._is_imported(outer, seen) for outer in program.certain_uses(function).calls)

    def _passes(self, call: PlaceT) -> bool:
        """Whether a call runs its function outside of a trace if the function around does."""
        program = self.program
        is_traced = program.runs_itself(call) is Runs.TRACED or program.is_staged(call)
        return not is_traced and (self.walk.is_batch_run or not program.is_batched(call))


@dataclass(eq=False)
class _Walk(Generic[FunctionT, PlaceT]):
    """One walk from callee to callers, which ends at code that runs by itself."""

    program: EagerProgram[FunctionT, PlaceT]
    is_batch_run: bool
    known: dict[FunctionT, Running[FunctionT, PlaceT] | None] = field(default_factory=dict)

    def at(self, place: PlaceT, callee: FunctionT | None = None) -> Running[FunctionT, PlaceT] | None:
        """`callee`: the function that the code there calls, if that is what is asked about."""
        itself = self.program.runs_itself(place)
        if (itself is not None and itself is not Runs.AGAIN) or self.program.is_staged(place):
            return None
        if not self.is_batch_run and self.program.is_batched(place):
            return None
        function = self.program.function_around(place)
        around = self.of(function) if function is not None else Running[FunctionT, PlaceT](Runs.ONCE)
        is_set_up = self.program.is_in_named_set_up(place) and self.program.are_experiments(place)
        if around is None or itself is not Runs.AGAIN or is_set_up:
            return around
        return repeated_at(place, around, callee, self.program)

    def of(self, function: FunctionT) -> Running[FunctionT, PlaceT] | None:
        if function not in self.known:
            self.known[function] = None  # a call of itself shows nothing
            self.known[function] = self._of(function)
        return self.known[function]

    def _of(self, function: FunctionT) -> Running[FunctionT, PlaceT] | None:
        defined = self.program.defined(function)
        if defined is not None and defined.is_handler:
            return Running(Runs.AGAIN, Cause.REQUESTS)
        if defined is None or not self.may_be_eager(defined):
            return None
        uses = self.program.certain_uses(function)
        if uses.handed_on or uses.compiled or uses.is_open:
            return None
        found = [(call, running) for call in uses.calls if (running := self.at(call, function)) is not None]
        counted = self._counted(function, defined, [(call, running) for call, running in found if running.is_again])
        if counted:
            return shown_best([with_callee(function, *found) for found in counted], self.program)
        shown = tuple(call for call, _ in found[:1])
        is_start = defined.runs is Runs.ONCE or self.is_of_host(function)
        cause = Cause.RUNS if any(running.cause is Cause.RUNS for _, running in found) else None
        return Running(Runs.ONCE, cause, shown, function) if shown or is_start else None

    def may_be_eager(self, defined: Defined) -> bool:
        """Whether the decorators of a function leave it to the callers whether they run it as is asked."""
        return defined.keeps_eager and (self.is_batch_run or not defined.is_batched)

    def _counted(
        self, function: FunctionT, defined: Defined, again: list[tuple[PlaceT, Running[FunctionT, PlaceT]]]
    ) -> list[tuple[PlaceT, Running[FunctionT, PlaceT]]]:
        """Those of the calls that run again which run the function again and again, too: none of each of several runs.

        What sets up, or is a whole run by its name, does so where a loop itself calls it, and is no part of an
        experiment. A server's requests are no experiments: the name says nothing against them.
        """
        if defined.is_constructor:
            return again if running_of(function, self.program).is_again else []
        if not (defined.is_beginning or defined.is_whole_run):
            return again
        looped = [call for call, _ in again if self.program.runs_itself(call) is Runs.AGAIN]
        counted = {call for call in looped if not self.program.are_experiments(call)}
        return [found for found in again if found[0] in counted or found[1].cause is Cause.REQUESTS]

    def is_of_host(self, function: FunctionT) -> bool:
        """Whether a function does what nobody traces: not one that only runs while something else is traced."""
        return self.program.is_of_host(function) and running_of(function, self.program).runs is not Runs.TRACED
