"""Pairs the targets of an assignment with their values, as in `self.x, self.y = x, y`."""

from collections.abc import Iterator

from mypy.nodes import AssignmentStmt, Expression, ListExpr, StarExpr, TupleExpr


def assigned_pairs(node: AssignmentStmt) -> Iterator[tuple[Expression, Expression | None]]:
    """Each target and its value; None if the value is unpacked from one that the statement does not write out."""
    for target in node.lvalues:
        yield from _pairs(target, node.rvalue)


def known_pairs(node: AssignmentStmt) -> Iterator[tuple[Expression, Expression]]:
    """Each target whose value the statement writes out."""
    return ((target, value) for target, value in assigned_pairs(node) if value is not None)


def _pairs(target: Expression, value: Expression | None) -> Iterator[tuple[Expression, Expression | None]]:
    if isinstance(target, StarExpr):
        yield target.expr, None
        return
    if not isinstance(target, (TupleExpr, ListExpr)):
        yield target, value
        return
    values = value.items if isinstance(value, (TupleExpr, ListExpr)) else []
    fits = len(values) == len(target.items) and not any(isinstance(one, StarExpr) for one in (*target.items, *values))
    for index, item in enumerate(target.items):
        yield from _pairs(item, values[index] if fits else None)
