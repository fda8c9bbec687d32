"""Code that runs once whoever calls the function around it: the program ends there, or keeps what the code makes."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    Block,
    CallExpr,
    ComparisonExpr,
    Expression,
    ExpressionStmt,
    FuncItem,
    IfStmt,
    IndexExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    RaiseStmt,
    ReturnStmt,
    Statement,
    StrExpr,
    TryStmt,
    UnaryExpr,
    WithStmt,
)

from ..knowledge import naming
from ..syntax.imports import full_name
from ..syntax.literals import is_none
from ..syntax.trees import assignment_targets, dotted_name, names_declared_outside, nodes_below, statements
from .checked_file import CheckedFile
from .surroundings import surroundings

_MISSING: Final = frozenset({"KeyError", "AttributeError"})
_LOOKED_UP: Final = frozenset({"get", "keys"})


def is_once_here(node: Node, file: CheckedFile) -> bool:
    return is_once_in(surroundings(node, file).around, file.tree)


def is_once_in(around: Sequence[Node], tree: MypyFile) -> bool:
    """Whether the code in front of and around a node, in its function, shows that it runs once, or compiles nothing.

    `around`: the node and those around it, innermost first. mypy may have analysed the file, or only parsed it.
    """
    node = around[0]
    inner = list(takewhile(lambda part: part is node or not isinstance(part, FuncItem), around))
    function = around[len(inner)] if len(inner) < len(around) else None
    place = _Place(tree, function)
    return any(_is_once(child, parent, place) for child, parent in pairwise(inner))


def is_kept(node: Node, file: CheckedFile) -> bool:
    """Whether a value is stored on an object or in a container."""
    parent = surroundings(node, file).parent
    if isinstance(parent, AssignmentStmt):
        return any(isinstance(target, (MemberExpr, IndexExpr)) for target in assignment_targets(parent))
    return isinstance(parent, CallExpr) and getattr(parent.callee, "name", "") == "setdefault" and node in parent.args


class _Place(NamedTuple):
    """Where the code is."""

    tree: MypyFile
    function: Node | None

    def is_of_module(self, name: NameExpr) -> bool:
        """Whether this function sets a variable of the module, or of a function around it, by this name."""
        if "." in (name.fullname or ""):
            return True
        return self.function is not None and name.name in names_declared_outside(nodes_below(self.function))


def _is_once(child: Node, parent: Node, place: _Place) -> bool:
    match parent:
        case WithStmt():
            entered = (full_name(part.callee, place.tree) for part in parent.expr if isinstance(part, CallExpr))
            return child is parent.body and any(map(naming.compiles_nothing, entered))
        case IfStmt() if child in parent.body and isinstance(child, Block):
            asked = set(_missing(parent.expr[parent.body.index(child)]))
            return not asked.isdisjoint(_stored(child.body, place))
        case TryStmt() if child in parent.handlers and isinstance(child, Block):
            types = parent.types[parent.handlers.index(child)]
            return getattr(types, "name", "") in _MISSING and any(_stored(child.body, place))
        case Block() if child in parent.body:
            index = parent.body.index(child)
            return _ends_process(parent.body[index:], place.tree) or _is_left_if_kept(parent.body, index, place)
    return False


def _ends_process(rest: list[Statement], tree: MypyFile) -> bool:
    return any(
        (isinstance(node, ExpressionStmt) and _names_end(node.expr, tree))
        or (isinstance(node, RaiseStmt) and _names_end(node.expr, tree))
        for node in rest
    )


def _names_end(node: Expression | None, tree: MypyFile) -> bool:
    callee = node.callee if isinstance(node, CallExpr) else node
    if callee is None:
        return False
    return (full_name(callee, tree) or f"builtins.{dotted_name(callee)}") in naming.ENDING  # if it is only parsed


def _is_left_if_kept(body: list[Statement], index: int, place: _Place) -> bool:
    """Whether a statement in front returns if the value is there: `if key in cache: return cache[key]`."""
    asked = {
        name
        for node in body[:index]
        if isinstance(node, IfStmt) and isinstance(node.body[0].body[-1], ReturnStmt)
        for name in _present(node.expr[0])
    }
    return not asked.isdisjoint(_stored(body[index:], place))


def _missing(condition: Expression) -> Iterator[str]:
    """What a condition finds missing: `self.step is None`, `key not in cache`, `not hasattr(self, "step")`."""
    match condition:
        case ComparisonExpr(operators=["is" | "=="], operands=[asked, other]) if is_none(other):
            yield from _keeper(asked)
        case ComparisonExpr(operators=["not in"], operands=[_, holder]):
            yield from _keeper(holder)
        case UnaryExpr(op="not", expr=asked):
            yield from _present(asked)
        case OpExpr(op="or", left=left, right=right):
            yield from (*_missing(left), *_missing(right))


def _present(condition: Expression) -> Iterator[str]:
    """What a condition finds there: `key in cache`, `hasattr(self, "step")`."""
    match condition:
        case ComparisonExpr(operators=["is not" | "!="], operands=[asked, other]) if is_none(other):
            yield from _keeper(asked)
        case ComparisonExpr(operators=["in"], operands=[_, holder]):
            yield from _keeper(holder)
        case CallExpr(callee=NameExpr(name="hasattr"), args=[owner, StrExpr(value=name)]):
            yield f"{dotted_name(owner)}.{name}"
        case NameExpr() | MemberExpr() | IndexExpr():
            yield from _keeper(condition)


def _keeper(node: Expression) -> Iterator[str]:
    """The attribute, container or variable of the module that an expression reads."""
    if isinstance(node, IndexExpr):
        node = node.base
    elif isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr) and node.callee.name in _LOOKED_UP:
        node = node.callee.expr
    name = dotted_name(node)
    if name is not None:
        yield name


def _stored(body: list[Statement], place: _Place) -> Iterator[str]:
    """The attributes, containers and variables of the module that statements set."""
    for node in statements(body, into_definitions=False):
        for target in assignment_targets(node):
            if not isinstance(target, NameExpr) or place.is_of_module(target):
                yield from _keeper(target)
