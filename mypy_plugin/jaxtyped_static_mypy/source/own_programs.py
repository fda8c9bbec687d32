"""Loops of which each pass needs a compiled program of its own: for another model, or another size."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise, takewhile
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    FuncItem,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    WhileStmt,
)

from ..knowledge import naming
from ..memory import once_per_run
from ..syntax.assignments import loops_of, targets_of
from ..syntax.names import is_named, last_name
from ..syntax.paths import part_of, split_path, variables_of
from ..syntax.trees import nodes_below
from .compiled_in import CompiledIn
from .surroundings import repeats
from .values_given import ANY_PART, Values, values_bound

# The position or the name of an argument, or of a part of one: `0.model`. The object of a method is at position -1.
Key = int | str

_RECEIVER: Final = -1
_COUNTING: Final = frozenset({"range", "count"})
_NUMBERING: Final = "enumerate"
_NEXT: Final = "next"
_GETTING: Final = "get"
_TAKING: Final = frozenset({"pop", "popleft"})


def keys_varied(around: Sequence[Node], code: CompiledIn) -> tuple[frozenset[Key], ...]:
    """For each loop around a call, in its function: the arguments for which each pass gives other code, or a size.

    `around`: the nodes around the call, innermost first, and itself first.
    """
    call, loops = around[0], _loops(around)
    if not isinstance(call, CallExpr) or not loops:
        return ()
    values = _values_in(loops[-1])
    found = [pair for key, value in _arguments(call) for pair in _varied_parts(key, value, values, code)]
    return tuple(frozenset(key for key, varied in found if varied.by(loop)) for loop in loops)


def _varied_parts(key: Key, value: Expression, values: Values, code: CompiledIn) -> Iterator[tuple[Key, "_Varied"]]:
    """What an argument is made of, and each part of it that a loop sets: `args.model = name`."""
    if not isinstance(value, NameExpr):
        yield key, _Varied(value, values, code)
        return
    parts = [path for path in values if path.startswith(part_of(value.name, ANY_PART))]
    yield key, _Varied(value, {path: given for path, given in values.items() if path not in parts}, code)
    for path in parts:
        _, part = split_path(path)
        if part != ANY_PART:
            yield part_of(str(key), part), _Varied(path, values, code)


def are_varied(
    varied: Sequence[AbstractSet[Key]], parameters: Sequence[str], wanted: AbstractSet[str], receiver: str = ""
) -> bool:
    """Whether each loop varies one of the wanted parameters, or a part of it.

    `parameters`: in order, those that a call passes. `receiver`: the one that gets the object of a method.
    """
    places = {name: index for index, name in enumerate(parameters)} | ({receiver: _RECEIVER} if receiver else {})
    return bool(varied) and all(any(_is_varied(path, places, of_loop) for path in wanted) for of_loop in varied)


def _is_varied(path: str, places: Mapping[str, int], varied: AbstractSet[Key]) -> bool:
    name, part = split_path(path)
    keys = {str(places[name]), name} if name in places else set()
    found = (split_path(str(key)) for key in varied)
    return any(key in keys and (not part or not of or part == of) for key, of in found)


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
    counts = (count for call in calls for given in call.args for count in code.sizes.counts(given, values))
    found = [_Varied(count, values, code) for count in counts]
    return bool(loops) and all(any(varied.by(loop) for varied in found) for loop in loops)


@once_per_run
def _values_in(loop: Node) -> Values:
    """One loop may have thousands of calls."""
    return values_bound(nodes_below(loop))


class _Varied:
    """What code a value in a loop stands for, or which size it is."""

    def __init__(self, value: Expression | FuncItem | str, values: Values, code: CompiledIn) -> None:
        self._plain = variables_of(code.origins(value, values, makers=False))
        self._made = variables_of(code.origins(value, values, makers=True))

    def by(self, loop: Node) -> bool:
        """Whether a loop decides that. What an unknown function makes of a number is the same code each time."""
        return any(name in (self._plain if counts else self._made) for name, counts in _targets(loop))


def _targets(loop: Node) -> Iterator[tuple[str, bool]]:
    """The variables of a loop, and whether it counts, or goes over data. A seed decides nothing, by its name."""
    for target, value in loops_of(loop):
        called = last_name(value.callee) if isinstance(value, CallExpr) else ""
        names = [part.name for part in nodes_below(target) if isinstance(part, NameExpr)]
        for index, name in enumerate(names):
            is_number = called in _COUNTING or (called == _NUMBERING and index == 0 and len(names) > 1)
            if not naming.is_seed(name):
                yield name, is_number or naming.is_data_of_pass(name)
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
    """The variable that holds the item of a pass: `batch = next(batches, None)`, `model = create(names.pop())`."""
    if isinstance(node, AssignmentStmt) and any(map(_takes, nodes_below(node.rvalue))):
        yield from (part.name for part in targets_of(node) if isinstance(part, NameExpr))


def _takes(node: Node) -> bool:
    """Whether a call takes an item of a queue or an iterator, and not one of a dict: `config.get("rate")`."""
    if not isinstance(node, CallExpr):
        return False
    is_method = isinstance(node.callee, MemberExpr)
    if is_method and last_name(node.callee) == _GETTING:
        return not node.args
    return is_named(node.callee, _NEXT) or (is_method and last_name(node.callee) in _TAKING)


def _loops(around: Sequence[Node]) -> list[Node]:
    inner = [around[0], *takewhile(lambda node: not isinstance(node, FuncItem), around[1:])]
    return [parent for child, parent in pairwise(inner) if repeats(child, parent)]


def _arguments(call: CallExpr) -> Iterator[tuple[Key, Expression]]:
    if isinstance(call.callee, MemberExpr):
        yield _RECEIVER, call.callee.expr
    for index, (name, value) in enumerate(zip(call.arg_names, call.args, strict=True)):
        yield (name if name is not None else index), value
