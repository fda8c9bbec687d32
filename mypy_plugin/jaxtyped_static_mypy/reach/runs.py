"""How often a program runs some code, as far as its file shows.

Only the uses in the same file count, so that the answer is the same in every mode of mypy.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from mypy.nodes import (
    CallExpr,
    ClassDef,
    Context,
    Expression,
    ForStmt,
    FuncDef,
    FuncItem,
    LambdaExpr,
    Node,
    RefExpr,
    TypeInfo,
    WhileStmt,
)

from ..knowledge import naming
from ..knowledge.full_names import MEMOISING
from ..knowledge.function_rows import Effect
from ..libraries import jit_function, known_function
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile, once_per_file
from ..source.compiled_in import code_of
from ..source.debugging import Compiled, compiled_names, is_for_debugging
from ..source.functions import functions_around
from ..source.handing import Handed, handing, is_in_traced_lambda
from ..source.longer_passes import gets_more
from ..source.making_functions import makes_functions
from ..source.once import is_once_here
from ..source.own_programs import are_varied, keys_varied
from ..source.parts_of_passes import ends_with_pass
from ..source.passes_apart import are_apart, are_experiments
from ..source.passes_apart import are_parts_of_run as are_parts
from ..source.returned_functions import place_returned, places_called_once
from ..source.starting import has_guard, looks_up_names
from ..source.surroundings import surroundings
from ..syntax.decorators import applied, applying
from ..syntax.imports import full_name, imported_names
from ..syntax.literals import are_written_out
from ..syntax.trees import callee_name, nodes_below
from . import program, repetition
from .callers import callers_of, constructions, places_using
from .program import Cause, Defined, Runs, Uses
from .training import trains

Running: TypeAlias = program.Running[FuncItem, Node]


class FileProgram(NamedTuple):
    """A file as a program."""

    file: CheckedFile

    def runs_itself(self, place: Node) -> Runs | None:
        if is_in_test(place.line, self.file):
            return Runs.IN_TESTS
        around = surroundings(place, self.file).around
        how = handing(around, self._name).how
        if how is Handed.HOST:
            return Runs.AGAIN
        if how is Handed.PROCESS and not isinstance(place, CallExpr):
            return Runs.ONCE
        if is_in_traced_lambda(around, self._name) or is_for_debugging(around, _compiled_names(self.file)):
            return Runs.TRACED
        if is_once_here(place, self.file):
            return Runs.ONCE
        return Runs.AGAIN if any(map(self._is_repeated, self._in_place(place))) else None

    def _is_repeated(self, node: Node) -> bool:
        found = surroundings(node, self.file)
        is_function = not isinstance(node, CallExpr)  # and not what makes one
        handed = handing(found.around, self._name) if is_function else None
        return bool(found.repeating) or (
            handed is not None and handed.is_for_each(lambda value: made_by(value, self.file))
        )

    def is_handed_to_host(self, place: Node) -> bool:
        return handing(surroundings(place, self.file).around, self._name).how is Handed.HOST

    def function_around(self, place: Node) -> FuncItem | None:
        *_, last = self._in_place(place)
        return surroundings(last, self.file).function

    def _in_place(self, place: Node) -> Iterator[Node]:
        """A place, and the lambdas around it that are called where they stand."""
        yield place
        while isinstance(function := surroundings(place, self.file).function, LambdaExpr):
            if not handing(surroundings(function, self.file).around, self._name).is_in_place:
                break
            place = function
            yield place

    def is_in_set_up(self, place: Node) -> bool:
        return is_in_set_up(place, self.file)

    def is_in_named_set_up(self, place: Node) -> bool:
        return is_in_named_set_up(place, self.file)

    def ends_with_pass(self, place: Node) -> bool:
        return ends_with_pass(surroundings(place, self.file).around)

    def is_apart(self, place: Node) -> bool:
        around = surroundings(place, self.file).around
        is_item = not isinstance(place, CallExpr) and handing(around, self._name).items is not None
        return is_item or are_apart(around, imported_names(self.file.tree))

    def needs_own_programs(self, place: Node, callee: FuncItem) -> bool:
        around, code = surroundings(place, self.file).around, code_of(self.file)
        given = [argument.variable.name for argument in callee.arguments]
        is_bound = bool(callee.info) and not callee.is_static
        return are_varied(keys_varied(around, code), given[is_bound:], code.parameters(callee))

    def gets_more(self, place: Node) -> bool:
        return gets_more(surroundings(place, self.file).around)

    def place_returned(self, place: Node) -> int | None:
        return place_returned(surroundings(place, self.file).around)

    def places_called_once(self, place: Node) -> Sequence[int]:
        return places_called_once(surroundings(place, self.file).around)

    def is_listed(self, place: Node) -> bool:
        return handing(surroundings(place, self.file).around, self._name).is_listed

    def are_experiments(self, place: Node) -> bool:
        return are_experiments(surroundings(place, self.file).around)

    def trains(self, function: FuncItem) -> bool:
        return trains(self.file, function)

    def defined(self, function: FuncItem) -> Defined | None:
        around = functions_around(function.line, self.file)
        own = next((item for item in around if item.node is function), None)
        if own is None:
            return None
        decorators = frozenset(map(self._name, (node for decorator in own.decorators for node in applying(decorator))))
        return Defined(own.node.name, bool(function.info), decorators, _overrides(function), makes_functions(own.node))

    def runs_elsewhere(self, function: FuncItem) -> Runs:
        is_plain = isinstance(function, FuncDef) and not function.info and function not in self.file.decorators
        return Runs.NEVER if is_plain and _is_script(self.file) else Runs.AGAIN

    def has_users(self, function: FuncItem) -> bool:
        return True

    def is_offered(self, function: FuncItem) -> bool:
        return False

    def is_example(self, place: Node, function: FuncItem) -> bool:
        return False

    def program_of(self, place: Node) -> None:
        return None

    def outer(self, function: FuncItem) -> FuncItem | None:
        around = surroundings(function, self.file)
        return around.function if handing(around.around, self._name).how is not Handed.HOST else None

    def uses(self, function: FuncItem) -> Uses[Node]:
        return places_using(self.file, function) if isinstance(function, FuncDef) else Uses()

    def _name(self, node: Expression) -> str:
        return full_name(node, self.file.tree)


def _overrides(function: FuncItem) -> bool:
    classes = function.info.mro if function.info else []
    return any(function.name in base.names for base in classes[1:]) or any(cls.fallback_to_any for cls in classes)


@once_per_file
def _is_script(file: CheckedFile) -> bool:
    return has_guard(file.tree) and not looks_up_names(nodes_below(file.tree))


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
    return repetition.is_whole_run(function, FileProgram(file)) or naming.may_be_run(function.name)


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


def is_in_set_up(node: Node, file: CheckedFile) -> bool:
    """Whether code stands in a function that sets something up, by its name."""
    return any(naming.is_set_up(function.node.name) for function in functions_around(node.line, file))


@once_per_file
def _compiled_names(file: CheckedFile) -> Compiled:
    return compiled_names(file.tree)


def is_in_named_set_up(node: Node, file: CheckedFile) -> bool:
    """The same without constructors."""
    return any(naming.is_named_set_up(function.node.name) for function in functions_around(node.line, file))


def is_in_test(line: int, file: CheckedFile) -> bool:
    """Whether code at this line stands in a test, or in a module of tests."""
    if naming.is_test_module(file.tree.fullname):
        return True
    return any(_is_of_test(function.node) for function in functions_around(line, file))


def _is_of_test(function: FuncDef) -> bool:
    bases = function.info.mro if function.info else []
    return naming.is_test(function.name) or any(base.fullname == naming.TEST_CASE for base in bases)


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
    names = (callee_name(applied(decorator)) for function in functions for decorator in function.decorators)
    return any(
        jit_function(name, file.settings.jit_functions) is not None
        and Effect.TRACED_EACH_TIME not in known_function(name).effects
        for name in names
    )


def is_memoised(decorators: Iterable[Expression]) -> bool:
    called = (node.callee if isinstance(node, CallExpr) else node for node in decorators)
    return any(isinstance(node, RefExpr) and node.fullname in MEMOISING for node in called)
