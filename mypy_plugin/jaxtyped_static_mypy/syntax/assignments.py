"""Pairs the targets of an assignment with their values, as in `self.x, self.y = x, y`."""

from collections.abc import Iterator

from mypy.nodes import AssignmentStmt, Expression, ListExpr, StarExpr, TupleExpr

from .trees import single_targets


def assigned_pairs(node: AssignmentStmt) -> Iterator[tuple[Expression, Expression | None]]:
    """Each target and its value; None if the value is unpacked from one that the statement does not write out."""
    for target in node.lvalues:
        yield from _pairs(target, node.rvalue)


def known_pairs(node: AssignmentStmt) -> Iterator[tuple[Expression, Expression]]:
    """Each target whose value the statement writes out."""
    return ((target, value) for target, value in assigned_pairs(node) if value is not None)


def _pairs(target: Expression, value: Expression) -> Iterator[tuple[Expression, Expression | None]]:
    if not isinstance(target, (TupleExpr, ListExpr)):
        yield target, value
        return
    values = value.items if isinstance(value, (TupleExpr, ListExpr)) else []
    if paired := paired_items(target.items, values):
        for item, its_value in paired:
            yield from _pairs(item, its_value)
    else:
        yield from ((item, None) for item in single_targets(target))


def paired_items(targets: list[Expression], values: list[Expression]) -> list[tuple[Expression, Expression]]:
    """Each target with its value; none if the numbers differ, or a star takes or gives several."""
    if len(targets) != len(values) or any(isinstance(item, StarExpr) for item in (*targets, *values)):
        return []
    return list(zip(targets, values, strict=True))
