"""What draws the random numbers that a function returns, by its syntax."""

from collections.abc import Iterator, Sequence
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    FuncDef,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    ReturnStmt,
    Statement,
)

from ...knowledge.members import DRAWING_FUNCTIONS, NUMPY_RANDOM, SEEDING_FUNCTIONS
from ...syntax.assignments import assigned_pairs
from ...syntax.names import below_items, dotted_name
from ...syntax.trees import YIELDS, has_kind, kinds_below, nodes_below, statements
from .scope import ModuleNames

_PASSES: Final = 3  # names that are made of each other, against the order of the lines


def drawn_by(function: FuncDef, nodes: Sequence[Node], names: ModuleNames) -> str:
    """What a function calls for the numbers that it returns; empty if it draws none, or sets the seed itself.

    `nodes`: those of its body.
    """
    is_plain = not function.is_coroutine and not has_kind(nodes, YIELDS)
    called = {call: _called(call, names) for call in kinds_below(function.body).of(CallExpr)} if is_plain else {}
    if any(name in SEEDING_FUNCTIONS for name in called.values()):
        return ""
    drawing = {call for call, name in called.items() if name in DRAWING_FUNCTIONS}
    if not drawing:
        return ""
    body = list(statements(function.body.body, into_definitions=False))
    filled = dict[str, Expression]()
    for _ in range(_PASSES):
        for target, value in (pair for node in body for pair in _assigned(node)):
            call = _drawn_in(value, drawing, filled) or _drawn_in(target, drawing, filled)
            if call is not None and (name := dotted_name(below_items(target))) is not None:
                filled.setdefault(name, call)
    returned = (node.expr for node in body if isinstance(node, ReturnStmt) and node.expr is not None)
    found = next((call for value in returned if (call := _drawn_in(value, drawing, filled)) is not None), None)
    return (dotted_name(found.callee) or "") if isinstance(found, CallExpr) else ""


def public_name(name: str) -> str:
    """The name under which people call a function of NumPy, which defines it in a private module."""
    return f"{NUMPY_RANDOM}.{name.rpartition('.')[2]}" if name.startswith(f"{NUMPY_RANDOM}.") else name


def _called(call: CallExpr, names: ModuleNames) -> str:
    written = dotted_name(call.callee)
    return public_name(names.full_name(written)) if written else ""


def _assigned(node: Statement) -> Iterator[tuple[Expression, Expression]]:
    if isinstance(node, OperatorAssignmentStmt):
        yield node.lvalue, node.rvalue
    elif isinstance(node, AssignmentStmt):
        yield from ((target, value if value is not None else node.rvalue) for target, value in assigned_pairs(node))


def _drawn_in(value: Expression, drawing: set[CallExpr], filled: dict[str, Expression]) -> Expression | None:
    """The call whose numbers are in a value."""
    parts: list[Node] = [value, *nodes_below(value)]
    for part in parts:
        if isinstance(part, CallExpr) and part in drawing:
            return part
        name = dotted_name(part) if isinstance(part, NameExpr | MemberExpr) else None
        if name in filled:
            return filled[name]
    return None
