"""Loops of which each pass is for itself, as the runs of an experiment are: it takes nothing that another one has made.

Only names are compared, so that the answer is the same in a file that mypy has not analysed.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    Block,
    CallExpr,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncItem,
    IntExpr,
    MemberExpr,
    NameExpr,
    Node,
    Statement,
    WhileStmt,
)

from ..knowledge import naming
from ..memory import once_per_run
from ..syntax.assignments import loops_of, targets_of
from ..syntax.names import base_of, last_name
from ..syntax.trees import nodes_below, parts_of, statements
from .surroundings import repeats

_RANGE: Final = "range"


def are_apart(around: Sequence[Node], imported: Container[str]) -> bool:
    """Whether each pass of the loops around a call, in its function, gives the call something of its own.

    And nothing that comes out of the call on another pass: `state = update(state)`. Nor does the call change an object
    that was there before: `agent.train(batch)`. `around`: the nodes around the call, innermost first, and itself first.
    `imported`: the names that the file imports.
    """
    call = around[0]
    inner = list(takewhile(lambda node: not isinstance(node, FuncItem), around))
    loops = [parent for child, parent in pairwise(inner) if repeats(child, parent)]
    if not isinstance(call, CallExpr) or not loops or any(map(_counts_parts, loops)):
        return False
    taken, carried = _names_in(call), {name for name in _carried(inner, loops[-1]) if name not in imported}
    made = _made_before(inner, loops[-1], carried)
    own = made | all_bound(loops[-1]) - carried
    is_given_own = not taken.isdisjoint(own) and taken.isdisjoint(carried - made)
    return is_given_own and _is_free(call.callee, own, imported)


def are_experiments(around: Sequence[Node]) -> bool:
    """Whether a loop around a node, in its function, makes one experiment after the other, or only a few passes.

    By its names, `for seed in seeds`, or by a number in the source. Each experiment sets up for itself and mostly takes
    far longer than to compile, and nobody minds a few compilations.
    """
    inner = [around[0], *takewhile(lambda node: not isinstance(node, FuncItem), around[1:])]
    loops = [parent for child, parent in pairwise(inner) if repeats(child, parent)]
    return any(_makes_experiments(loop) for loop in loops)


def are_named_experiments(around: Sequence[Node]) -> bool:
    """The same by the names alone."""
    inner = [around[0], *takewhile(lambda node: not isinstance(node, FuncItem), around[1:])]
    return any(_names_experiments(parent) for child, parent in pairwise(inner) if repeats(child, parent))


def are_parts_of_run(around: Sequence[Node]) -> bool:
    """Whether the innermost loop around a node, in its function, goes over the many parts of one run, by its names.

    `for epoch in range(epochs)`, but not a few passes that the source counts, nor one experiment after the other.
    """
    inner = [around[0], *takewhile(lambda node: not isinstance(node, FuncItem), around[1:])]
    loop = next((parent for child, parent in pairwise(inner) if repeats(child, parent)), None)
    if loop is None or _makes_experiments(loop):
        return False
    return _counts_parts(loop) or any(map(naming.numbers_parts_of_run, _named_by(loop)))


@once_per_run
def _makes_experiments(loop: Node) -> bool:
    pairs = loops_of(loop)
    return _names_experiments(loop) or (bool(pairs) and all(_is_short(iterable) for _, iterable in pairs))


@once_per_run
def _names_experiments(loop: Node) -> bool:
    pairs = loops_of(loop)
    named = [node for pair in pairs for part in pair for node in nodes_below(part)]
    called = {node.callee for node in named if isinstance(node, CallExpr)}
    holders = {node.expr for node in named if isinstance(node, MemberExpr) and node not in called}
    names = (node for node in named if isinstance(node, (NameExpr, MemberExpr)) and node not in holders)
    return any(naming.counts_experiments(node.name) for node in names)  # but not `range(config.steps)`


def _is_short(iterable: Expression) -> bool:
    """Whether this is `range(3)`, also below `enumerate` or a progress bar."""
    while isinstance(iterable, CallExpr) and iterable.args and isinstance(iterable.args[0], CallExpr):
        iterable = iterable.args[0]
    if not isinstance(iterable, CallExpr) or last_name(iterable.callee) != _RANGE:
        return False
    return all(isinstance(bound, IntExpr) and bound.value <= naming.FEW_PASSES for bound in iterable.args)


@once_per_run
def all_bound(loop: Node) -> frozenset[str]:
    """What any node of a loop binds; one loop may have thousands of calls."""
    return frozenset(name for node in nodes_below(loop) for name in _bound_by(node))


@once_per_run
def _counts_parts(loop: Node) -> bool:
    """Whether a loop goes over the parts of a run, by the names: `for epoch in ...`, `for x in loader`."""
    if isinstance(loop, WhileStmt):
        return True
    return any(map(naming.is_part_of_run, _named_by(loop)))


def _named_by(loop: Node) -> list[str]:
    """The names in what a loop goes over, and in its variables."""
    named = (node for pair in loops_of(loop) for part in pair for node in nodes_below(part))
    return [node.name for node in named if isinstance(node, (NameExpr, MemberExpr))]


def _is_free(callee: Expression, own: Container[str], imported: Container[str]) -> bool:
    """Whether what is called is no method of an object that was there before the pass."""
    root: Node = callee
    while isinstance(root, MemberExpr):
        root = root.expr
    if root is callee or not isinstance(root, NameExpr):
        return True  # a function, or a method of what a call makes
    return root.name in own or root.name in imported or naming.is_class(root.name)


def _carried(inner: Sequence[Node], loop: Node) -> set[str]:
    """The names that hold something of what a call has made on an earlier pass. `inner`: the nodes around the call."""
    statement = next((node for node in inner if isinstance(node, Statement)), None)
    if not isinstance(loop, ForStmt) or statement is None:
        return set()
    found = set(_bound_by(statement))
    pending, reading = list(found), _bound_with(loop)
    while pending:
        added = reading.get(pending.pop(), frozenset()) - found
        found |= added
        pending += added
    return found


@once_per_run
def _bound_with(loop: ForStmt) -> Mapping[str, frozenset[str]]:
    """The names that statements of a loop bind, by each name that these statements read or bind."""
    found: dict[str, set[str]] = {}
    for node in statements(loop.body.body, into_definitions=False):
        if bound := set(_bound_by(node)):
            for name in _names_in(node):
                found.setdefault(name, set()).update(bound)
    return {name: frozenset(bound) for name, bound in found.items()}


def _made_before(inner: Sequence[Node], loop: Node, carried: set[str]) -> set[str]:
    """Of these names, those that the pass itself has given another value before the call."""
    made = set[str]()
    for child, parent in reversed(list(pairwise(inner[: inner.index(loop)]))):
        if isinstance(parent, Block):
            for node in parent.body[: parent.body.index(child)] if child in parent.body else ():
                if isinstance(node, AssignmentStmt):
                    names = {target.name for target in targets_of(node) if isinstance(target, NameExpr)}
                    is_old = not _names_in(node.rvalue).isdisjoint(carried - made)
                    made = made - names if is_old else made | names
    return made


def _bound_by(node: Node) -> Iterator[str]:
    """The names that a node gives a value, or what holds the object that it changes: `losses.append(loss)`."""
    called = node.expr.callee if isinstance(node, ExpressionStmt) and isinstance(node.expr, CallExpr) else None
    changed = [*targets_of(node), *([called] if isinstance(called, MemberExpr) else [])]
    yield from (base.name for base in map(base_of, changed) if isinstance(base, NameExpr))


def _names_in(node: Node) -> set[str]:
    """The names that a node reads or binds; of a statement with blocks, those in front of these."""
    found, pending = set[str](), [node]
    while pending:
        part = pending.pop()
        if isinstance(part, NameExpr):
            found.add(part.name)
        pending += (below for below in parts_of(part) if not isinstance(below, Block))
    return found
