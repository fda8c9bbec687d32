"""Finds what a compiled function asks the host: once per compilation, and all calls get the same answer.

Random numbers, and the time: in the function, in those that it runs, and in methods of objects that it calls. Numbers
that are drawn to begin with, as in `init_params`, and those after a seed in the same function are meant so, and who
asks for the time twice measures something.
"""

from collections.abc import Container, Iterator, Mapping
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ExpressionStmt,
    FuncDef,
    FuncItem,
    MemberExpr,
    NameExpr,
    SymbolNode,
    Var,
    WhileStmt,
)

from ...facts.functions.drawing import drawn_by, public_name
from ...facts.functions.keeping import facts_of_function, is_of_program, split_name
from ...facts.functions.scope import ModuleNames
from ...facts.functions.steps import uses_of as uses_named
from ...knowledge import naming
from ...knowledge.members import CLOCK_FUNCTIONS, DRAWING_FUNCTIONS, SEEDING_FUNCTIONS
from ...reach.roots import Root, traced_code
from ...reach.runs import running_at
from ...reach.uses import POSSIBLE, SYMBOL, uses_of
from ...source.checked_file import CheckedFile, once_per_file
from ...source.nested_functions import Functions
from ...source.surroundings import surroundings
from ...syntax.imports import full_name, imported_names
from ...syntax.names import dotted_name, function_of, last_name
from ...syntax.trees import assignment_targets, nodes_below
from .generators import draws_of_outer
from .iterators import counts
from .outcomes import reaches_outcome
from .reached import reached_from
from .refused import class_of

_SEED: Final = "seed"


class Drawn(NamedTuple):
    """A call in a compiled program that draws random numbers from the generator of the process, or reads the clock."""

    call: CallExpr
    called: str
    root: Root
    is_time: bool
    # The only call that the file has, which no loop repeats, or all are meant to: no other should get other numbers.
    is_for_one_call: bool
    by: str = ""  # what draws them, if that is in the function that is called


def drawn_numbers(functions: Functions) -> Iterator[Drawn]:
    """Those of an outermost function, the functions in it, and those that they run, if the numbers count.

    Texts made of them do not, nor do numbers that nothing reads.
    """
    for inner, around in traced_code(functions):
        compiling = [root for root in around if root.stages]
        if compiling:
            yield from _drawn_in(inner, compiling[0], functions, functions)
    for reached in reached_from(functions):
        yield from _drawn_in(reached.function, reached.root, reached.functions, functions)
        functions.consulted.update(reached.functions.consulted)


def _drawn_in(inner: FuncItem, root: Root, functions: Functions, of_root: Functions) -> Iterator[Drawn]:
    chain = list(functions.chain(inner))
    if any(map(_sets_up, chain)):
        return
    calls = [node for node in functions.nodes[inner] if isinstance(node, CallExpr)]
    names = {call: _name_of(call, functions) for call in calls}
    around = [call for function in chain for call in functions.nodes[function] if isinstance(call, CallExpr)]
    is_seeded = any(_name_of(call, functions) in SEEDING_FUNCTIONS for call in around)
    is_once = is_called_once(root, of_root)
    of_outer = {call: "" for call in calls if draws_of_outer(call, inner, root, functions)}
    for call, name in {**of_outer, **_asked(names)}.items():
        is_time = name in CLOCK_FUNCTIONS
        is_meant = _is_noted(call, functions) if is_time else is_seeded and not _is_simulated(call, functions)
        if not is_meant and _matters(call, functions):
            is_noticed = not is_once and not (is_seeded and _is_game_seeded(around, functions))
            yield Drawn(call, dotted_name(call.callee) or name, root, is_time, not is_noticed)
    for call in calls if not is_seeded else ():
        by = _drawn_by_callee(call, functions)
        if by and _matters(call, functions):
            yield Drawn(call, dotted_name(call.callee) or "", root, False, is_once, by)


def _name_of(call: CallExpr, functions: Functions) -> str:
    return public_name(full_name(call.callee, functions.file.tree))


def _matters(call: CallExpr, functions: Functions) -> bool:
    return counts(call, functions) and reaches_outcome(call, functions)


def _asked(names: Mapping[CallExpr, str]) -> dict[CallExpr, str]:
    """The calls that draw numbers, and the only one that reads the clock."""
    drawing = {call: name for call, name in names.items() if name in DRAWING_FUNCTIONS}
    clocks = {call: name for call, name in names.items() if name in CLOCK_FUNCTIONS}
    return {**drawing, **(clocks if len(clocks) == 1 else {})}


def _is_simulated(call: CallExpr, functions: Functions) -> bool:
    """Whether a loop that goes on for as long as it takes hands what is drawn to an object from outside: `env.step(a)`.

    A seed in front of such a game makes it the same each time, but it is played only once.
    """
    loop = next((loop for loop in surroundings(call, functions.file).loops if isinstance(loop, WhileStmt)), None)
    statement = surroundings(call, functions.file).parent
    targets = assignment_targets(statement) if isinstance(statement, AssignmentStmt) else ()
    drawn = {target.node for target in targets if isinstance(target, NameExpr)}
    return any(
        isinstance(node, CallExpr) and _is_of_outer_object(node, functions) and _gets(node, call, drawn)
        for node in (nodes_below(loop.body) if loop is not None else ())
    )


def _is_game_seeded(around: list[CallExpr], functions: Functions) -> bool:
    """Whether a function seeds an object from outside, too, so that all calls would play the same: `env.seed(0)`."""
    return any(
        _is_of_outer_object(call, functions) and (last_name(call.callee) == _SEED or _SEED in call.arg_names)
        for call in around
    )


def _is_of_outer_object(call: CallExpr, functions: Functions) -> bool:
    holder = call.callee.expr if isinstance(call.callee, MemberExpr) else None
    if not isinstance(holder, NameExpr) or not isinstance(holder.node, Var):
        return False
    return holder.node not in functions.owners and holder.name not in imported_names(functions.file.tree)


def _gets(call: CallExpr, value: CallExpr, names: Container[SymbolNode | None]) -> bool:
    parts = (part for argument in call.args for part in nodes_below(argument))
    return any(part is value or (isinstance(part, NameExpr) and part.node in names) for part in parts)


def _drawn_by_callee(call: CallExpr, functions: Functions) -> str:
    """What draws the numbers that a method of a known class, or a function of another module, returns."""
    function, file = function_of(call.callee), functions.file
    if isinstance(call.callee, MemberExpr) and function is None:
        info = class_of(call.callee.expr, functions)
        symbol = info.get(call.callee.name) if info is not None else None
        function = symbol.node if symbol is not None and isinstance(symbol.node, FuncDef) else None
        functions.consulted.update(info.mro if info is not None else ())
    if not isinstance(function, FuncDef) or naming.is_set_up(function.name):
        return ""
    if file.defines(function):
        return _drawn_by_method(file, function) if function.info else ""
    return _drawn_elsewhere(function, file)


@once_per_file
def _drawn_by_method(file: CheckedFile, method: FuncDef) -> str:
    return drawn_by(method, nodes_below(method.body), _names_of(file))


@once_per_file
def _names_of(file: CheckedFile) -> ModuleNames:
    return ModuleNames.of(file.tree)


def _drawn_elsewhere(function: FuncDef, file: CheckedFile) -> str:
    if not is_of_program(function.fullname, file.modules):
        return ""
    file.helpers.add(split_name(function.fullname, file.modules)[0])
    facts = facts_of_function(uses_named(function.fullname), file.modules)
    return facts.get("draws", "") if facts is not None else ""


def _is_noted(call: CallExpr, functions: Functions) -> bool:
    """Whether the time is only kept in an object, or handed to a call for its effect, as notes of a trace are."""
    parent = surroundings(call, functions.file).parent
    if isinstance(parent, AssignmentStmt):
        return not any(isinstance(target, NameExpr) for target in assignment_targets(parent))
    return parent is not None and isinstance(surroundings(parent, functions.file).parent, ExpressionStmt)


def is_called_once(root: Root, functions: Functions) -> bool:
    """Whether the file calls a function that it compiles in one place, which runs once or makes the function anew.

    Or not at all, but only the function as it is.

    A body of control flow runs on every step.
    """
    function, file = root.function, functions.file
    if function.info:
        return False
    if uses_of(file, function).calls(SYMBOL) and _is_compiled_in_vain(function, file):
        return True
    if root.transformation is not None:
        return False
    uses = uses_of(file, function).named(POSSIBLE)
    call = uses[0].call if len(uses) == 1 else None
    if call is None or surroundings(call, file).repeating:
        return False
    return functions.parents[function] is not None or not running_at(file, call).is_again


def _is_compiled_in_vain(function: FuncItem, file: CheckedFile) -> bool:
    """Whether a variable gets what `jit` makes of a function, and nothing in the file uses it."""
    jitted = [call for call, _ in uses_of(file, function).handed_over]
    parents = [surroundings(call, file).parent for call in jitted]
    targets = [target for parent in parents if isinstance(parent, AssignmentStmt) for target in parent.lvalues]
    names = [target for target in targets if isinstance(target, NameExpr)]
    return bool(jitted) and len(names) == len(jitted) and not any(file.other_uses(name) for name in names)


def _sets_up(function: FuncItem) -> bool:
    return isinstance(function, FuncDef) and naming.is_set_up(function.name)
