"""What statements bind: their targets, and the value of each in `self.x, self.y = x, y`. All who pair them ask here."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    DelStmt,
    DictionaryComprehension,
    Expression,
    ForStmt,
    GeneratorExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    StarExpr,
    TryStmt,
    TupleExpr,
    WithStmt,
)

from .node_parts import nodes_under
from .trees import single_targets

# The attributes in which nodes keep their targets.
_TARGETS: Final[Mapping[type[Node], tuple[str, ...]]] = {
    AssignmentExpr: ("target",),
    AssignmentStmt: ("lvalues",),
    DelStmt: ("expr",),
    DictionaryComprehension: ("indices",),
    ForStmt: ("index",),
    GeneratorExpr: ("indices",),
    OperatorAssignmentStmt: ("lvalue",),
    TryStmt: ("vars",),
    WithStmt: ("target",),
}
TARGETING: Final = frozenset(_TARGETS)  # the kinds of nodes that have any


def targets_of(node: Node) -> Sequence[Expression]:
    """The single targets that a node of any kind binds, changes or deletes; names in patterns are none."""
    names = _TARGETS.get(type(node))
    if names is None:
        return ()
    if isinstance(node, AssignmentStmt) and _is_plain(node):
        return node.lvalues
    targets = [target for target in nodes_under(node, names) if isinstance(target, Expression)]
    return [single for target in targets for single in single_targets(target)]


def _is_plain(node: AssignmentStmt) -> bool:
    """Whether a statement assigns to one name or attribute, as most do."""
    return len(node.lvalues) == 1 and isinstance(node.lvalues[0], (MemberExpr, NameExpr))


def loops_of(node: Node) -> list[tuple[Expression, Expression]]:
    """Each target of a loop or a comprehension, with what it runs over; none for any other node."""
    if isinstance(node, ForStmt):
        return [(node.index, node.expr)]
    if isinstance(node, (GeneratorExpr, DictionaryComprehension)):
        return list(zip(node.indices, node.sequences, strict=True))
    return []


def assigned_pairs(node: AssignmentStmt) -> list[tuple[Expression, Expression | None]]:
    """Each single target and its value; None if it gets a part of a value that the statement does not write out."""
    if _is_plain(node):
        return [(node.lvalues[0], node.rvalue)]
    return [pair for target in node.lvalues for pair in _pairs(target, node.rvalue)]


def known_pairs(node: AssignmentStmt) -> Iterator[tuple[Expression, Expression]]:
    """Each target whose value the statement writes out."""
    return ((target, value) for target, value in assigned_pairs(node) if value is not None)


def _pairs(target: Expression, value: Expression | None) -> Sequence[tuple[Expression, Expression | None]]:
    if isinstance(target, (TupleExpr, ListExpr)):
        parts = zip(target.items, values_of_items(target.items, value), strict=True)
        return [pair for item, its_value in parts for pair in _pairs(item, its_value)]
    return ((target.expr if isinstance(target, StarExpr) else target, value),)


def values_of_items(targets: list[Expression], value: Expression | None) -> list[Expression | None]:
    """The value of each target in `a, *rest, b = value`.

    None for a target that takes several values, and for all of them unless the value is a display that shows which
    target gets what.
    """
    values = value.items if isinstance(value, (TupleExpr, ListExpr)) else []
    starred = next((index for index, item in enumerate(targets) if isinstance(item, StarExpr)), None)
    fits = len(values) == len(targets) if starred is None else len(values) >= len(targets) - 1
    if not fits or any(isinstance(item, StarExpr) for item in values):
        return [None] * len(targets)
    behind = len(targets) if starred is None else starred
    return [
        None if index == starred else values[index - len(targets) if index > behind else index]
        for index in range(len(targets))
    ]
