"""Finds statements that mutate an object, or assign to a variable of an outer function."""

from collections.abc import Iterable, Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    CallExpr,
    DelStmt,
    EllipsisExpr,
    Expression,
    ExpressionStmt,
    IndexExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    ReturnStmt,
    StrExpr,
    TempNode,
    TupleExpr,
)

from ..knowledge.members import CHANGING_METHODS, SEQUENCE_METHODS
from .assignments import assigned_pairs
from .literals import literal
from .names import dotted_name


class ChangeKind(Enum):
    """What a change does to its target."""

    ATTRIBUTE = auto()
    ITEM = auto()
    WHOLE = auto()  # `ref[...] = x`
    METHOD = auto()
    NAME = auto()  # `nonlocal x; x = ...`
    LIFTED = auto()  # none: a library refuses the object in another trace all the same


class Change(NamedTuple):
    """One statement that changes an object, or assigns to a name."""

    context: Node
    kind: ChangeKind
    target: Expression  # the object that changes; the name that is assigned
    written: str
    values: tuple[Expression, ...]
    method: str = ""
    is_returned: bool = False  # the result of the method
    is_forced: bool = False  # by `object.__setattr__` or through `__dict__`: a frozen class does not prevent it
    is_computed: bool = False  # the value is what JAX computes, of whatever `values`
    item: IndexExpr | None = None  # that is assigned
    library: str = ""  # whose function makes it: `nnx.update(model, state)`


# The kinds of nodes that may.
CHANGING: Final = frozenset(
    {AssignmentStmt, OperatorAssignmentStmt, AssignmentExpr, DelStmt, ExpressionStmt, ReturnStmt}
)
SETTERS: Final = ("setattr", "object.__setattr__")
# Stores a value unless there is one, and returns what is there then.
DEFAULTING: Final = "setdefault"


def changes(nodes: Iterable[Node]) -> Iterator[Change]:
    """The changes that these nodes themselves make, assignments to names among them."""
    for node in nodes:
        if type(node) not in CHANGING:
            continue
        # `x: int` alone is an assignment of a `TempNode` (mypy 2.4.1).
        if isinstance(node, AssignmentStmt) and not isinstance(node.rvalue, TempNode):
            for target, value in assigned_pairs(node):
                yield from _assigned(node, target, (value if value is not None else node.rvalue,))
        elif isinstance(node, OperatorAssignmentStmt):
            yield from _assigned(node, node.lvalue, (node.rvalue,))
        elif isinstance(node, AssignmentExpr):
            yield from _assigned(node, node.target, (node.value,))
        elif isinstance(node, DelStmt):
            for target in node.expr.items if isinstance(node.expr, TupleExpr) else [node.expr]:
                if not isinstance(target, NameExpr):
                    yield from _assigned(node, target, ())
        elif isinstance(node, (ExpressionStmt, ReturnStmt)) and isinstance(node.expr, CallExpr):
            yield from _called(node, node.expr)


def changes_and_defaults(nodes: Iterable[Node]) -> Iterator[Change]:
    """The same, with `d.setdefault(key, value)` in `return`, in `x =` and in any other expression that uses it."""
    found = [node for node in nodes if type(node) in CHANGING or isinstance(node, CallExpr)]
    of_statements = {_expression_of(node) for node in found}
    for node in found:
        yield from changes((node,))
        call = _expression_of(node) if isinstance(node, (AssignmentStmt, ReturnStmt)) else node
        callee = call.callee if isinstance(call, CallExpr) and len(call.args) == 2 else None
        if call is node and node in of_statements:
            continue
        if isinstance(call, CallExpr) and isinstance(callee, MemberExpr) and callee.name == DEFAULTING:
            shown = f"{written(callee.expr)}.{callee.name}(...)"
            yield Change(node, ChangeKind.METHOD, callee.expr, shown, tuple(call.args), callee.name, is_returned=True)


def _expression_of(node: Node) -> Expression | None:
    """What a statement evaluates and assigns, returns or drops."""
    if isinstance(node, AssignmentStmt):
        return node.rvalue
    return node.expr if isinstance(node, (ExpressionStmt, ReturnStmt)) else None


def _assigned(node: Node, target: Expression, values: tuple[Expression, ...]) -> Iterator[Change]:
    if isinstance(target, NameExpr):
        yield Change(node, ChangeKind.NAME, target, target.name, values)
    elif isinstance(target, MemberExpr):
        yield Change(node, ChangeKind.ATTRIBUTE, target.expr, written(target), values)
    elif isinstance(target, IndexExpr):
        is_dict = isinstance(target.base, MemberExpr) and target.base.name == "__dict__"
        is_whole = isinstance(target.index, EllipsisExpr)
        kind = ChangeKind.ATTRIBUTE if is_dict else ChangeKind.WHOLE if is_whole else ChangeKind.ITEM
        yield Change(node, kind, target.base, written(target), values, is_forced=is_dict, item=target)


def _called(node: Node, call: CallExpr) -> Iterator[Change]:
    callee = call.callee
    if dotted_name(callee) in SETTERS and len(call.args) == 3:
        if isinstance(name := literal(call.args[1]), str):
            shown, is_forced = f"{written(call.args[0])}.{name}", isinstance(callee, MemberExpr)
            yield Change(node, ChangeKind.ATTRIBUTE, call.args[0], shown, (call.args[2],), is_forced=is_forced)
    elif isinstance(callee, MemberExpr) and callee.name in _methods_in(node) and updated_by_index(callee.expr) is None:
        yield Change(
            node,
            ChangeKind.METHOD,
            callee.expr,
            f"{written(callee.expr)}.{callee.name}(...)",
            tuple(call.args),
            callee.name,
            is_returned=isinstance(node, ReturnStmt),
        )


def _methods_in(node: Node) -> frozenset[str]:
    """An expression statement is there for its effect, so more method names count as mutating there."""
    return CHANGING_METHODS if isinstance(node, ExpressionStmt) else SEQUENCE_METHODS


def updated_by_index(node: Expression) -> Expression | None:
    """The `x` in `x.at[i]`; None for anything else."""
    base = node.base if isinstance(node, IndexExpr) else None
    return base.expr if isinstance(base, MemberExpr) and base.name == "at" else None


def written(node: Expression) -> str:
    """The target as written in the source, shortened."""
    if (name := dotted_name(node)) is not None:
        return name
    if isinstance(node, MemberExpr):
        return f"{written(node.expr)}.{node.name}"
    if isinstance(node, IndexExpr):
        key = literal(node.index)
        shown = f'"{key}"' if isinstance(node.index, StrExpr) else str(key) if isinstance(key, int) else None
        return f"{written(node.base)}[{shown or dotted_name(node.index) or '...'}]"
    return "..."
