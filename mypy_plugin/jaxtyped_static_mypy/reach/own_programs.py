"""What a file has to compile each time, for other code or another size: on each pass of a loop, or for each user."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from mypy.nodes import CallExpr, Decorator, ForStmt, FuncDef, FuncItem, Node, WhileStmt

from ..knowledge.eager_functions import eager_function
from ..source.checked_file import CheckedFile, once_per_file
from ..source.compiled_in import code_of
from ..source.learning import learning
from ..source.nested_functions import read_functions
from ..source.own_programs import get_own_sizes, needs_own_programs
from ..source.passes_that_differ import compiles_anyway
from ..source.surroundings import surroundings
from ..source.values_given import Values, values_bound
from ..syntax.arguments import argument
from ..syntax.imports import full_name
from ..syntax.paths import variables_of
from ..syntax.trees import nodes_below
from .file_program import FileProgram
from .repetition import is_shown_again
from .runs import running


def needs_own_program(made: Node, file: CheckedFile) -> bool:
    """Whether each pass of the loops around what is compiled makes other code there, and no loop runs the function."""
    around = surroundings(made, file).around
    return not _is_looped(made, file) and (compiles_anyway(around) or needs_own_programs(around, code_of(file)))


def is_called_with_own_sizes(made: Node, calls: Iterable[CallExpr], file: CheckedFile) -> bool:
    """The same of a loop that calls what it compiles with arrays of another size on each pass."""
    return not _is_looped(made, file) and get_own_sizes(calls, surroundings(made, file).around, code_of(file))


def calls_for_own_programs(call: Node, function: FuncItem, file: CheckedFile) -> bool:
    """The same of a loop that calls a function, which then has to compile other code, or for another size."""
    return not _is_looped(call, file) and FileProgram(file).needs_own_programs(call, function)


def _is_looped(node: Node, file: CheckedFile) -> bool:
    """Whether the file shows that the function around runs again and again."""
    around = surroundings(node, file).function
    return around is not None and is_shown_again(running(file, around))


def makes_run(made: Node, function: FuncDef, file: CheckedFile) -> bool:
    """Whether a function compiles a whole loop with the code that it is given: `sample(log_density, x)`.

    Each of its users has such code of his own, mostly calls it once, and waits for the loop.
    """
    body = made.func if isinstance(made, Decorator) else made
    if not isinstance(body, FuncItem):
        return False
    code, called = code_of(file), _called_by_nested(file, function)
    nodes = (part for parts in read_functions(body, None, file).nodes.values() for part in parts)
    loops = learning(node for node in nodes if not isinstance(node, (ForStmt, WhileStmt))).loops
    return loops and not called.isdisjoint(variables_of(code.parameters(function)) & _given(function))


def runs_given_code(function: FuncDef, file: CheckedFile) -> bool:
    """Whether functions nested in one run code that it is given, or that it makes of this: `simulate(model, x)`."""
    return bool(_code_given(_called_by_nested(file, function), function, file))


def code_given_to(call: CallExpr, function: FuncDef, file: CheckedFile) -> list[str]:
    """The parameters of the function around a call of JAX's control flow on which it depends which code that runs."""
    row = eager_function(full_name(call.callee, file.tree))
    bodies = (argument(call, *place) for place in (row.bodies if row is not None else ()))
    brought = (code_of(file).brought(body) for body in bodies if body is not None)
    return sorted(_code_given(_called_by_nested(file, function).union(*brought), function, file))


def _code_given(called: AbstractSet[str], function: FuncDef, file: CheckedFile) -> frozenset[str]:
    return variables_of(code_of(file).back(called, _values_in(file, function))) & _given(function)


@once_per_file
def _values_in(file: CheckedFile, function: FuncDef) -> Values:
    return values_bound(nodes_below(function))


@once_per_file
def _called_by_nested(file: CheckedFile, function: FuncDef) -> frozenset[str]:
    """The names on which it depends which code the functions nested in one run."""
    code, nested = code_of(file), (node for node in nodes_below(function) if isinstance(node, FuncItem))
    below = {part for node in nested if node is not function for part in nodes_below(node)}
    return variables_of(path for node in below if isinstance(node, CallExpr) for path in code.called_by(node))


def _given(function: FuncDef) -> frozenset[str]:
    """What the callers of a function pass."""
    return frozenset([argument.variable.name for argument in function.arguments][bool(function.info) :])
