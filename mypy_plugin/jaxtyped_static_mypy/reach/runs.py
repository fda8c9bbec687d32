"""How often a program runs some code: again and again, once, or only in tests.

Only the uses in the same file count, so that the answer is the same in every mode of mypy.
"""

from collections.abc import Iterable
from enum import Enum, auto

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Expression,
    ExpressionStmt,
    FuncDef,
    FuncItem,
    IfStmt,
    NameExpr,
    Node,
    RefExpr,
    TypeInfo,
)

from ..facts.method_facts import MAKING
from ..knowledge import naming
from ..knowledge.full_names import CACHES, MEMOISING
from ..knowledge.function_rows import Effect
from ..libraries import jit_function, known_function
from ..source.checked_file import CheckedFile, once_per_file
from ..source.functions import Function, functions_around
from ..source.surroundings import surroundings
from ..syntax.decorators import applied
from ..syntax.imports import full_name
from ..syntax.trees import callee_name
from .uses import Use, uses_of

_Seen = frozenset[FuncItem]  # functions whose callers are being looked at


class Runs(Enum):
    """How often a program runs some code, as far as its file shows."""

    AGAIN = auto()  # again and again, or nothing shows that it does not
    ONCE = auto()
    IN_TESTS = auto()  # only there, where compiling again harms nobody


@once_per_file
def runs(file: CheckedFile, function: FuncItem) -> Runs:
    """How often a program runs a function.

    Once if it is `main`, remembers its result, constructs an object that no loop makes, or sets something up, by its
    name, and no loop calls it; or if only one call in such code runs it.
    """
    return _runs(function, file, frozenset())


def runs_at(node: Node, file: CheckedFile) -> Runs:
    """How often the code at a node runs: again if a loop does, unless the source fixes the number of passes."""
    return _runs_at(node, file, frozenset())


def _runs(function: FuncItem, file: CheckedFile, seen: _Seen) -> Runs:
    if is_in_test(function.line, file):
        return Runs.IN_TESTS
    around = functions_around(function.line, file)
    own = next((item for item in around if item.node is function), None)
    if own is None or function in seen:
        return Runs.AGAIN
    if (known := _runs_by_itself(own, file)) is not None:
        return known
    seen |= {function}
    if is_constructor := bool(function.info) and own.node.name in MAKING:
        calls: list[CallExpr] | None = constructions(function.info, file)
    else:
        calls = callers_of(file, own.node)
    if is_constructor or naming.is_set_up(own.node.name):
        return Runs.AGAIN if any(is_in_loop(call, file, seen) for call in calls or ()) else Runs.ONCE
    if function.info and not own.node.name.startswith("_"):  # of an object that users of the class have, too
        calls = [call for call in calls or () if not _is_in_set_up(call, file)]
    return _together(((call, _runs_at(call, file, seen)) for call in calls or ()), file)


def _runs_at(node: Node, file: CheckedFile, seen: _Seen) -> Runs:
    if is_in_test(node.line, file):
        return Runs.IN_TESTS
    place = surroundings(node, file)
    if place.repeating:
        return Runs.AGAIN
    return _runs(place.function, file, seen) if place.function is not None else Runs.ONCE


def _runs_by_itself(function: Function, file: CheckedFile) -> Runs | None:
    """What the name and the decorators of a function say; None if they say nothing."""
    named = [node.callee if isinstance(node, CallExpr) else node for node in function.decorators]
    names = {full_name(node, file.tree) for node in named}
    starts = function.node.name in naming.MAIN or not names.isdisjoint(naming.STARTING_DECORATORS)
    if starts or not names.isdisjoint(CACHES):
        return Runs.ONCE
    return Runs.IN_TESTS if any(map(naming.is_fixture, names)) else None


def _together(found: Iterable[tuple[CallExpr, Runs]], file: CheckedFile) -> Runs:
    """How often code runs that is called from several places: again if from none, or from two besides set-up."""
    kinds: set[Runs] = set()
    counted = 0
    for call, kind in found:
        counted += kind is Runs.ONCE and not _is_in_set_up(call, file)
        if kind is Runs.AGAIN or counted > 1:
            return Runs.AGAIN  # before the other callers are followed, which takes longest
        kinds.add(kind)
    return Runs.ONCE if Runs.ONCE in kinds else Runs.IN_TESTS if kinds else Runs.AGAIN


def _is_in_set_up(node: Node, file: CheckedFile) -> bool:
    return any(naming.is_set_up(function.node.name) for function in functions_around(node.line, file))


def is_in_test(line: int, file: CheckedFile) -> bool:
    """Whether code at this line stands in a test, or in a module of tests."""
    if naming.is_test_module(file.tree.fullname):
        return True
    return any(_is_of_test(function.node) for function in functions_around(line, file))


def _is_of_test(function: FuncDef) -> bool:
    bases = function.info.mro if function.info else []
    return naming.is_test(function.name) or any(base.fullname == naming.TEST_CASE for base in bases)


def is_in_loop(node: Node, file: CheckedFile, seen: _Seen = frozenset()) -> bool:
    """Whether a loop of the file runs the code at a node, also through calls of the function around it."""
    place = surroundings(node, file)
    if place.repeating or not isinstance(place.function, FuncDef) or place.function in seen:
        return bool(place.repeating)
    calls = callers_of(file, place.function) or ()
    return any(is_in_loop(call, file, seen | {place.function}) for call in calls)


def is_constructed_once(info: TypeInfo, file: CheckedFile) -> bool:
    """Whether the file constructs objects of a class, and only in code that runs once."""
    calls = constructions(info, file)
    return bool(calls) and all(runs_at(call, file) is not Runs.AGAIN for call in calls)


def constructions(info: TypeInfo, file: CheckedFile) -> list[CallExpr]:
    """The calls of a class in the file."""
    uses = (node for node in file.uses_by_name.get(info.name, ()) if node.node is info)
    return [file.calls_by_callee[node] for node in uses if node in file.calls_by_callee]


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


@once_per_file
def callers_of(file: CheckedFile, function: FuncDef) -> list[CallExpr] | None:
    """The calls of a function; None if there are none, or if it is used in another way. Methods are found by name."""
    if function.info and function.name.startswith("__"):
        return None
    uses = uses_of(file, function).likely
    calls = [use.call or _starting_call(use, file) for use in uses]
    found = [call for call in calls if call is not None]
    return found if found and len(found) == len(uses) else None


def _starting_call(use: Use, file: CheckedFile) -> CallExpr | None:
    """The call by which the program starts with a function: `app.run(train)`, below `if __name__ == "__main__"`."""
    _, *outer = surroundings(use.expression, file).around
    call, statement = outer[:2] if len(outer) > 1 else (None, None)
    if not isinstance(call, CallExpr) or use.expression not in call.args:
        return None
    if full_name(call.callee, file.tree) in naming.STARTERS:
        return call
    if not isinstance(statement, ExpressionStmt):
        return None
    conditions = (condition for node in outer if isinstance(node, IfStmt) for condition in node.expr)
    return call if any(map(_asks_for_main, conditions)) else None


def _asks_for_main(condition: Expression) -> bool:
    operands = condition.operands if isinstance(condition, ComparisonExpr) else ()
    return any(isinstance(part, NameExpr) and part.name == "__name__" for part in operands)


def is_memoised(decorators: Iterable[Expression]) -> bool:
    called = (node.callee if isinstance(node, CallExpr) else node for node in decorators)
    return any(isinstance(node, RefExpr) and node.fullname in MEMOISING for node in called)
