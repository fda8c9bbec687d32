"""Code that runs once whoever calls the function around it: the program ends there, or keeps what the code makes."""

from collections.abc import Iterator
from itertools import pairwise, takewhile
from typing import Final

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
from ..source.checked_file import CheckedFile
from ..source.surroundings import surroundings
from ..syntax.imports import full_name
from ..syntax.literals import is_none
from ..syntax.trees import assignment_targets, callee_name, dotted_name, statements

_MISSING: Final = frozenset({"KeyError", "AttributeError"})
_LOOKED_UP: Final = frozenset({"get", "keys"})


def is_once_here(node: Node, file: CheckedFile) -> bool:
    """Whether the code in front of and around a node, in its function, shows that it runs once, or compiles nothing."""
    around = surroundings(node, file).around
    inner = list(takewhile(lambda part: part is node or not isinstance(part, FuncItem), around))
    return any(_is_once(child, parent, file) for child, parent in pairwise(inner))


def is_kept(node: Node, file: CheckedFile) -> bool:
    """Whether a value is stored on an object or in a container."""
    parent = surroundings(node, file).parent
    if isinstance(parent, AssignmentStmt):
        return any(isinstance(target, (MemberExpr, IndexExpr)) for target in assignment_targets(parent))
    return isinstance(parent, CallExpr) and getattr(parent.callee, "name", "") == "setdefault" and node in parent.args


def _is_once(child: Node, parent: Node, file: CheckedFile) -> bool:
    match parent:
        case WithStmt():
            entered = (part for part in parent.expr if isinstance(part, CallExpr))
            return child is parent.body and any(naming.compiles_nothing(callee_name(call)) for call in entered)
        case IfStmt() if child in parent.body and isinstance(child, Block):
            asked = set(_missing(parent.expr[parent.body.index(child)]))
            return not asked.isdisjoint(_stored(child.body))
        case TryStmt() if child in parent.handlers and isinstance(child, Block):
            types = parent.types[parent.handlers.index(child)]
            return getattr(types, "name", "") in _MISSING and any(_stored(child.body))
        case Block() if child in parent.body:
            index = parent.body.index(child)
            return _ends_process(parent.body[index:], file) or _is_left_if_kept(parent.body, index)
    return False


def _ends_process(rest: list[Statement], file: CheckedFile) -> bool:
    return any(
        (isinstance(node, ExpressionStmt) and _names_end(node.expr, file))
        or (isinstance(node, RaiseStmt) and _names_end(node.expr, file))
        for node in rest
    )


def _names_end(node: Expression | None, file: CheckedFile) -> bool:
    callee = node.callee if isinstance(node, CallExpr) else node
    return callee is not None and full_name(callee, file.tree) in naming.ENDING


def _is_left_if_kept(body: list[Statement], index: int) -> bool:
    """Whether a statement in front returns if the value is there: `if key in cache: return cache[key]`."""
    asked = {
        name
        for node in body[:index]
        if isinstance(node, IfStmt) and isinstance(node.body[0].body[-1], ReturnStmt)
        for name in _present(node.expr[0])
    }
    return not asked.isdisjoint(_stored(body[index:]))


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


def _stored(body: list[Statement]) -> Iterator[str]:
    """The attributes, containers and variables of the module that statements set."""
    for node in statements(body, into_definitions=False):
        for target in assignment_targets(node):
            if not isinstance(target, NameExpr) or "." in (target.fullname or ""):
                yield from _keeper(target)
