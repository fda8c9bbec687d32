"""Where a file gives state another value."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DictExpr,
    Expression,
    ExpressionStmt,
    ForStmt,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    ReturnStmt,
    StrExpr,
)

from ...knowledge import naming
from ...knowledge.members import SHAPE_ATTRIBUTES
from ...source.checked_file import CheckedFile, once_per_file
from ...source.surroundings import surroundings
from ...syntax.assignments import assigned_pairs
from ...syntax.changes import CHANGING, ChangeKind, changes
from ...syntax.names import last_name
from ...syntax.trees import nodes_below, self_parameter, single_targets
from .slots import Own, Slot, class_of, own_of, slot_at

_UPDATE: Final = "update"


class Written(NamedTuple):
    """A statement that gives a slot another value."""

    slot: Slot
    statement: Node
    value: Expression | None  # None if the source does not show it
    operator: str = ""  # of `rate *= 0.5`


def writes_to(read: Slot, file: CheckedFile) -> list[Written]:
    """The statements that give a slot another value, in the order of the file."""
    info = class_of(Slot(read.root), file)
    found: list[Written] = []
    for statement in _changing(file).get(read.root.name, ()):
        found += (each for each in writes_of(statement, {}) if each.slot.gives(read) and _changes_part(each, read))
    for statement in _changing_own(file) if info is not None and read.path else ():
        function = surroundings(statement, file).function
        own = dict(own_of(function))
        variable = self_parameter(function) if function is not None else None
        if variable is not None and not own and function is not None and function.info is info:
            own = {variable: Slot(read.root)}
        found += (each for each in writes_of(statement, own) if own and each.slot.gives(read))
    return sorted(found, key=lambda each: each.statement.line)


def _changes_part(written: Written, read: Slot) -> bool:
    """Whether another value has another one in the part that is read, too.

    A state that a function computes from the last one has many attributes that stay as they are.
    """
    rest = read.path[len(written.slot.path) :]
    if any(map(_stays, rest)):
        return False
    if not rest or not rest[0].startswith("."):
        return True
    value = written.value
    is_made = isinstance(value, CallExpr) and naming.is_class(last_name(value.callee))
    return is_made or (value is not None and not isinstance(value, CallExpr))


def _stays(part: str) -> bool:
    """Whether a part of a value is mostly the same in the next one: `x.shape`, `state.apply_fn`."""
    return part[1:] in SHAPE_ATTRIBUTES or naming.lasts(part[1:])


@once_per_file
def _changing(file: CheckedFile) -> Mapping[str, list[Node]]:
    """The statements that may change something, by the names in their targets."""
    found: dict[str, list[Node]] = {}
    for statement in file.nodes:
        if type(statement) in CHANGING or isinstance(statement, ForStmt):
            for name in dict.fromkeys(_names_changed(statement)):
                found.setdefault(name, []).append(statement)
    return found


@once_per_file
def _changing_own(file: CheckedFile) -> list[Node]:
    """Those in methods that change something of `self` or `cls`."""
    return [node for name in ("self", "cls") for node in _changing(file).get(name, ())]


def _names_changed(statement: Node) -> Iterator[str]:
    targets = [statement.index] if isinstance(statement, ForStmt) else [each.target for each in changes([statement])]
    return (node.name for target in targets for node in nodes_below(target) if isinstance(node, NameExpr))


def writes_of(statement: Node, own: Own) -> Iterator[Written]:
    if isinstance(statement, ForStmt):
        for target in single_targets(statement.index):
            yield from _at(target, statement, None, own)
    elif isinstance(statement, AssignmentStmt):
        for target, value in assigned_pairs(statement):
            yield from _at(target, statement, value, own)
    elif isinstance(statement, OperatorAssignmentStmt):
        yield from _at(statement.lvalue, statement, statement.rvalue, own, statement.op)
    else:
        for change in changes([statement]):
            holder = slot_at(change.target, own)
            if holder is None:
                continue
            if change.kind is ChangeKind.ATTRIBUTE:
                name = change.written.rpartition(".")[2]
                value = change.values[0] if len(change.values) == 1 else None
                yield Written(Slot(holder.root, (*holder.path, f".{name}")), statement, value)
            elif change.kind is ChangeKind.METHOD and change.method == _UPDATE:
                yield from _updated(holder, statement)


def _updated(holder: Slot, statement: Node) -> Iterator[Written]:
    """`CONFIG.update(rate=2.0)`: the items that it names, or the whole."""
    call = statement.expr if isinstance(statement, ExpressionStmt | ReturnStmt) else None
    items = list(_items(call)) if isinstance(call, CallExpr) else []
    if not items or any(key is None for key, _ in items):
        yield Written(holder, statement, None)
        return
    for key, value in items:
        yield Written(Slot(holder.root, (*holder.path, f'["{key}"]')), statement, value)


def _items(call: CallExpr) -> Iterator[tuple[str | None, Expression]]:
    """The items that a call of `update` gives, by their keys; None for one that the source does not give."""
    for kind, name, value in zip(call.arg_kinds, call.arg_names, call.args, strict=True):
        if kind.is_named() or not isinstance(value, DictExpr):
            yield name, value
        else:
            yield from ((_text(key), item) for key, item in value.items)


def _text(key: Expression | None) -> str | None:
    return key.value if isinstance(key, StrExpr) else None


def _at(
    target: Expression, statement: Node, value: Expression | None, own: Own, operator: str = ""
) -> Iterator[Written]:
    slot = slot_at(target, own)
    if slot is not None:
        yield Written(slot, statement, value, operator)
