"""Finds lists and dicts that get longer on each pass of a loop, and are not made again in it."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    IndexExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    RefExpr,
    Var,
)

from ...knowledge.members import CONTAINERS_MADE, EXTENDING_METHODS, SHRINKING_METHODS
from ...source.bindings import bindings_of
from ...source.checked_file import CheckedFile
from ...source.self_values import attribute_of_self, values_of_self
from ...source.surroundings import Surroundings, surroundings
from ...syntax.assignments import targets_of
from ...syntax.changes import Change, ChangeKind, changes
from ...syntax.names import dotted_name
from ...syntax.trees import nodes_below
from .iterated import called_name
from .loops import Passes, binding, counted_passes, updating_passes

_JOINING: Final = frozenset({"+", "*", "|"})


def longer_on_pass(node: Expression, place: Surroundings, loop: Node, file: CheckedFile) -> str | None:
    """The name of a list or dict that is made before a loop, and that each pass extends before or after a call.

    `place`: of the call.
    """
    if not isinstance(node, (NameExpr, MemberExpr)) or not _is_made_before(node, loop, file):
        return None
    found = [change for change in changes(nodes_below(loop)) if _is_same(change.target, node)]
    if any(_shortens(change) for change in found) or _is_short(node, loop, file):
        return None
    extending = (change for change in found if _extends(change, loop, file))
    is_sure = any(surroundings(change.context, file).block in place.around for change in extending)
    return dotted_name(node) if is_sure else None


def _is_made_before(node: RefExpr, loop: Node, file: CheckedFile) -> bool:
    if isinstance(node, NameExpr):
        is_bound = isinstance(node.node, Var) and not any(binding(node.node, nodes_below(loop)))
        made = [binding.value for binding in bindings_of(node.node, file)] if is_bound else []
    else:
        attribute = attribute_of_self(node)
        is_set = any(_is_same(target, node) for below in nodes_below(loop) for target in targets_of(below))
        made = list(values_of_self(file, attribute)) if attribute is not None and not is_set else []
    return bool(made) and all(value is not None and _is_collection(value) for value in made)


def _is_collection(value: Expression) -> bool:
    """Whether a value is a new list or dict: `[]`, `list(prompt)`, `[start] + rest`, `[0 for _ in xs]`."""
    if isinstance(value, OpExpr):
        return value.op in _JOINING and (_is_collection(value.left) or _is_collection(value.right))
    is_made = isinstance(value, CallExpr) and called_name(value) in CONTAINERS_MADE
    return is_made or isinstance(value, (ListExpr, DictExpr, ListComprehension, DictionaryComprehension))


def _is_same(target: Expression, node: Expression) -> bool:
    if isinstance(target, MemberExpr) and isinstance(node, MemberExpr):
        return target.name == node.name and _is_same(target.expr, node.expr)
    return isinstance(target, NameExpr) and isinstance(node, NameExpr) and target.node is node.node


def _shortens(change: Change) -> bool:
    is_deleted = change.kind is ChangeKind.ITEM and not change.values
    return change.method in SHRINKING_METHODS or change.kind is ChangeKind.NAME or is_deleted


def _extends(change: Change, loop: Node, file: CheckedFile) -> bool:
    return change.method in EXTENDING_METHODS or any(_is_new_key(key, loop, file) for key in _keys(change))


def _keys(change: Change) -> Iterator[Expression]:
    """The keys under which a statement stores an item."""
    targets = targets_of(change.context) if isinstance(change.context, AssignmentStmt) else ()
    for target in targets:
        if isinstance(target, IndexExpr) and target.base is change.target:
            yield target.index


def _is_new_key(key: Expression, loop: Node, file: CheckedFile) -> bool:
    """Whether each pass has another key: it counts the passes."""
    variable = key.node if isinstance(key, NameExpr) else None
    return isinstance(variable, Var) and counted_passes(loop, variable, file) in (Passes.UNKNOWN, Passes.MANY)


def _is_short(node: RefExpr, loop: Node, file: CheckedFile) -> bool:
    holder = node.expr if isinstance(node, MemberExpr) else node
    variable = holder.node if isinstance(holder, NameExpr) else None
    return isinstance(variable, Var) and updating_passes(loop, variable, file) is Passes.FEW
