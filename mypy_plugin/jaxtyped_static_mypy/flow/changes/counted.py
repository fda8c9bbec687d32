"""Finds what a compiled function counts up outside of itself, and computes with: once per compilation.

Only concrete values are counted here; those that JAX computes leak, which is another finding.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    Decorator,
    Expression,
    FuncItem,
    MemberExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    Var,
)

from ...reach.roots import Root, roots_of, traced_code
from ...reach.uses import POSSIBLE, uses_of
from ...source.nested_functions import Functions
from ...source.surroundings import surroundings
from ...syntax.trees import nodes_below
from ..kept_state.slots import Slot, slot_at
from ..kept_state.written import writes_to
from .draws import is_called_once
from .outcomes import reaches_result
from .reached import reached_from

_COUNTING: Final = frozenset({"+", "-", "*", "/", "//", "%", "**"})


class Counted(NamedTuple):
    """A statement of a compiled program that computes the next value of what outlives the trace from the last one."""

    statement: Node
    written: str
    root: Root
    is_for_one_call: bool  # the only call of the file, which no loop repeats: no other gets a value that is old


def counted_once(functions: Functions) -> Iterator[Counted]:
    """Those of an outermost function, and of what it runs, if a result depends on the value.

    What the program only prints or asserts counts the traces, which is what it is for.
    """
    adopted = set(functions.adopted.values())
    for inner, around in traced_code(functions):
        if not adopted.isdisjoint(functions.chain(inner)):
            continue  # it stands elsewhere: below
        for found in _counted_in(inner, [root for root in around if root.stages], functions):
            yield found._replace(is_for_one_call=is_called_once(found.root, functions))
    for reached in reached_from(functions):
        if _is_run_in_one_place(reached.function, reached.functions):
            for found in _counted_in(reached.function, [reached.root], reached.functions):
                yield found._replace(is_for_one_call=is_called_once(found.root, functions))


def _counted_in(inner: FuncItem, compiling: list[Root], functions: Functions) -> Iterator[Counted]:
    for statement in functions.nodes[inner] if compiling else ():
        slot = _counted_by(statement)
        root = _crossed(slot, compiling, functions) if slot is not None else None
        if slot is not None and root is not None and _is_only_counted(slot, statement, functions):
            reads = _reads(slot, statement, inner, root, functions)
            if any(reaches_result(read, functions) for read in reads):
                yield Counted(statement, slot.written, root, is_for_one_call=False)


def _counted_by(statement: Node) -> Slot | None:
    """What `n += 1` and `n = n + 1` count."""
    if isinstance(statement, OperatorAssignmentStmt):
        return slot_at(statement.lvalue, {}) if statement.op in _COUNTING else None
    if not isinstance(statement, AssignmentStmt) or len(statement.lvalues) != 1:
        return None
    value, slot = statement.rvalue, slot_at(statement.lvalues[0], {})
    parts = nodes_below(value) if isinstance(value, OpExpr) and value.op in _COUNTING else []
    is_next = any(isinstance(part, Expression) and slot_at(part, {}) == slot for part in parts)
    return slot if slot is not None and is_next else None


def _crossed(slot: Slot, compiling: list[Root], functions: Functions) -> Root | None:
    """The innermost trace that what is counted outlives."""
    holder = slot.root.func if isinstance(slot.root, Decorator) else slot.root
    if isinstance(holder, FuncItem) and slot.path:
        owner = functions.parents.get(holder)
    elif isinstance(holder, Var) and not holder.is_self and not holder.is_cls:
        owner = functions.owners.get(holder)
        if owner is None and not holder.fullname.startswith(f"{functions.file.tree.fullname}."):
            return None  # another module may set it
        if owner is not None and any(argument.variable is holder for argument in owner.arguments):
            return None  # the caller gives it
    else:
        return None
    return next((root for root in compiling if owner is None or _stands_in(root.function, owner, functions)), None)


def _stands_in(function: FuncItem, owner: FuncItem, functions: Functions) -> bool:
    """Whether a function is another one's, whose variables outlive its trace."""
    return function is not owner and function in functions.parents and functions.is_inside(function, owner)


def _is_only_counted(slot: Slot, statement: Node, functions: Functions) -> bool:
    """Whether nothing but counting changes it, once it has its first value: no reset, and nothing that counts down."""
    writes = writes_to(slot, functions.file)
    counting = [each for each in writes if each.slot == slot and _counted_by(each.statement) == slot]
    if any(_operator(each.statement) != _operator(statement) for each in counting):
        return False
    setting = [each.statement for each in writes if each not in counting]
    return len(setting) <= 1 and all(_sets_up(each, slot, functions) for each in setting)


def _sets_up(statement: Node, slot: Slot, functions: Functions) -> bool:
    """Whether this runs once for what it sets: in the module, or in the function that has the variable."""
    place = surroundings(statement, functions.file)
    is_traced = place.function in roots_of(functions.file)
    return not place.loops and not is_traced and place.function in (None, _home(slot, functions))


def _home(slot: Slot, functions: Functions) -> FuncItem | None:
    """The function whose variable it is, or in which the function stands that has it; None for the module."""
    holder = slot.root.func if isinstance(slot.root, Decorator) else slot.root
    return functions.parents.get(holder) if isinstance(holder, FuncItem) else functions.owners.get(holder)


def _operator(statement: Node) -> str:
    if isinstance(statement, OperatorAssignmentStmt):
        return statement.op
    value = statement.rvalue if isinstance(statement, AssignmentStmt) else None
    return value.op if isinstance(value, OpExpr) else ""


def _reads(slot: Slot, statement: Node, inner: FuncItem, root: Root, functions: Functions) -> Iterator[Expression]:
    """Where the trace reads what is counted, beside the statement itself."""
    for name in functions.file.uses_by_name.get(slot.root.name, ()):
        around = surroundings(name, functions.file).around
        read = next((part for part in around if isinstance(part, Expression) and slot_at(part, {}) == slot), None)
        if read is not None and statement not in around and (root.function in around or inner in around):
            yield read


def _is_run_in_one_place(function: FuncItem, functions: Functions) -> bool:
    """Otherwise it may tell the parts of one trace from each other, as names of layers do."""
    outermost = list(functions.chain(function))[-1]
    uses = [use.expression for use in uses_of(functions.file, outermost).named(POSSIBLE)]
    running = [use for use in uses if not isinstance(surroundings(use, functions.file).parent, MemberExpr)]
    return len(running) == 1 and not surroundings(running[0], functions.file).loops
