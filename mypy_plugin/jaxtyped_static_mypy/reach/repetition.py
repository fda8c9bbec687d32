"""How often a program runs some code, and why: the rule, for one file as for a whole program.

It asks a `Program` who calls a function. The plugin answers for the file being checked, the command for all modules.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Generic

from ..knowledge import naming
from .program import Cause, Defined, FunctionT, PlaceT, Program, Running, Runs, Uses, shown_best


def running_at(
    place: PlaceT, program: Program[FunctionT, PlaceT], callee: FunctionT | None = None
) -> Running[FunctionT, PlaceT]:
    """How often the code at a place runs. `callee`: the function that it calls, if that is what is asked about."""
    return _Walk(program).at(place, callee)


def makes_anew(
    place: PlaceT, program: Program[FunctionT, PlaceT], *, is_the_same: bool, are_users_counted: bool
) -> bool:
    """Whether a program makes one object after the other at a place, for one purpose.

    In a loop around it, unless each pass makes it of other code, or in a property, whose access looks as if it cost
    nothing. Nothing shows that JAX gets what a lambda makes that is handed on for that. What a function makes each time
    it is called, for its own purpose, is mostly different anyway, unless it is made of the same values (`is_the_same`);
    so are the parts that a loop makes to set something up. `are_users_counted`: among those who make the same again.
    """
    found, function = running_at(place, program), program.function_around(place)
    defined = program.defined(function) if function is not None else None
    is_property = defined is not None and defined.is_property
    is_of_maker = found.cause is Cause.HANDED_ON and program.is_made_for_others(place)
    if not found.is_again or (found.is_potential and not is_property) or is_of_maker:
        return False
    is_by_users = found.cause is Cause.INTERFACE
    if is_the_same and (are_users_counted or not is_by_users):
        return True
    if program.is_in_named_set_up(place):
        return False
    is_looped = program.runs_itself(place) is Runs.AGAIN
    if program.is_in_set_up(place):
        is_part = defined is not None and defined.is_constructor and found.function == function
        return (is_looped and program.ends_with_pass(place)) or (is_part and _ends_with_pass(found, program))
    if is_looped:
        is_run_again = function is not None and is_shown_again(running_of(function, program))
        return is_run_again or not program.makes_other_code(place)
    is_read_again = function is not None and len(program.uses(function).calls) > 1
    return is_property and (is_read_again or not is_by_users)


def _ends_with_pass(found: Running[FunctionT, PlaceT], program: Program[FunctionT, PlaceT]) -> bool:
    """Whether a loop makes objects of which it keeps none, each with parts of its own."""
    return found.cause is Cause.LOOP and all(map(program.ends_with_pass, found.places))


def running_of(function: FunctionT, program: Program[FunctionT, PlaceT]) -> Running[FunctionT, PlaceT]:
    """How often a function runs.

    Once if it is `main`, remembers its result, constructs an object that no loop makes, or sets something up, by its
    name, and no loop calls it; or if only one call in such code runs it. A loop further out than the call of what sets
    something up is one over whole runs.
    """
    return _Walk(program).of(function)


def repeated_at(
    place: PlaceT,
    around: Running[FunctionT, PlaceT],
    callee: FunctionT | None,
    program: Program[FunctionT, PlaceT],
) -> Running[FunctionT, PlaceT]:
    """How often code in a loop runs: once in each whole run, if code that runs once makes these one after the other.

    So does what gets more data on each pass, other settings, code or another size, for which JAX compiles anyway.
    `around`: how often the function around the loop runs.
    """
    if program.compiles_anyway(place):
        return Running(Runs.ONCE, Cause.RUNS)
    if callee is not None and not is_shown_again(around) and program.needs_own_programs(place, callee):
        return Running(Runs.ONCE, Cause.RUNS)
    if _is_once(around) and callee is not None and program.is_apart(place) and is_whole_run(callee, program):
        return Running(Runs.ONCE, Cause.RUNS)
    return Running(Runs.AGAIN, Cause.LOOP, (place,))


def is_shown_again(running: Running[FunctionT, PlaceT]) -> bool:
    """Whether a program shows that some code runs again, and does not leave that to its users."""
    return running.is_again and running.cause is not Cause.INTERFACE and not running.is_potential


def is_whole_run(function: FunctionT, program: Program[FunctionT, PlaceT]) -> bool:
    """Whether a function trains a model from the start, by what it does: by its name it is no part of that."""
    defined = program.defined(function)
    return defined is not None and not naming.is_part_of_run(defined.name) and program.trains(function)


def _itself(place: PlaceT, program: Program[FunctionT, PlaceT]) -> Runs | None:
    """How often code runs by its place: a trace unrolls the loops of what is compiled, but not what the host gets."""
    itself = program.runs_itself(place)
    if itself is not Runs.AGAIN or program.is_handed_to_host(place):
        return itself
    function = program.function_around(place)
    defined = program.defined(function) if function is not None else None
    return Runs.TRACED if defined is not None and defined.runs is Runs.TRACED else itself


@dataclass(eq=False)
class _Walk(Generic[FunctionT, PlaceT]):
    """One walk from callee to callers. Functions are asked in the order of the program, so it always ends the same."""

    program: Program[FunctionT, PlaceT]
    known: dict[FunctionT, Running[FunctionT, PlaceT]] = field(default_factory=dict)

    def at(self, place: PlaceT, callee: FunctionT | None = None) -> Running[FunctionT, PlaceT]:
        """`callee`: the function that the code there calls, if that is what is asked about."""
        itself = _itself(place, self.program)
        if itself is not None and itself is not Runs.AGAIN:
            return Running(itself, is_certain=True)
        function = self.program.function_around(place)
        around = self.of(function) if function is not None else Running(Runs.ONCE, is_certain=True)
        is_unrolled = around.runs is Runs.TRACED and not self.program.is_handed_to_host(place)
        if itself is None or is_unrolled or around.runs is Runs.NEVER:
            return around
        return repeated_at(place, around, callee, self.program)

    def of(self, function: FunctionT) -> Running[FunctionT, PlaceT]:
        if function not in self.known:
            self.known[function] = Running(Runs.AGAIN, Cause.RECURSION)  # for one that calls itself
            self.known[function] = self._of(function)
        return self.known[function]

    def _of(self, function: FunctionT) -> Running[FunctionT, PlaceT]:
        defined = self.program.defined(function)
        if defined is None:
            return self._of_lambda(function)
        if defined.runs is not None:
            return Running(defined.runs, is_certain=True)
        if defined.is_handler:
            return Running(Runs.AGAIN, Cause.REQUESTS)
        uses = self.program.uses(function)
        if defined.is_beginning:
            return self._of_beginning(function, uses.calls, defined)
        kinds = {place: self.at(place).runs for place in (*uses.handed_on, *uses.compiled)}
        kinds = {place: runs for place, runs in kinds.items() if runs is not Runs.NEVER}
        in_tests = {place for place in uses.handed_on if kinds.get(place) is Runs.IN_TESTS}  # which show nothing
        kinds = {place: runs for place, runs in kinds.items() if place not in in_tests}
        untraced = [place for place in uses.handed_on if kinds.get(place, Runs.TRACED) is not Runs.TRACED]
        returned = {place: found for place in untraced if (found := self._of_returned(place)) is not None}
        untraced = [place for place in untraced if place not in returned]
        listed = [place for place in untraced if self.program.is_listed(place)]
        if unlisted := [place for place in untraced if place not in listed]:
            is_returned = all(self.program.place_returned(place) is not None for place in unlisted)
            cause = Cause.RETURNED if is_returned else Cause.HANDED_ON
            return Running(Runs.AGAIN, cause, tuple(unlisted), function)
        traced = {
            runs if runs is Runs.IN_TESTS else Runs.TRACED for place, runs in kinds.items() if place not in listed
        }
        if returned and not uses.calls:
            again = [running for running in returned.values() if running.is_again]
            return shown_best(again, self.program) if again else next(iter(returned.values()))
        found = self._of_calls(function, defined, uses, traced)
        if listed and (found.is_potential or found.cause is Cause.INTERFACE or not found.is_again):
            return Running(Runs.AGAIN, Cause.LISTED, tuple(listed), function)
        return found

    def _of_returned(self, place: PlaceT) -> Running[FunctionT, PlaceT] | None:
        """How often a function runs that another one returns, if all callers of that call it once, outside of loops.

        Or if all of them are traced.
        """
        index, maker = self.program.place_returned(place), self.program.function_around(place)
        uses = self.program.uses(maker) if index is not None and maker is not None else Uses[PlaceT]()
        if maker is None or not uses.is_only_called:
            return None
        calls = [call for call in uses.calls if self.program.runs_itself(call) is not Runs.IN_TESTS]
        if calls and all(self.at(call, maker).runs is Runs.TRACED for call in calls):
            return Running(Runs.TRACED)  # what a trace gets, it runs
        if not calls or not all(index in self.program.places_called_once(call) for call in calls):
            return None
        found = [with_callee(maker, call, self.at(call, maker)) for call in calls]
        again = [running for running in found if running.is_again]
        return shown_best(again, self.program) if again else Running(found[0].runs, found[0].cause)

    def _of_calls(
        self, function: FunctionT, defined: Defined, uses: Uses[PlaceT], traced: AbstractSet[Runs]
    ) -> Running[FunctionT, PlaceT]:
        """How often calls run a function. `traced`: how often the code runs that hands it to JAX."""
        calls, perhaps, is_open = uses.calls, uses.perhaps, uses.is_open
        if defined.is_public_method:  # of an object that users of the class have, too
            calls = [call for call in calls if not self.program.is_in_set_up(call) or self._is_kept_code(call)]
        by_name = [(place, found) for place in perhaps if (found := self.at(place, function)).runs is not Runs.NEVER]
        runs_by_name = {found.runs for _, found in by_name}
        once = [place for place, running in by_name if _is_once(running)]
        is_open = is_open or Runs.AGAIN in runs_by_name or (bool(once) and len(calls) + len(by_name) > 1)
        found = self._together(function, calls, traced | runs_by_name, is_open=is_open)
        if found.runs is Runs.ONCE and any(running.cause is Cause.RUNS for _, running in by_name):
            return replace(found, cause=Cause.RUNS)
        if found.cause not in (Cause.INTERFACE, Cause.CALLERS) or found.function != function:
            return found
        if again := [with_callee(function, place, running) for place, running in by_name if running.is_again]:
            return shown_best(again, self.program)
        if once and len(calls) + len(once) > 1:
            return Running(Runs.AGAIN, Cause.CALLERS, (*calls, *once), function)
        return found if found.cause is Cause.CALLERS or defined.is_for_users else Running(Runs.ONCE)

    def _is_kept_code(self, call: PlaceT) -> bool:
        """Whether a call is in a loop of a function that set-up makes and hands on, and does not run itself.

        Without a loop it shows too little: whoever gets the function may trace it. Or the call is in a constructor of
        objects that a loop makes.
        """
        outer = self.program.function_around(call)
        if self._makes_in_loop(outer):
            return True
        is_looped = self.program.runs_itself(call) is Runs.AGAIN
        found = self.of(outer) if outer is not None and is_looped else None
        return found is not None and found.is_again and found.cause is Cause.HANDED_ON and found.function == outer

    def _makes_in_loop(self, function: FunctionT | None) -> bool:
        """Whether a function is the constructor of objects that a loop makes."""
        defined = self.program.defined(function) if function is not None else None
        if function is None or defined is None or not defined.is_constructor:
            return False
        found = self.of(function)
        return found.is_again and found.cause is Cause.LOOP

    def _of_lambda(self, function: FunctionT) -> Running[FunctionT, PlaceT]:
        """One that is made in traced code is called there, too."""
        outer = self.program.outer(function)
        found = self.of(outer) if outer is not None else None
        is_traced = found is not None and found.runs is Runs.TRACED
        return found if found is not None and is_traced else Running(Runs.AGAIN, Cause.HANDED_ON)

    def _together(
        self, function: FunctionT, calls: Iterable[PlaceT], compiled: AbstractSet[Runs], *, is_open: bool
    ) -> Running[FunctionT, PlaceT]:
        """How often code runs that is called from several places: again if from none, or from two besides set-up."""
        found = [(call, running) for call in calls if (running := self.at(call, function)).runs is not Runs.NEVER]
        again = [with_callee(function, call, running) for call, running in found if running.is_again]
        best = shown_best(again, self.program) if again else None
        if best is not None and not best.is_potential:
            return best
        counted = [call for call, running in found if _is_once(running) or running.is_again]
        counted = [call for call in counted if not self.program.is_in_set_up(call)]
        counted = self._of_one_program(counted)
        if len(counted) > 1:
            return Running(Runs.AGAIN, Cause.CALLERS, tuple(counted), function)
        if best is not None:
            return best
        kinds = {running.runs for _, running in found} | compiled
        is_open = is_open or (kinds == {Runs.IN_TESTS} and self.program.is_offered(function))
        is_open = is_open or self._is_only_shown(function, found)
        if kinds and not is_open:
            kind = next(kind for kind in (Runs.ONCE, Runs.TRACED, Runs.IN_TESTS) if kind in kinds)
            is_of_runs = kind is Runs.ONCE and any(running.cause is Cause.RUNS for _, running in found)
            return Running(kind, Cause.RUNS if is_of_runs else None)
        elsewhere = Runs.AGAIN if is_open else self.program.runs_elsewhere(function)
        if elsewhere is not Runs.AGAIN:
            return Running(elsewhere)
        if not is_open and not self.program.has_users(function):
            return Running(Runs.ONCE, Cause.RUNS)  # for all that anybody knows
        return Running(Runs.AGAIN, Cause.INTERFACE, (), function)

    def _is_only_shown(self, function: FunctionT, found: Iterable[tuple[PlaceT, Running[FunctionT, PlaceT]]]) -> bool:
        """Whether only tests and examples call a function that the users of a library may call."""
        called = [call for call, running in found if running.runs is not Runs.IN_TESTS]
        is_shown = bool(called) and all(self.program.is_example(call, function) for call in called)
        return is_shown and self.program.runs_elsewhere(function) is Runs.AGAIN

    def _of_one_program(self, places: Sequence[PlaceT]) -> list[PlaceT]:
        """The places that one program runs, of the program that runs most: each compiles for itself."""
        programs = {place: self.program.program_of(place) for place in places}
        counts = Counter(program for program in programs.values() if program is not None)
        most = counts.most_common(1)[0][0] if counts else None
        return [place for place in places if programs[place] in (None, most)]

    def _of_beginning(
        self, function: FunctionT, calls: Iterable[PlaceT], defined: Defined
    ) -> Running[FunctionT, PlaceT]:
        """How often a function runs that makes an object or sets something up: again if each step of a run does it.

        What only makes functions says so by what it does, not by its name: users may call it for each of many.
        """
        is_named = defined.is_constructor or naming.is_set_up(defined.name)
        further = None if is_named else Running[FunctionT, PlaceT](Runs.ONCE, Cause.RUNS)
        in_steps: Running[FunctionT, PlaceT] | None = None
        for found in self._loops(function, calls, {function}):
            called = self.program.defined(found.function) if found.function is not None else None
            if found.cause is Cause.REQUESTS:
                return found
            if defined.is_constructor or (called is not None and called.is_beginning):
                return found
            if called is not None and naming.is_part_of_run(called.name):
                in_steps = in_steps or found
            further = Running[FunctionT, PlaceT](Runs.ONCE, Cause.RUNS)
        return in_steps or further or Running(Runs.ONCE)

    def _loops(
        self, function: FunctionT, calls: Iterable[PlaceT], seen: set[FunctionT]
    ) -> Iterator[Running[FunctionT, PlaceT]]:
        """The loops that run one of these calls, and a server's requests, also through calls of the function around it.

        What a whole run sets up first, it sets up once, although a loop tries several runs.
        """
        for call in calls:
            itself = self.program.runs_itself(call)
            if itself is Runs.AGAIN and self.at(call, function).cause is not Cause.RUNS:
                yield Running(itself, Cause.LOOP, (call,), function)
            outer = self.program.function_around(call) if itself is None else None
            defined = self.program.defined(outer) if outer is not None else None
            if defined is not None and defined.is_handler:
                yield Running(Runs.AGAIN, Cause.REQUESTS, (call,), function)
            elif outer is not None and outer not in seen and not (defined is not None and defined.is_whole_run):
                seen.add(outer)
                uses = self.program.uses(outer)
                yield from self._loops(outer, () if uses.handed_on else uses.calls, seen)


def _is_once(running: Running[FunctionT, PlaceT]) -> bool:
    """Whether code runs once in all, and not once in each whole run."""
    return running.runs is Runs.ONCE and running.cause is not Cause.RUNS


def with_callee(function: FunctionT, call: PlaceT, running: Running[FunctionT, PlaceT]) -> Running[FunctionT, PlaceT]:
    """Why a function runs again that is called at a place which does: the place names what it calls."""
    if running.function is None:
        return replace(running, places=running.places or (call,), function=function)
    return running
