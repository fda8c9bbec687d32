"""What the methods of a file assign to attributes of `self`, whatever their classes."""

from collections.abc import Mapping

from mypy.nodes import AssignmentStmt, Expression, MemberExpr

from ..syntax.names import is_self
from .checked_file import CheckedFile, once_per_file


def values_of_self(file: CheckedFile, attribute: str) -> tuple[Expression, ...]:
    """The values that statements assign to an attribute."""
    return tuple(_values(file).get(attribute, ()))


def attribute_of_self(node: Expression) -> str | None:
    """The `x` in `self.x`; None for anything else."""
    return node.name if isinstance(node, MemberExpr) and is_self(node.expr) else None


@once_per_file
def _values(file: CheckedFile) -> Mapping[str, list[Expression]]:
    found: dict[str, list[Expression]] = {}
    for node in file.by_kind.of(AssignmentStmt):
        for target in node.lvalues:
            if (name := attribute_of_self(target)) is not None:
                found.setdefault(name, []).append(node.rvalue)
    return found
