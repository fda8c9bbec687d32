"""Which local variables hold a list or dict that code changes by another name: of those, no items are known.

`other = out; other[0] = 3`, `rows = [row]; row[0] = 3`, `pair[0][0] = 3`, `change(out)`, or in a nested function.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    CallExpr,
    ConditionalExpr,
    DictExpr,
    Expression,
    ForStmt,
    FuncItem,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    SymbolNode,
    TupleExpr,
)

from ...knowledge.members import ELEMENT_METHODS, MUTATING_METHODS
from ...source.checked_file import CheckedFile, once_per_file
from ...syntax.assignments import TARGETING, known_pairs, targets_of
from ...syntax.names import last_name
from ...syntax.node_parts import BELOW, OF_OTHERS
from ...syntax.trees import self_parameter

_DISPLAYS: Final = (TupleExpr, ListExpr)
# The kinds of nodes that bind variables, or store or change items.
_LINKING: Final = TARGETING | {CallExpr}


class _Change(NamedTuple):
    """`a[0] = 3`, or `a[0][1] = 3` deeper in what it holds."""

    variable: SymbolNode
    is_deep: bool
    within: FuncItem | None


class _Links:
    """Which variables are names of the same objects, and which hold others."""

    def __init__(self) -> None:
        self.same: dict[SymbolNode, set[SymbolNode]] = {}
        self.holders: dict[SymbolNode, set[SymbolNode]] = {}
        self.held: dict[SymbolNode, set[SymbolNode]] = {}

    def add(self, variable: SymbolNode, value: Expression | None) -> None:
        """`variable` is bound to a value."""
        for other, is_part in _named_in(value):
            if is_part:
                self.hold(other, variable)
            else:
                self.same.setdefault(variable, set()).add(other)
                self.same.setdefault(other, set()).add(variable)
        for other in _items_of(value):
            self.hold(variable, other)

    def hold(self, holder: SymbolNode, held: SymbolNode) -> None:
        self.holders.setdefault(held, set()).add(holder)
        self.held.setdefault(holder, set()).add(held)

    def affected_by(self, change: _Change) -> set[SymbolNode]:
        """The variables that hold what changes, at any depth."""
        start = self._reached({change.variable}, self.held) if change.is_deep else {change.variable}
        return self._reached(start, self.holders)

    def _reached(self, start: set[SymbolNode], links: dict[SymbolNode, set[SymbolNode]]) -> set[SymbolNode]:
        found, pending = set(start), [*start]
        while pending:
            variable = pending.pop()
            new = (self.same.get(variable, set()) | links.get(variable, set())) - found
            found |= new
            pending += new
        return found


@once_per_file
def changed_by_other_names(file: CheckedFile) -> frozenset[SymbolNode]:
    """The variables that hold a container which may be changed where its own name does not stand."""
    links, changes = _Links(), list[_Change]()
    bound_in: dict[SymbolNode, FuncItem | None] = {}
    for node, within in _with_functions(file.tree):
        for variable, value in _bindings(node):
            bound_in.setdefault(variable, within)
            links.add(variable, value)
        for holder, value in _stored(node):
            for item in (*_items_of(value), *(name for name, _ in _named_in(value))):
                links.hold(holder, item)
        if isinstance(node, CallExpr):
            _link_arguments(node, links, file)
        changes += _changes(node, within)
    found: set[SymbolNode] = set()
    for change in changes:
        is_outer = bound_in.get(change.variable, change.within) is not change.within
        found |= links.affected_by(change) - (set() if is_outer else {change.variable})
    return frozenset(found)


def _with_functions(tree: Node) -> Iterator[tuple[Node, FuncItem | None]]:
    """Each node of a file that may bind, store or change something, with the innermost function around it."""
    pending: list[tuple[Node, FuncItem | None]] = [(tree, None)]
    while pending:
        node, within = pending.pop()
        kind = type(node)
        if kind in _LINKING:
            yield node, within
        if (below := BELOW.get(kind, OF_OTHERS)) is not None:
            inside = node if isinstance(node, FuncItem) else within
            pending += [(part, inside) for part in below(node)]


def _bindings(node: Node) -> Iterator[tuple[SymbolNode, Expression | None]]:
    if isinstance(node, AssignmentStmt):
        pairs: list[tuple[Expression, Expression | None]] = list(known_pairs(node))
    elif isinstance(node, AssignmentExpr):
        pairs = [(node.target, node.value)]
    elif isinstance(node, ForStmt):
        pairs = [(target, IndexExpr(item, item)) for target in targets_of(node) for item in _run_over(node.expr)]
    else:
        return
    yield from ((target.node, value) for target, value in pairs if isinstance(target, NameExpr) and target.node)


def _run_over(node: Expression) -> list[Expression]:
    """What a loop takes items of: `enumerate(rows)` of `rows`."""
    return [*node.args] if isinstance(node, CallExpr) and not isinstance(node.callee, MemberExpr) else [node]


def _named_in(value: Expression | None) -> Iterator[tuple[SymbolNode, bool]]:
    """The variables of which a value is the object, or a part of it."""
    if isinstance(value, NameExpr):
        yield from [(value.node, False)] if value.node is not None else []
    elif isinstance(value, (IndexExpr, MemberExpr)):
        owner = value.base if isinstance(value, IndexExpr) else value.expr
        yield from ((variable, True) for variable, _ in _named_in(owner))
        yield from ((variable, False) for variable in _items_of(owner))
    elif isinstance(value, ConditionalExpr):
        yield from (*_named_in(value.if_expr), *_named_in(value.else_expr))
    elif isinstance(value, AssignmentExpr):
        yield from _named_in(value.value)
    elif isinstance(value, CallExpr) and isinstance(value.callee, MemberExpr) and value.callee.name in ELEMENT_METHODS:
        yield from ((variable, True) for variable, _ in _named_in(value.callee.expr))


def _items_of(value: Expression | None) -> Iterator[SymbolNode]:
    """The variables whose objects a display holds."""
    items = value.items if isinstance(value, _DISPLAYS) else []
    items = [one for _, one in value.items] if isinstance(value, DictExpr) else items
    for item in items:
        yield from (variable for variable, _ in _named_in(item))
        yield from _items_of(item)


def _stored(node: Node) -> Iterator[tuple[SymbolNode, Expression]]:
    """`rows[0] = row`, `rows.append(row)`: the variable, and what it then holds."""
    if isinstance(node, AssignmentStmt):
        for target, value in known_pairs(node):
            if isinstance(target, IndexExpr):
                yield from ((variable, value) for variable, _ in _named_in(target))
    elif isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr) and node.callee.name in MUTATING_METHODS:
        for variable, _ in _named_in(node.callee.expr):
            yield from ((variable, argument) for argument in node.args)


def _changes(node: Node, within: FuncItem | None) -> Iterator[_Change]:
    """The changes of items that a node makes."""
    for target in targets_of(node):
        if isinstance(target, IndexExpr):
            yield from (_Change(variable, is_deep, within) for variable, is_deep in _named_in(target.base))
    if isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr) and node.callee.name in MUTATING_METHODS:
        yield from (_Change(variable, is_deep, within) for variable, is_deep in _named_in(node.callee.expr))


def _link_arguments(call: CallExpr, links: _Links, file: CheckedFile) -> None:
    """What a call passes is, in the functions of the file with this name, what a parameter names."""
    for function in file.functions_named.get(last_name(call.callee), ()):
        own = self_parameter(function)
        parameters = [one.variable for one in function.arguments if one.variable is not own]
        by_name = {variable.name: variable for variable in parameters}
        for index, (argument, name) in enumerate(zip(call.args, call.arg_names, strict=True)):
            parameter = by_name.get(name) if name else parameters[index] if index < len(parameters) else None
            if parameter is not None:
                links.add(parameter, argument)
