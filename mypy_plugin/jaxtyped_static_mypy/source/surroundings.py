"""Finds what is around a node: functions, loops and blocks, and whether a bound value is used up on each pass."""

from collections.abc import Callable, Container, Iterator, Mapping
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    Block,
    BreakStmt,
    CallExpr,
    ComparisonExpr,
    Decorator,
    DictExpr,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncDef,
    FuncItem,
    GeneratorExpr,
    IfStmt,
    IndexExpr,
    IntExpr,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    RaiseStmt,
    ReturnStmt,
    SetExpr,
    StrExpr,
    SymbolNode,
    TupleExpr,
    TypeInfo,
    WhileStmt,
    WithStmt,
)

from ..knowledge import naming
from ..syntax.node_parts import BELOW, OF_OTHERS
from ..syntax.trees import nodes_below
from .bindings import ANY_KEY, made_by, names_bound_by
from .checked_file import CheckedFile, once_per_file
from .rare_passes import is_after_failure, waits_for_somebody

_Follow = Callable[[Expression], Expression]

_LITERALS: Final = (TupleExpr, ListExpr, SetExpr, DictExpr)
# Functions that iterate over their arguments, and dict methods that iterate over the dict.
_RUNS_OVER: Final = ("enumerate", "list", "product", "reversed", "sorted", "tuple")
_MAKES_ARRAY: Final = ("array", "asarray")  # of its first argument
_SHORTEST: Final = "zip"  # it ends with the shortest of its arguments
_RUNS_OVER_DICT: Final = ("items", "keys", "values")


class Surroundings(NamedTuple):
    """The nodes around a node, innermost first."""

    around: tuple[Node, ...]  # the node itself first
    function: FuncItem | None
    loops: tuple[Node, ...]  # that function's loops around the node
    repeating: tuple[Node, ...]  # those that may run it again, unless the source fixes the number of passes

    @property
    def parent(self) -> Node | None:
        return self.around[1] if len(self.around) > 1 else None

    @property
    def block(self) -> Block | None:
        return next((node for node in self.around if isinstance(node, Block)), None)

    @property
    def cls(self) -> TypeInfo | None:
        """The class of the innermost method around the node."""
        return next((node.info for node in self.around if isinstance(node, FuncDef) and node.info), None)

    @property
    def managers(self) -> Iterator[Expression]:
        """What the `with` statements around the node enter, in its function."""
        inside = takewhile(lambda node: not isinstance(node, FuncItem), self.around)
        return (manager for node in inside if isinstance(node, WithStmt) for manager in node.expr)

    @property
    def is_called(self) -> bool:
        """Whether the value is called on the spot."""
        return isinstance(self.parent, CallExpr) and self.parent.callee is self.around[0]


def all_around(node: Node, file: CheckedFile) -> list[Node]:
    """A node and those around it, innermost first: where nothing is asked about functions and loops."""
    return nodes_around(node, _parents_around(node, file))


def surroundings(node: Node, file: CheckedFile) -> Surroundings:
    """The nodes around a node, with the innermost function among them and the loops inside that."""
    return _surroundings(file, node)


@once_per_file
def _surroundings(file: CheckedFile, node: Node) -> Surroundings:
    return surroundings_in(node, _parents_around(node, file), lambda value: made_by(value, file))


def surroundings_in(node: Node, parents: Mapping[Node, Node], follow: _Follow) -> Surroundings:
    """The same in a file that mypy may only have parsed. `follow`: finds what makes the value of a name."""
    around = nodes_around(node, parents)
    loops: list[Node] = []
    repeating: list[Node] = []
    asked: set[str] = set()
    leaves = leaves_loop = is_rare = False
    for child, parent in pairwise(around):
        if isinstance(parent, (FuncDef, LambdaExpr)) and child is parent.body:
            return Surroundings(tuple(around), parent, tuple(loops), tuple(repeating))
        leaves = leaves or _is_left_after(child, parent, (ReturnStmt, RaiseStmt))
        leaves_loop = leaves_loop or _is_left_after(child, parent, (BreakStmt,))
        is_rare = is_rare or is_after_failure(child, parent)
        asked |= _asked(child, parent)
        if repeats(child, parent):
            loops.append(parent)
            is_once = leaves or leaves_loop or _has_written_out(parent, follow) or _counts_to(asked, parent)
            if not (is_once or is_rare or waits_for_somebody(parent)):
                repeating.append(parent)
            leaves_loop = False
    return Surroundings(tuple(around), None, tuple(loops), tuple(repeating))


def iterable_of(name: NameExpr, file: CheckedFile) -> Expression | None:
    """What a loop or comprehension around a name goes over, if the name stands for each of its items."""
    bound = (pair for loop in surroundings(name, file).around for pair in names_bound_by(loop))
    found = next((binding for target, binding in bound if target.node is name.node), None)
    return found.value if found is not None and found.path == (ANY_KEY,) else None


def are_alternatives(node: Node, other: Node, file: CheckedFile) -> bool:
    """Whether two nodes stand in different branches of one `if`."""
    ways = [tuple(pairwise(surroundings(each, file).around)) for each in (node, other)]
    above = {parent: child for child, parent in ways[1]}
    found = next(((child, parent) for child, parent in ways[0] if parent in above), None)
    if found is None or not isinstance(found[1], IfStmt):
        return False
    blocks = found[0], above[found[1]]
    return blocks[0] is not blocks[1] and all(isinstance(block, Block) for block in blocks)


def nodes_around(node: Node, parents: Mapping[Node, Node]) -> list[Node]:
    """A node and those around it, innermost first."""
    around = [node]
    while (parent := parents.get(around[-1])) is not None:
        around.append(parent)
    return around


def _parents_around(node: Node, file: CheckedFile) -> Mapping[Node, Node]:
    """Maps each node of the surrounding module-level statement to its parent."""
    roots = (root for root in file.tree.defs if root.line <= node.line <= (root.end_line or node.line))
    return next((parents for root in roots if node in (parents := _parents(file, root))), {})


@once_per_file
def _parents(file: CheckedFile, root: Node) -> Mapping[Node, Node]:
    return parents_below(root)


def parents_below(root: Node) -> Mapping[Node, Node]:
    """Maps each node below another to its parent."""
    parents: dict[Node, Node] = {}
    pending = [root]
    while pending:
        node = pending.pop()
        if (below := BELOW.get(type(node), OF_OTHERS)) is not None:
            parts = below(node)
            parents.update(dict.fromkeys(parts, node))
            pending += parts[::-1]
    return parents


def _is_left_after(child: Node, parent: Node, leaving: tuple[type[Node], ...]) -> bool:
    """Whether the statement runs at most once, because its block leaves with `return`, `raise` or `break`."""
    if not isinstance(parent, Block):
        return False
    body = list(parent.body)
    return child in body and not set(map(type, body[body.index(child) :])).isdisjoint(leaving)


def repeats(child: Node, parent: Node) -> bool:
    """Whether the loop evaluates this part of it on every pass."""
    if isinstance(parent, ForStmt):
        return child is parent.body
    if isinstance(parent, WhileStmt):
        return child is parent.body or child is parent.expr
    if isinstance(parent, (GeneratorExpr, DictionaryComprehension)):
        return child is not parent.sequences[0]
    return False


def _asked(child: Node, parent: Node) -> set[str]:
    """The name that has to be one number for a block to run: `if i == 4:`."""
    if not isinstance(parent, IfStmt) or child not in parent.body:
        return set()
    condition = parent.expr[parent.body.index(child)] if isinstance(child, Block) else None
    if not isinstance(condition, ComparisonExpr) or condition.operators != ["=="]:
        return set()
    name, number = condition.operands
    return {name.name} if isinstance(name, NameExpr) and isinstance(number, IntExpr) else set()


def _counts_to(asked: Container[str], loop: Node) -> bool:
    """Whether the variable of a loop over a range is one of these."""
    if not isinstance(loop, ForStmt) or not isinstance(loop.expr, CallExpr):
        return False
    index = loop.index
    if isinstance(index, TupleExpr) and getattr(loop.expr.callee, "name", "") == "enumerate":
        index = index.items[0]
    elif getattr(loop.expr.callee, "name", "") != "range":
        return False
    return isinstance(index, NameExpr) and index.name in asked


def _has_written_out(loop: Node, follow: _Follow) -> bool:
    """Whether the number of passes is fixed by the source, as in `for n in (1, 2, 3)`."""
    if isinstance(loop, ForStmt):
        return is_written_out(loop.expr, follow)
    if isinstance(loop, (GeneratorExpr, DictionaryComprehension)):
        return all(is_written_out(sequence, follow) for sequence in loop.sequences)
    return False


def is_written_out(node: Expression, follow: _Follow, passed: frozenset[Expression] = frozenset()) -> bool:
    """Whether the source has all items of what a loop goes over.

    `passed`: what led here; values may be made of each other, in a loop or in turns.
    """
    node = follow(node)
    while isinstance(node, IndexExpr) and (item := _item(follow(node.base), node.index)) is not None:
        if node in passed:
            return False
        passed |= {node}
        node = follow(item)
    if isinstance(node, CallExpr) and node not in passed:
        callee, passed = node.callee, passed | {node}
        if isinstance(callee, MemberExpr) and callee.name in _RUNS_OVER_DICT:
            return is_written_out(callee.expr, follow, passed)
        name = getattr(callee, "name", "")
        items = node.args[:1] if name in _MAKES_ARRAY else node.args
        written_out = (is_written_out(argument, follow, passed) for argument in items)
        if name == _SHORTEST:
            return any(written_out)
        return name in (*_RUNS_OVER, *_MAKES_ARRAY) and bool(node.args) and all(written_out)
    if isinstance(node, NameExpr):
        return naming.is_constant(node.name)  # of another module
    return isinstance(node, _LITERALS)


def _item(table: Expression, key: Expression) -> Expression | None:
    """The item of a dict that the source writes out: `CAMPAIGN["cases"]`."""
    if not isinstance(table, DictExpr) or not isinstance(key, StrExpr):
        return None
    return next((value for name, value in table.items if isinstance(name, StrExpr) and name.value == key.value), None)


def _bound(site: Surroundings) -> tuple[SymbolNode, ...]:
    """The symbols that a statement binds to the value."""
    node, parent = site.around[0], site.parent
    if isinstance(node, Decorator):
        return (node, node.func, node.var)
    if isinstance(parent, AssignmentStmt) and len(parent.lvalues) == 1:
        target = parent.lvalues[0]
        return (target.node,) if isinstance(target, NameExpr) and target.node is not None else ()
    return ()


def uses_of_bound(site: Surroundings, file: CheckedFile) -> Iterator[Surroundings]:
    """The uses of the name that is bound here."""
    names = _bound(site)
    if not names:
        return
    root: Node = site.function if site.function is not None else file.tree
    for node in nodes_below(root):
        if isinstance(node, NameExpr) and node.node in names:
            use = surroundings(node, file)
            if not isinstance(use.parent, AssignmentStmt) or node not in use.parent.lvalues:
                yield use
