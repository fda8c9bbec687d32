"""`f(**options)`: the items of a dict that a call unpacks, if the file shows all of them."""

from collections.abc import Iterator, Mapping
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    DelStmt,
    DictExpr,
    Expression,
    IndexExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    RefExpr,
    StrExpr,
    TupleExpr,
)

from ..source.bindings import made_by
from ..source.checked_file import CheckedFile, once_per_file
from ..source.surroundings import surroundings
from ..syntax.trees import assignment_targets

_READS: Final = ("copy", "get", "items", "keys", "values")
_MAX_DEPTH: Final = 8  # dicts that unpack each other
_NO_ITEMS: Final[Mapping[str, Expression]] = {}


@once_per_file
def unpacked_items(file: CheckedFile, options: Expression) -> Mapping[str, Expression]:
    """The values of a dict by their keys; none unless every key is a literal and nothing changes the dict."""
    try:
        return dict(_items(options, file, _MAX_DEPTH))
    except LookupError:
        return _NO_ITEMS


def _items(node: Expression, file: CheckedFile, depth: int) -> Iterator[tuple[str, Expression]]:
    """Yields the items.

    Raises:
        LookupError: some of them are unknown.
    """
    if depth == 0 or (isinstance(node, NameExpr) and not _is_only_read(node, file)):
        raise LookupError
    made = made_by(node, file)
    # mypy keeps `dict(a=1)` as a call, and the display that it stands for in `analyzed` (2.4.1).
    if isinstance(made, CallExpr) and isinstance(made.callee, RefExpr) and made.callee.fullname == "builtins.dict":
        made = made.analyzed if isinstance(made.analyzed, DictExpr) else made
    if not isinstance(made, DictExpr):
        raise LookupError
    for key, value in made.items:
        if key is None:
            yield from _items(value, file, depth - 1)
        elif isinstance(key, StrExpr):
            yield key.value, value
        else:
            raise LookupError


def _is_only_read(name: NameExpr, file: CheckedFile) -> bool:
    uses = file.uses_by_name.get(name.name, ())
    return all(_reads(use, file) for use in uses if use.node is name.node)


def _reads(use: RefExpr, file: CheckedFile) -> bool:
    """Whether a use of a dict leaves it as it is, and gives it to nothing that may change it."""
    place = surroundings(use, file)
    parent = place.parent
    if isinstance(parent, AssignmentStmt):
        return use in parent.lvalues
    if isinstance(parent, CallExpr):
        return use in parent.args and parent.arg_kinds[parent.args.index(use)].is_star()
    if isinstance(parent, MemberExpr):
        return parent.name in _READS
    if isinstance(parent, IndexExpr):
        return parent.base is use and not _is_changed(parent, place.around[2])
    return isinstance(parent, ComparisonExpr) or (isinstance(parent, DictExpr) and (None, use) in parent.items)


def _is_changed(item: IndexExpr, parent: Node) -> bool:
    """Whether an item is set or deleted."""
    is_target = isinstance(parent, (AssignmentStmt, OperatorAssignmentStmt)) and item in assignment_targets(parent)
    return is_target or isinstance(parent, (DelStmt, TupleExpr))
