"""Loops of which each pass needs a compiled program of its own: for another model, or another size."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise, takewhile
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    FuncItem,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    WhileStmt,
)

from ..memory import once_per_run
from ..syntax.assignments import loops_of, targets_of
from ..syntax.names import is_named, last_name
from ..syntax.trees import nodes_below
from .compiled_in import CompiledIn
from .surroundings import repeats
from .values_given import Values, counts_of, values_bound

Key = int | str  # the position or the name of an argument

_COUNTING: Final = frozenset({"range", "count"})
_NEXT: Final = "next"


def keys_varied(around: Sequence[Node], code: CompiledIn) -> tuple[frozenset[Key], ...]:
    """For each loop around a call, in its function: the arguments for which each pass gives other code, or a size.

    `around`: the nodes around the call, innermost first, and itself first.
    """
    call, loops = around[0], _loops(around)
    if not isinstance(call, CallExpr) or not loops:
        return ()
    values = _values_in(loops[-1])
    found = {key: _Varied(value, values, code) for key, value in _arguments(call)}
    return tuple(frozenset(key for key, varied in found.items() if varied.by(loop)) for loop in loops)


def are_varied(varied: Sequence[AbstractSet[Key]], parameters: Sequence[str], wanted: AbstractSet[str]) -> bool:
    """Whether each loop varies one of the wanted parameters. `parameters`: in order, those that a call passes."""
    places = {name: index for index, name in enumerate(parameters)}
    keys = {key for name in wanted if name in places for key in (places[name], name)}
    return bool(varied) and all(not keys.isdisjoint(of_loop) for of_loop in varied)


def needs_own_programs(around: Sequence[Node], code: CompiledIn) -> bool:
    """Whether each pass of the loops around an expression compiles what it stands for with other code, or a size."""
    node, loops = around[0], _loops(around)
    if not loops or not isinstance(node, (Expression, FuncItem)):
        return False
    varied = _Varied(node, _values_in(loops[-1]), code)
    return all(map(varied.by, loops))


def get_own_sizes(calls: Iterable[CallExpr], around: Sequence[Node], code: CompiledIn) -> bool:
    """Whether each pass of the loops around what is compiled gives arrays of another size to calls of it."""
    loops = _loops(around)
    values = _values_in(loops[-1]) if loops else {}
    counts = (count for call in calls for given in call.args for count in counts_of(given, values))
    found = [_Varied(count, values, code) for count in counts]
    return bool(loops) and all(any(varied.by(loop) for varied in found) for loop in loops)


@once_per_run
def _values_in(loop: Node) -> Values:
    """One loop may have thousands of calls."""
    return values_bound(nodes_below(loop))


class _Varied:
    """What code a value in a loop stands for, or which size it is."""

    def __init__(self, value: Expression | FuncItem, values: Values, code: CompiledIn) -> None:
        self._plain = code.origins(value, values, makers=False)
        self._made = code.origins(value, values, makers=True)

    def by(self, loop: Node) -> bool:
        """Whether a loop decides that. What an unknown function makes of a number is the same code each time."""
        return any(name in (self._plain if counts else self._made) for name, counts in _targets(loop))


def _targets(loop: Node) -> Iterator[tuple[str, bool]]:
    """The variables of a loop, and whether it counts."""
    for target, value in loops_of(loop):
        counts = isinstance(value, CallExpr) and last_name(value.callee) in _COUNTING
        yield from ((part.name, counts) for part in nodes_below(target) if isinstance(part, NameExpr))
    if isinstance(loop, WhileStmt):
        yield from ((name, True) for node in nodes_below(loop.body) for name in _moved(node))
        yield from ((name, False) for node in nodes_below(loop.body) for name in _taken(node))


def _moved(node: Node) -> Iterator[str]:
    """The variable that a statement makes larger or smaller: `size *= 2`, `size = min(2 * size, n)`."""
    match node:
        case OperatorAssignmentStmt(lvalue=NameExpr(name=name)):
            yield name
        case AssignmentStmt(rvalue=value):
            read = {part.name for part in nodes_below(value) if isinstance(part, NameExpr)}
            yield from (part.name for part in targets_of(node) if isinstance(part, NameExpr) and part.name in read)


def _taken(node: Node) -> Iterator[str]:
    """The variable that holds the item of a pass: `batch = next(batches, None)`."""
    if isinstance(node, AssignmentStmt) and isinstance(node.rvalue, CallExpr) and is_named(node.rvalue.callee, _NEXT):
        yield from (part.name for part in targets_of(node) if isinstance(part, NameExpr))


def _loops(around: Sequence[Node]) -> list[Node]:
    inner = [around[0], *takewhile(lambda node: not isinstance(node, FuncItem), around[1:])]
    return [parent for child, parent in pairwise(inner) if repeats(child, parent)]


def _arguments(call: CallExpr) -> Iterator[tuple[Key, Expression]]:
    for index, (name, value) in enumerate(zip(call.arg_names, call.args, strict=True)):
        yield (name if name is not None else index), value
