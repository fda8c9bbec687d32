"""Which state a compiled function reads, by itself and in the functions of the file that it uses."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mypy.nodes import Expression, FuncItem, IndexExpr, MemberExpr, NameExpr, Node, Var

from ...reach.uses import uses_of
from ...source.checked_file import CheckedFile
from ...source.nested_functions import Functions
from ...syntax.literals import text_or_number
from ...syntax.trees import nodes_below
from .slots import Own, Slot, called_at, is_state, key_at, own_of, slot_at


class Read(NamedTuple):
    """State that a compiled function reads, and where that function does it, or calls what does."""

    slot: Slot
    node: Expression


def reads_of(function: FuncItem, functions: Functions) -> Iterator[Read]:
    """Each slot once. Local variables count that belong to a function around the compiled one."""
    found = set[Slot]()
    for slot, node in _all_reads(function, functions.file):
        if slot not in found and is_state(slot) and _outlives(slot, function, functions):
            found.add(slot)
            yield Read(slot, node)


def _outlives(slot: Slot, function: FuncItem, functions: Functions) -> bool:
    if not isinstance(slot.root, Var) or slot.root not in functions.owners:
        return not isinstance(slot.root, Var) or "." in slot.root.fullname
    return not functions.is_inside(functions.owners[slot.root], function)


def _all_reads(function: FuncItem, file: CheckedFile) -> Iterator[tuple[Slot, Expression]]:
    seen = {function}
    pending: list[tuple[FuncItem, Own, Expression | None]] = [(function, dict(own_of(function)), None)]
    while pending:
        part, own, above = pending.pop(0)
        nodes = nodes_below(part.body)
        for node in _outermost(nodes):
            at = above or node
            called = called_at(node, own, file)
            if called is not None and called.function not in seen:
                seen.add(called.function)
                is_of_host = uses_of(file, called.function).is_callback  # it reads what is there when it runs
                pending += [] if is_of_host else [(called.function, called.own, at)]
            elif called is None and (slot := _slot_read(node, own, file)) is not None:
                yield slot, at


def _outermost(nodes: Sequence[Node]) -> Iterator[Expression]:
    """Each name with the attributes and items that are read of it."""
    inner = {node.expr for node in nodes if isinstance(node, MemberExpr)}
    inner |= {node.base for node in nodes if isinstance(node, IndexExpr) and key_at(node.index)}
    for node in nodes:
        is_path = isinstance(node, NameExpr | MemberExpr) or (isinstance(node, IndexExpr) and bool(key_at(node.index)))
        if is_path and isinstance(node, Expression) and node not in inner:
            yield node


def _slot_read(node: Expression, own: Own, file: CheckedFile) -> Slot | None:
    """`CONFIG["rate"]` and `CONFIG.get("rate")`; what is called itself counts as a function that stays the same."""
    call, slot = file.calls_by_callee.get(node), slot_at(node, own)
    if slot is None or (call is not None and not slot.path):
        return None
    if call is not None and slot.path[-1] == ".get" and call.args:
        key = text_or_number(call.args[0])
        return Slot(slot.root, (*slot.path[:-1], f'["{key}"]')) if isinstance(key, str) else None
    return slot
