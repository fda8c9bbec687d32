"""Assignments to items that arrays alone have: lists take no such index, and slices are no keys of a dict."""

from mypy.nodes import AssignmentStmt, EllipsisExpr, IndexExpr, SliceExpr, TupleExpr

from ...knowledge import naming
from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ...syntax.names import last_name
from .given import is_array_given


def are_of_array(target: IndexExpr, file: CheckedFile) -> bool:
    """Whether an index is one of arrays alone: `x[:, 0]`, or `x[:]` where that gets an array.

    What is named as a mutable array of JAX may be one.
    """
    if naming.is_ref(last_name(target.base)):
        return False
    if isinstance(target.index, SliceExpr):
        statement = surroundings(target, file).parent
        return isinstance(statement, AssignmentStmt) and is_array_given(statement.rvalue, file)
    items = target.index.items if isinstance(target.index, TupleExpr) else ()
    return any(isinstance(item, (EllipsisExpr, SliceExpr)) for item in items)
