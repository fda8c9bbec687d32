"""Finds what a compiled function asks the host: once per compilation, and all calls get the same answer.

Random numbers, and the time. Numbers that are drawn to begin with, as in `init_params`, and those after a seed in the
same function are meant so, and who asks for the time twice measures something.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mypy.nodes import AssignmentStmt, CallExpr, ExpressionStmt, FuncDef, FuncItem, NameExpr

from ...knowledge import naming
from ...knowledge.members import CLOCK_FUNCTIONS, DRAWING_FUNCTIONS, NUMPY_RANDOM, SEEDING_FUNCTIONS
from ...reach.roots import Root, traced_code
from ...reach.runs import running_at
from ...reach.uses import POSSIBLE, uses_of
from ...source.nested_functions import Functions
from ...source.surroundings import surroundings
from ...syntax.imports import full_name
from ...syntax.trees import assignment_targets, dotted_name
from .iterators import counts


class Drawn(NamedTuple):
    """A call in a compiled function that draws random numbers from the generator of the process, or reads the clock."""

    call: CallExpr
    called: str
    root: Root
    is_time: bool
    is_for_one_call: bool  # the only one that the file has, which no loop repeats: no other gets the same numbers


def drawn_numbers(functions: Functions) -> Iterator[Drawn]:
    """Those of an outermost function and the functions in it, if the numbers count: texts made of them do not."""
    for inner, around in traced_code(functions):
        compiling = [root for root in around if root.stages]
        calls = [node for node in functions.nodes[inner] if isinstance(node, CallExpr)] if compiling else []
        names = {call: _public(full_name(call.callee, functions.file.tree)) for call in calls}
        asked = _asked(names) if not any(map(_sets_up, functions.chain(inner))) else {}
        for call, name in asked.items():
            is_time = name in CLOCK_FUNCTIONS
            if counts(call, functions) and not (is_time and _is_noted(call, functions)):
                root = compiling[0]
                is_for_one_call = _is_called_once(root, functions)
                yield Drawn(call, dotted_name(call.callee) or name, root, is_time, is_for_one_call)


def _asked(names: Mapping[CallExpr, str]) -> dict[CallExpr, str]:
    """The calls that draw numbers, and the only one that reads the clock."""
    is_seeded = any(name in SEEDING_FUNCTIONS for name in names.values())
    drawing = {call: name for call, name in names.items() if name in DRAWING_FUNCTIONS and not is_seeded}
    clocks = {call: name for call, name in names.items() if name in CLOCK_FUNCTIONS}
    return {**drawing, **(clocks if len(clocks) == 1 else {})}


def _is_noted(call: CallExpr, functions: Functions) -> bool:
    """Whether the time is only kept in an object, or handed to a call for its effect, as notes of a trace are."""
    parent = surroundings(call, functions.file).parent
    if isinstance(parent, AssignmentStmt):
        return not any(isinstance(target, NameExpr) for target in assignment_targets(parent))
    return parent is not None and isinstance(surroundings(parent, functions.file).parent, ExpressionStmt)


def _is_called_once(root: Root, functions: Functions) -> bool:
    """Whether the file calls a function that it compiles in one place, which runs once or makes the function anew.

    A body of control flow runs on every step.
    """
    function, file = root.function, functions.file
    if root.transformation is not None or function.info:
        return False
    uses = uses_of(file, function).named(POSSIBLE)
    call = uses[0].call if len(uses) == 1 else None
    if call is None or surroundings(call, file).repeating:
        return False
    return functions.parents[function] is not None or not running_at(file, call).is_again


def _public(name: str) -> str:
    """The name under which people call a function of NumPy, which defines it in a private module."""
    return f"{NUMPY_RANDOM}.{name.rpartition('.')[2]}" if name.startswith(f"{NUMPY_RANDOM}.") else name


def _sets_up(function: FuncItem) -> bool:
    return isinstance(function, FuncDef) and naming.is_set_up(function.name)
