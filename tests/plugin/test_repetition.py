"""The rule how often code runs, held against programs that are written down as who calls whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

from jaxtyped_static_mypy.reach.program import Cause, Defined, Running, Runs, Uses
from jaxtyped_static_mypy.reach.repetition import running_at, running_of


class Place(NamedTuple):
    """A place in a function, or in none, and what the code around it shows."""

    function: str | None = None
    itself: Runs | None = None
    is_in_set_up: bool = False
    script: str | None = None
    is_apart: bool = False
    is_example: bool = False
    compiles_anyway: bool = False
    is_own_program: bool = False
    returned: int | None = None
    called_once: tuple[int, ...] = ()
    is_listed: bool = False


@dataclass(frozen=True)
class Written:
    """A program: the calls of each function, and where it is handed on. A method's name is `Cls.name`."""

    calls: Mapping[str, list[Place]] = field(default_factory=dict)
    handed_on: Mapping[str, list[Place]] = field(default_factory=dict)
    is_open: frozenset[str] = frozenset()
    decorators: Mapping[str, str] = field(default_factory=dict)
    compiled: Mapping[str, list[Place]] = field(default_factory=dict)
    around_lambda: str | None = None
    of_script: frozenset[str] = frozenset()
    training: frozenset[str] = frozenset()
    offered: frozenset[str] = frozenset()
    of_application: frozenset[str] = frozenset()

    def runs_itself(self, place: Place) -> Runs | None:
        return place.itself

    def is_handed_to_host(self, place: Place) -> bool:
        return False

    def function_around(self, place: Place) -> str | None:
        return place.function

    def is_in_set_up(self, place: Place) -> bool:
        return place.is_in_set_up

    def is_in_named_set_up(self, place: Place) -> bool:
        return place.is_in_set_up

    def ends_with_pass(self, place: Place) -> bool:
        return False

    def defined(self, function: str) -> Defined | None:
        cls, _, name = function.rpartition(".")
        decorators = frozenset(filter(None, [self.decorators.get(function)]))
        return Defined(name, bool(cls), decorators) if name != "<lambda>" else None

    def makes_other_code(self, place: Place) -> bool:
        return False

    def is_made_for_others(self, place: Place) -> bool:
        return False

    def is_apart(self, place: Place) -> bool:
        return place.is_apart

    def compiles_anyway(self, place: Place) -> bool:
        return place.compiles_anyway

    def needs_own_programs(self, place: Place, callee: str) -> bool:
        return place.is_own_program

    def place_returned(self, place: Place) -> int | None:
        return place.returned

    def places_called_once(self, place: Place) -> tuple[int, ...]:
        return place.called_once

    def is_listed(self, place: Place) -> bool:
        return place.is_listed

    def are_experiments(self, place: Place) -> bool:
        return False

    def trains(self, function: str) -> bool:
        return function in self.training

    def uses(self, function: str) -> Uses[Place]:
        calls, handed_on, compiled = (found.get(function, ()) for found in (self.calls, self.handed_on, self.compiled))
        return Uses(calls, handed_on, compiled, function in self.is_open)

    def runs_elsewhere(self, function: str) -> Runs:
        return Runs.NEVER if function in self.of_script else Runs.AGAIN

    def has_users(self, function: str) -> bool:
        return function not in self.of_application

    def is_offered(self, function: str) -> bool:
        return function in self.offered

    def is_example(self, place: Place, function: str) -> bool:
        return place.is_example

    def program_of(self, place: Place) -> str | None:
        return place.script

    def outer(self, function: str) -> str | None:
        return self.around_lambda


MAIN, MODULE, STEP = Place("main"), Place(), Place("step")
LOOP = Place("main", Runs.AGAIN)
ONCE = Place("step", Runs.ONCE)
TEST = Place("check", Runs.IN_TESTS)
SET_UP = Place("main", is_in_set_up=True)
IN_DICT = Place("main", is_listed=True)

AGAIN: Mapping[str, tuple[Written, Running[str, Place]]] = {
    "nothing calls it": (Written(), Running(Runs.AGAIN, Cause.INTERFACE, (), "f")),
    "a loop": (Written({"f": [MAIN, LOOP]}), Running(Runs.AGAIN, Cause.LOOP, (LOOP,), "f")),
    "a loop further up": (
        Written({"f": [STEP], "step": [LOOP]}),
        Running(Runs.AGAIN, Cause.LOOP, (LOOP,), "step"),
    ),
    "two calls": (Written({"f": [MAIN, MODULE]}), Running(Runs.AGAIN, Cause.CALLERS, (MAIN, MODULE), "f")),
    "two calls, one by an interface": (
        Written({"f": [MAIN, STEP]}),
        Running(Runs.AGAIN, Cause.INTERFACE, (), "step"),
    ),
    "two calls, one by what is handed on": (
        Written({"f": [Place("g"), STEP], "g": []}, {"step": [MODULE]}),
        Running(Runs.AGAIN, Cause.HANDED_ON, (MODULE,), "step"),
    ),
    "two calls of what calls it": (
        Written({"f": [STEP], "step": [MAIN, MODULE]}),
        Running(Runs.AGAIN, Cause.CALLERS, (MAIN, MODULE), "step"),
    ),
    "one call by an interface": (Written({"f": [STEP]}), Running(Runs.AGAIN, Cause.INTERFACE, (), "step")),
    "handed on": (
        Written({"f": [MAIN]}, {"f": [MODULE]}),
        Running(Runs.AGAIN, Cause.HANDED_ON, (MODULE,), "f"),
    ),
    "offered, and called in a test": (
        Written({"f": [TEST]}, offered=frozenset({"f"})),
        Running(Runs.AGAIN, Cause.INTERFACE, (), "f"),
    ),
    "handed on in a test": (
        Written({}, {"f": [TEST]}),
        Running(Runs.AGAIN, Cause.INTERFACE, (), "f"),
    ),
    "put into a dict": (
        Written({"f": [MAIN]}, {"f": [IN_DICT]}),
        Running(Runs.AGAIN, Cause.LISTED, (IN_DICT,), "f"),
    ),
    "put into a dict, and called in a loop": (
        Written({"f": [LOOP]}, {"f": [IN_DICT]}),
        Running(Runs.AGAIN, Cause.LOOP, (LOOP,), "f"),
    ),
    "put into a dict, and handed on": (
        Written({}, {"f": [IN_DICT, MODULE]}),
        Running(Runs.AGAIN, Cause.HANDED_ON, (MODULE,), "f"),
    ),
    "called in a lambda": (
        Written({"f": [Place("<lambda>")]}),
        Running(Runs.AGAIN, Cause.HANDED_ON, (Place("<lambda>"),), "f"),
    ),
    "compiled, and called in a loop": (
        Written({"f": [LOOP]}, compiled={"f": [MODULE]}),
        Running(Runs.AGAIN, Cause.LOOP, (LOOP,), "f"),
    ),
    "called by itself": (
        Written({"f": [MAIN, Place("f")]}),
        Running(Runs.AGAIN, Cause.RECURSION, (Place("f"),), "f"),
    ),
    "perhaps called elsewhere": (
        Written({"f": [MAIN]}, is_open=frozenset({"f"})),
        Running(Runs.AGAIN, Cause.INTERFACE, (), "f"),
    ),
    "set up in a loop": (
        Written({"make_f": [Place("make_all")], "make_all": [LOOP]}),
        Running(Runs.AGAIN, Cause.LOOP, (LOOP,), "make_all"),
    ),
    "set up in one loop, and in a run of another": (
        Written({"make_f": [STEP, LOOP], "step": [LOOP]}),
        Running(Runs.AGAIN, Cause.LOOP, (LOOP,), "make_f"),
    ),
    "objects made in a loop": (
        Written({"A.__init__": [LOOP]}),
        Running(Runs.AGAIN, Cause.LOOP, (LOOP,), "A.__init__"),
    ),
}


@pytest.mark.parametrize("title", AGAIN)
def test_what_runs_again_says_why(title: str) -> None:
    program, expected = AGAIN[title]
    asked = "make_f" if title.startswith("set up") else "A.__init__" if title.startswith("objects") else "f"
    assert running_of(asked, program) == expected
    assert expected.is_open is (expected.cause in (Cause.INTERFACE, Cause.CALLERS, Cause.LISTED))
    assert expected.is_potential is (expected.cause in (Cause.CALLERS, Cause.LISTED))


@pytest.mark.parametrize(
    ("function", "program", "runs"),
    [
        ("main", Written({"main": [LOOP]}), Runs.ONCE),
        ("f", Written({"f": [MAIN]}), Runs.ONCE),
        ("f", Written({"f": [MODULE]}), Runs.ONCE),
        ("f", Written({"f": [ONCE, TEST]}), Runs.ONCE),
        ("f", Written({"f": [MAIN, SET_UP]}), Runs.ONCE),
        ("f", Written({"f": [TEST, TEST]}), Runs.IN_TESTS),
        ("f", Written({"f": [LOOP]}, decorators={"f": "functools.cache"}), Runs.ONCE),
        ("f", Written({"f": [LOOP]}, decorators={"f": "pytest.fixture"}), Runs.IN_TESTS),
        ("f", Written({"f": [LOOP]}, decorators={"f": "jax.jit"}), Runs.TRACED),
        ("f", Written(compiled={"f": [LOOP]}), Runs.TRACED),
        ("f", Written({"f": [STEP, STEP]}, compiled={"step": [MAIN]}), Runs.TRACED),
        ("f", Written({}, {"f": [STEP]}, compiled={"step": [MAIN]}), Runs.TRACED),
        ("f", Written({"f": [MAIN, STEP]}, compiled={"step": [MAIN]}), Runs.ONCE),
        ("f", Written({"f": [Place("<lambda>")]}, compiled={"step": [MAIN]}, around_lambda="step"), Runs.TRACED),
        ("f", Written(compiled={"f": [TEST]}), Runs.IN_TESTS),
        ("f", Written(of_script=frozenset({"f"})), Runs.NEVER),
        ("f", Written({"f": [Place("step", Runs.AGAIN)]}, of_script=frozenset({"f", "step"})), Runs.NEVER),
        ("f", Written({"f": [MAIN, STEP]}, {"f": [STEP]}, of_script=frozenset({"step"})), Runs.ONCE),
        ("f", Written({"f": [Place("main", script="a"), Place("main", script="b")]}), Runs.ONCE),
        ("make_f", Written(), Runs.ONCE),
        ("make_f", Written({"make_f": [STEP, MAIN]}), Runs.ONCE),
        ("A.__init__", Written({"A.__init__": [STEP, MAIN]}), Runs.ONCE),
        ("A.f", Written({"A.f": [MAIN, SET_UP]}), Runs.ONCE),
        ("A.f", Written({"A.f": [SET_UP]}), Runs.AGAIN),  # who uses the object set up calls it, too
    ],
)
def test_what_does_not_run_again(function: str, program: Written, runs: Runs) -> None:
    assert running_of(function, program).runs is runs


def test_code_runs_as_often_as_the_function_around_it_unless_it_says_more() -> None:
    program = Written({"step": [LOOP]})
    assert running_at(STEP, program).runs is Runs.AGAIN
    assert running_at(ONCE, program) == Running(Runs.ONCE, is_certain=True)
    assert running_at(MODULE, program) == Running(Runs.ONCE, is_certain=True)
    assert running_at(LOOP, program) == Running(Runs.AGAIN, Cause.LOOP, (LOOP,))


APART = Place("main", Runs.AGAIN, is_apart=True)
IN_SWEEP = Place("sweep", Runs.AGAIN, is_apart=True)
TRAINS = frozenset({"fit", "train_step", "f"})


@pytest.mark.parametrize(
    ("function", "calls"),
    [
        ("fit", {"fit": [APART]}),
        ("fit", {"fit": [Place(None, Runs.AGAIN, is_apart=True)]}),
        ("g", {"g": [Place("fit")], "fit": [APART]}),
        ("fit", {"fit": [APART, APART]}),
        ("fit", {"fit": [APART, MAIN]}),
        ("fit", {"fit": [IN_SWEEP], "sweep": [MAIN]}),
    ],
)
def test_what_each_of_several_whole_runs_does_once(function: str, calls: dict[str, list[Place]]) -> None:
    found = running_of(function, Written(calls, training=TRAINS))
    assert (found.runs, found.cause, found.is_open) == (Runs.ONCE, Cause.RUNS, True)


@pytest.mark.parametrize(
    ("function", "calls"),
    [
        ("fit", {"fit": [LOOP]}),
        ("fit", {"fit": [APART, LOOP]}),
        ("train_step", {"train_step": [APART]}),  # a part of a run
        ("g", {"g": [APART]}),  # learns nothing
        ("g", {"g": [Place("fit", Runs.AGAIN)], "fit": [APART]}),  # in a loop of each run
        ("fit", {"fit": [IN_SWEEP]}),  # users call it
        ("fit", {"fit": [IN_SWEEP], "sweep": [LOOP]}),
        ("f", {"f": [IN_SWEEP], "sweep": [APART], "fit": []}),
    ],
)
def test_a_loop_that_makes_no_whole_runs(function: str, calls: dict[str, list[Place]]) -> None:
    assert running_of(function, Written(calls, training=TRAINS)).cause is Cause.LOOP


def test_what_nothing_calls_in_an_application_is_potential() -> None:
    program = Written({"g": [Place("f")]}, of_application=frozenset({"f"}))
    for function in ("f", "g"):
        found = running_of(function, program)
        assert (found.runs, found.cause, found.is_potential) == (Runs.ONCE, Cause.RUNS, True)


def test_what_gets_more_data_on_each_pass_compiles_anyway() -> None:
    longer = Place("main", Runs.AGAIN, compiles_anyway=True)
    found = running_of("f", Written({"f": [longer]}))
    assert (found.runs, found.cause, found.is_potential) == (Runs.ONCE, Cause.RUNS, True)
    assert running_of("f", Written({"f": [longer, LOOP]})).cause is Cause.LOOP


def test_what_each_pass_gives_other_code_compiles_anyway() -> None:
    other = Place("main", Runs.AGAIN, is_own_program=True)
    found = running_of("f", Written({"f": [other]}))
    assert (found.runs, found.cause, found.is_potential) == (Runs.ONCE, Cause.RUNS, True)
    assert running_of("f", Written({"f": [other, LOOP]})).cause is Cause.LOOP
    again = {"f": [Place("g", Runs.AGAIN, is_own_program=True)], "g": [LOOP]}
    assert running_of("f", Written(again)).cause is Cause.LOOP


def test_what_a_factory_returns_runs_as_often_as_its_callers_call_it() -> None:
    handed_on = {"f": [Place("make", returned=1)]}

    def running(*calls: Place, **others: list[Place]) -> Running[str, Place]:
        return running_of("f", Written({"make": [*calls]}, handed_on | others))

    once = Place("main", called_once=(0, 1))
    assert running(once).runs is Runs.ONCE
    assert running().cause is running(Place("main", called_once=(0,))).cause is Cause.RETURNED
    assert running(once, Place("main")).cause is running(once, make=[MODULE]).cause is Cause.RETURNED
    looped = Place("main", Runs.AGAIN, called_once=(1,))
    assert running(looped) == Running(Runs.AGAIN, Cause.LOOP, (looped,), "make")
    in_test = Place("test_f", Runs.IN_TESTS)
    assert running(once, in_test).runs is Runs.ONCE
    assert running(in_test).cause is Cause.RETURNED
    assert running(once).is_open is running().is_open is True


def test_examples_leave_a_function_to_its_users() -> None:
    shown = Place(None, Runs.ONCE, is_example=True)
    found = running_of("f", Written({"f": [shown]}))
    assert (found.runs, found.cause) == (Runs.AGAIN, Cause.INTERFACE)
    assert running_of("f", Written({"f": [shown, MAIN]})).cause is not Cause.INTERFACE


def test_what_a_whole_run_sets_up_runs_once() -> None:
    calls = {"make_f": [Place("fit")], "fit": [APART]}
    assert running_of("make_f", Written(calls, training=TRAINS)).runs is Runs.ONCE


def test_what_sets_up_for_code_that_a_loop_runs_runs_once_in_each_run() -> None:
    calls = {"f": [Place("make_f")], "make_f": [Place("run")], "run": [LOOP], "A.__init__": [Place("run")]}
    for function in ("f", "make_f"):
        found = running_of(function, Written(calls))
        assert (found.runs, found.cause, found.is_potential) == (Runs.ONCE, Cause.RUNS, True)
    assert running_of("A.__init__", Written(calls)).cause is Cause.LOOP


def test_functions_that_call_each_other_end() -> None:
    program = Written({"f": [Place("g")], "g": [Place("f"), MAIN]})
    assert running_of("f", program).cause is running_of("g", program).cause is Cause.RECURSION
