"""Walks over mypy's syntax trees, as none of its own can be extended.

Its visitors are compiled: "interpreted classes cannot inherit from compiled traits" (mypy 2.4.1, `TraverserVisitor`).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

from mypy.nodes import (
    AssignmentStmt,
    Block,
    CallExpr,
    ClassDef,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    GlobalDecl,
    IfStmt,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    NonlocalDecl,
    OperatorAssignmentStmt,
    OverloadedFuncDef,
    StarExpr,
    Statement,
    TupleExpr,
    Var,
    YieldExpr,
    YieldFromExpr,
)
from mypy.traverser import NameAndMemberCollector

from ..memory import until_next_file
from .node_parts import BELOW, BLOCKS, CHILDREN, OF_OTHERS, SIMPLE, nodes_under, of_function

ASSIGNMENTS: Final = (AssignmentStmt, OperatorAssignmentStmt)
YIELDS: Final = frozenset({YieldExpr, YieldFromExpr})
_OUTSIDE: Final = frozenset({GlobalDecl, NonlocalDecl})

NodeT = TypeVar("NodeT", bound=Node)


def has_kind(nodes: Iterable[Node], kinds: frozenset[type[Node]]) -> bool:
    """Whether one of these nodes is of one of these kinds: without a step of Python for each node."""
    return not kinds.isdisjoint(map(type, nodes))


class ByKind:
    """Nodes, sorted once for all who ask for those of one kind."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._found = defaultdict[type[Node], list[Any]](list)
        for node in nodes:
            self._found[type(node)].append(node)

    def of(self, kind: type[NodeT]) -> list[NodeT]:
        """Those of one kind, in order."""
        return self._found.get(kind, [])


def children(node: Node) -> list[Node] | None:
    """The nodes directly below a node, in order; None for a kind of node that is not in the table."""
    names = CHILDREN.get(type(node))
    return None if names is None else nodes_under(node, names)


def statements(body: Sequence[Statement], *, into_definitions: bool = True) -> list[Statement]:
    """Every statement in a body and in the blocks below it, in order."""
    found: list[Statement] = []
    _add_statements(body, found, into_definitions)
    return found


def _add_statements(body: Sequence[Statement], found: list[Statement], into_definitions: bool) -> None:
    if SIMPLE.issuperset(map(type, body)):
        found += body
        return
    for node in body:
        found.append(node)
        if type(node) in SIMPLE:
            continue
        if isinstance(node, (FuncDef, ClassDef)):
            if into_definitions:
                _add_statements((node.body if isinstance(node, FuncDef) else node.defs).body, found, True)
        elif isinstance(node, IfStmt):  # has lists for `elif`, which mypy 2.4.1 parses as an `if` in the else block
            for branch in node.body:
                _add_statements(branch.body, found, into_definitions)
            if node.else_body is not None:
                _add_statements(node.else_body.body, found, into_definitions)
        elif isinstance(node, Decorator):
            _add_statements([node.func], found, into_definitions)
        elif isinstance(node, OverloadedFuncDef):
            _add_statements(node.unanalyzed_items, found, into_definitions)
        else:
            for block in nodes_under(node, BLOCKS):
                if isinstance(block, Block):
                    _add_statements(block.body, found, into_definitions)


def last_statement(block: Block) -> Statement | None:
    """None for a block that mypy emptied: of an `if` around one of several definitions of a name (mypy 2.4.1)."""
    return block.body[-1] if block.body else None


def assignment_targets(node: Statement) -> Sequence[Expression]:
    """The single targets that a statement assigns to."""
    if isinstance(node, AssignmentStmt):
        return [single for target in node.lvalues for single in single_targets(target)]
    return (node.lvalue,) if isinstance(node, OperatorAssignmentStmt) else ()


def names_assigned(node: Statement) -> Iterator[str]:
    """The names, without attributes and items, that a statement assigns to."""
    return (target.name for target in assignment_targets(node) if isinstance(target, NameExpr))


def single_targets(target: Expression) -> Sequence[Expression]:
    """A target, or the targets inside a tuple or list of them."""
    if isinstance(target, (TupleExpr, ListExpr)):
        return [single for item in target.items for single in single_targets(item)]
    return (target.expr if isinstance(target, StarExpr) else target,)


def mentioned_names(node: Node) -> Iterator[str]:
    """The names that are used other than by calling them, in any order."""
    pending = [node]
    while pending:
        node = pending.pop()
        if isinstance(node, NameExpr):
            yield node.name
        elif isinstance(node, MemberExpr):
            yield node.name
            pending.append(node.expr)
        elif isinstance(node, CallExpr):
            pending += node.args
            if not isinstance(node.callee, NameExpr):  # of `Outer.Inner(x)`, only `Outer` may register itself
                pending.append(node.callee.expr if isinstance(node.callee, MemberExpr) else node.callee)
        else:
            pending += parts_of(node)


def nodes_below(node: Node) -> Sequence[Node]:
    """A node and everything below it, in order, including decorators and rare kinds of nodes.

    A list, as a generator takes twice as long, and nearly all who ask go through the whole of it. Many ask for the same
    bodies of functions.
    """
    return _nodes_of_block(node) if isinstance(node, Block) else _nodes_below(node)


@until_next_file
def _nodes_of_block(block: Block) -> list[Node]:
    return _nodes_below(block)


@until_next_file
def kinds_below(block: Block) -> ByKind:
    """The nodes below a block, by their kinds."""
    return ByKind(_nodes_of_block(block))


def _nodes_below(node: Node) -> list[Node]:
    found: list[Node] = []
    pending, below_kind = [node], BELOW.get
    while pending:
        node = pending.pop()
        found.append(node)
        below = below_kind(type(node), OF_OTHERS)
        if below is of_function:
            for part in of_function(node):
                found += nodes_below(part)  # of the body, those that all who ask for them share
        elif below is not None:
            pending += below(node)[::-1]
    return found


def names_and_attributes(node: Node) -> tuple[list[NameExpr], list[MemberExpr]]:
    """The names and the attributes below a node, in any order: by mypy's own walk, which is compiled."""
    collector = NameAndMemberCollector()
    node.accept(collector)
    return collector.name_exprs, collector.member_exprs


def parts_of(node: Node) -> Sequence[Node]:
    """The nodes directly below a node."""
    below = BELOW.get(type(node), OF_OTHERS)
    return below(node) if below is not None else ()


def names_declared_outside(nodes: Sequence[Node]) -> frozenset[str]:
    """The names that `global` and `nonlocal` statements among these nodes declare."""
    if not has_kind(nodes, _OUTSIDE):
        return frozenset()
    return frozenset(name for node in nodes if isinstance(node, (GlobalDecl, NonlocalDecl)) for name in node.names)


def self_parameter(function: FuncItem) -> Var | None:
    """`self` or `cls`: the parameter that receives the object or class a method is called on."""
    # A function nested in a method has a full name like that of a method, but no `info` (mypy 2.4.1).
    if not function.info or function.is_static or not function.arguments:
        return None
    first = function.arguments[0]
    return first.variable if first.kind.is_positional() else None


def covers(node: Node, line: int) -> bool:
    """Whether a node spans a line. What mypy generates, as a dataclass's `__init__`, has no end (seen with 2.4.1)."""
    return node.end_line is not None and node.line <= line <= node.end_line


def ends_after(node: Node, other: Node) -> bool:
    """Whether a node ends after the start of another one of the same file."""
    if node.end_line is None or node.end_column is None:
        return False
    return (node.end_line, node.end_column) > (other.line, other.column)
