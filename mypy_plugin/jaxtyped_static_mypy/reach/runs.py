"""How often a program runs some code, as far as its file shows.

Only the uses in the same file count, so that the answer is the same in every mode of mypy.
"""

from collections.abc import Iterable
from typing import TypeAlias

from mypy.nodes import (
    CallExpr,
    ClassDef,
    Context,
    Expression,
    ForStmt,
    FuncDef,
    FuncItem,
    Node,
    RefExpr,
    TypeInfo,
    WhileStmt,
)

from ..knowledge import naming
from ..knowledge.full_names import MEMOISING
from ..knowledge.function_rows import Effect
from ..libraries import known_function
from ..source.checked_file import CheckedFile, once_per_file
from ..source.functions import functions_around
from ..source.handing import handing
from ..source.passes_apart import are_parts_of_run as are_parts
from ..source.surroundings import surroundings
from ..syntax.imports import full_name
from ..syntax.literals import are_written_out
from . import program, repetition
from .callers import callers_of, constructions
from .file_program import FileProgram, is_in_test
from .layers import compilers_in
from .program import Cause, Runs

Running: TypeAlias = program.Running[FuncItem, Node]


def never_runs(node: Context, file: CheckedFile) -> bool:
    """Whether code is in a function of a script that nothing in the script calls."""
    function = surroundings(node, file).function if isinstance(node, Node) else None
    return function is not None and running(file, function).runs is Runs.NEVER


@once_per_file
def running(file: CheckedFile, function: FuncItem) -> Running:
    """How often a program runs a function, and why."""
    if is_in_test(function.line, file):
        return program.Running(Runs.IN_TESTS, is_certain=True)
    return repetition.running_of(function, FileProgram(file))


@once_per_file
def running_at(file: CheckedFile, node: Node) -> Running:
    """How often the code at a node runs, and why: again if a loop does, unless the source fixes its passes."""
    return repetition.running_at(node, FileProgram(file))


def is_of_whole_runs(call: CallExpr, function: FuncItem, file: CheckedFile) -> bool:
    """Whether a loop makes whole runs, one after the other, by this call of a function, or of what that makes."""
    return repetition.running_at(call, FileProgram(file), function).cause is Cause.RUNS


def are_parts_of_run(running: Running, file: CheckedFile) -> bool:
    """Whether loops run code for each part of one run, by their names: `for epoch in range(epochs)`."""
    places = [place for place in running.places if running.cause is Cause.LOOP]
    return bool(places) and all(are_parts(surroundings(place, file).around) for place in places)


def is_whole_run(function: FuncItem, file: CheckedFile) -> bool:
    """Whether a function trains a model from the start, by what it does, or makes a run by its name."""
    return trains_from_start(function, file) or naming.may_be_run(function.name)


def trains_from_start(function: FuncItem, file: CheckedFile) -> bool:
    """The same by what it does alone."""
    return repetition.is_whole_run(function, FileProgram(file))


def is_of_experiments(running: Running, file: CheckedFile) -> bool:
    """Whether a loop that runs code goes over experiments, or makes only a few passes."""
    return any(map(FileProgram(file).are_experiments, running.places))


def receivers(running: Running, file: CheckedFile) -> frozenset[str]:
    """What is handed a function at the places that show how often it runs; empty text for what has no short name."""
    around = (surroundings(place, file).around for place in running.places if not isinstance(place, CallExpr))
    found = [handing(nodes, lambda callee: full_name(callee, file.tree)) for nodes in around]
    return frozenset(one.to for one in found if one.is_call or running.cause is Cause.HANDED_ON)


def makes_anew(call: CallExpr, file: CheckedFile) -> bool:
    """Whether the file makes one object after the other at a call, for one purpose."""
    is_the_same = are_written_out(call.args)
    return repetition.makes_anew(call, FileProgram(file), is_the_same=is_the_same, are_users_counted=True)


def runs_at(node: Node, file: CheckedFile) -> Runs:
    return running_at(file, node).runs


def whole_name(function: FuncItem, file: CheckedFile) -> str:
    """The full name of a function, with those of the functions and classes around it."""
    around = reversed(surroundings(function, file).around)
    names = (node.name for node in around if isinstance(node, (FuncDef, ClassDef)))
    return ".".join((file.tree.fullname, *names))


def is_in_loop(node: Node, file: CheckedFile) -> bool:
    """Whether a loop of the file runs the code at a node, also through calls of the function around it.

    A comprehension makes the parts of one object, such as the states of several agents.
    """
    pending, seen = [node], set[FuncItem]()
    while pending:
        place = surroundings(pending.pop(), file)
        if any(isinstance(loop, (ForStmt, WhileStmt)) for loop in place.repeating):
            return True
        if isinstance(place.function, FuncDef) and place.function not in seen:
            seen.add(place.function)
            pending += callers_of(file, place.function) or ()
    return False


def run_twice(nodes: Iterable[Node], file: CheckedFile) -> bool:
    """Whether the file shows that some code runs, or the parts of it do, at least twice: also code that sets up."""
    known: dict[FuncItem, int] = {}
    return sum(_times(node, file, known) for node in nodes) > 1


def _times(node: Node, file: CheckedFile, known: dict[FuncItem, int]) -> int:
    """How often code runs at least: once, unless the file shows more. `known`: how often functions are called."""
    found = running_at(file, node)
    if found.is_again or found.cause is Cause.RUNS or found.runs is Runs.NEVER:
        return 0 if found.runs is Runs.NEVER else 2
    function = surroundings(node, file).function
    if not isinstance(function, FuncDef):
        return 1
    if function not in known:
        known[function] = 1  # while its callers are asked: functions may call each other
        known[function] = max(1, sum(_times(call, file, known) for call in callers_of(file, function) or ()))
    return known[function]


def is_constructed_once(info: TypeInfo, file: CheckedFile) -> bool:
    """Whether the file constructs objects of a class, and only in code that runs once."""
    calls = constructions(info, file)
    return bool(calls) and all(runs_at(call, file) is not Runs.AGAIN for call in calls)


def is_evaluated_once(line: int, file: CheckedFile) -> bool:
    """Whether code at this line runs once for each cache key: under a memoising decorator, or in a trace.

    A jitted function that another one calls is traced together with that, and compiled as a part of it.
    """
    functions = functions_around(line, file)
    if functions and is_memoised(functions[-1].decorators):
        return True
    decorators = (decorator for function in functions for decorator in function.decorators)
    names = (name for decorator in decorators for name in compilers_in(decorator, file))
    return any(Effect.TRACED_EACH_TIME not in known_function(name).effects for name in names)


def is_memoised(decorators: Iterable[Expression]) -> bool:
    called = (node.callee if isinstance(node, CallExpr) else node for node in decorators)
    return any(isinstance(node, RefExpr) and node.fullname in MEMOISING for node in called)
