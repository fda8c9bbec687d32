"""Decides whether a trace takes back what it stored before it ends: then no tracer outlives it.

`self.scale = x; ...; self.scale = None`, also in `finally`, by `del`, or in a method that is called on the object.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import Enum, auto
from itertools import pairwise
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    Block,
    BreakStmt,
    CallExpr,
    ContinueStmt,
    DelStmt,
    Expression,
    ForStmt,
    FuncItem,
    IfStmt,
    MatchStmt,
    MemberExpr,
    NameExpr,
    Node,
    RaiseStmt,
    ReturnStmt,
    Statement,
    StrExpr,
    TryStmt,
    TypeInfo,
    WhileStmt,
    WithStmt,
)

from ...classes.clearing import may_clear
from ...knowledge import naming
from ...source.nested_functions import Functions
from ...source.surroundings import surroundings
from ...syntax.assignments import known_pairs, targets_of
from ...syntax.changes import SETTERS, Change, ChangeKind
from ...syntax.names import dotted_name, function_of
from ...syntax.trees import parts_of, self_parameter
from ..declared_types import class_in, declared_type
from .access_paths import AccessPath, access_path
from .leaks import Leaks

_TAKING_OUT: Final = frozenset({"clear", "discard", "pop", "popitem", "popleft", "remove"})
_DELETERS: Final = ("delattr", "object.__delattr__")
_Test = Callable[[Node], bool]


class _Fate(Enum):
    """What happens after a statement, on every way on."""

    CLEARED = auto()
    GOES_ON = auto()  # to what follows the block, on some way
    LEAVES = auto()  # on some way: the function returns


class _Stored(NamedTuple):
    """What a trace has stored."""

    place: AccessPath
    holder: AccessPath
    kind: ChangeKind
    leaks: Leaks
    functions: Functions


def is_cleared(change: Change, accessed: AccessPath, leaks: Leaks, functions: Functions) -> bool:
    """Whether the function clears what it has changed, or each function that calls it there does."""
    stored = _Stored(place_of(change, accessed, functions), accessed, change.kind, leaks, functions)
    return _is_cleared_after(change.context, lambda node: _clears(node, stored), functions, frozenset())


def place_of(change: Change, accessed: AccessPath, functions: Functions) -> AccessPath:
    """What a change stores to: the attribute or item of an object."""
    for target in targets_of(change.context):
        if change.target in (getattr(target, "expr", None), getattr(target, "base", None)):
            return access_path(target, functions) or accessed
    is_attribute = change.kind is ChangeKind.ATTRIBUTE
    return accessed.below((f".{change.written.rpartition('.')[2]}",)) if is_attribute else accessed


def _is_cleared_after(node: Node, clears: _Test, functions: Functions, seen: frozenset[FuncItem]) -> bool:
    function, fate = _fate_after(node, clears, functions)
    if fate is _Fate.CLEARED or function is None or function in seen:
        return fate is _Fate.CLEARED
    calls = [call for own in functions.nodes.values() for call in own if _is_call_of(call, function, functions)]
    return bool(calls) and all(_is_cleared_after(call, clears, functions, seen | {function}) for call in calls)


def _is_call_of(node: Node, function: FuncItem, functions: Functions) -> bool:
    if not isinstance(node, CallExpr):
        return False
    return functions.adopted.get(node.callee) is function or function_of(node.callee) is function


def _fate_after(node: Node, clears: _Test, functions: Functions) -> tuple[FuncItem | None, _Fate]:
    """The function around a node, and what happens on the way to its end."""
    fate = _Fate.GOES_ON
    for child, parent in pairwise(surroundings(node, functions.file).around):
        if isinstance(parent, FuncItem):
            return parent, fate
        if isinstance(parent, Block) and child in parent.body:
            if child is not node and not isinstance(child, _COMPOUND) and fate is _Fate.GOES_ON:
                fate = _fate_of_rest(child, node, clears)
            if fate is _Fate.GOES_ON:
                fate = _fate(list(parent.body)[parent.body.index(child) + 1 :], clears)
        elif isinstance(parent, TryStmt) and child is not parent.finally_body:
            if child is parent.body and parent.else_body is not None and fate is _Fate.GOES_ON:
                fate = _fate(parent.else_body.body, clears)
            if parent.finally_body is not None and _fate(parent.finally_body.body, clears) is _Fate.CLEARED:
                fate = _Fate.CLEARED
    return None, fate


def _fate_of_rest(statement: Node, node: Node, clears: _Test) -> _Fate:
    """What happens in the rest of the statement around a call."""
    start = (node.line, node.column)
    if any((part.line, part.column) > start and clears(part) for part in _evaluated(statement)):
        return _Fate.CLEARED
    return _Fate.LEAVES if isinstance(statement, ReturnStmt) else _Fate.GOES_ON


def _fate(statements: Iterable[Statement], clears: _Test) -> _Fate:
    for statement in statements:
        fate = _fate_of(statement, clears)
        if fate is not _Fate.GOES_ON:
            return fate
        if isinstance(statement, (BreakStmt, ContinueStmt)):
            break
    return _Fate.GOES_ON


def _fate_of(statement: Statement, clears: _Test) -> _Fate:
    if isinstance(statement, IfStmt):
        if any(clears(part) for part in _evaluated(statement.expr[0])):
            return _Fate.CLEARED
        return _joined(_fate(block.body, clears) if block else _Fate.GOES_ON for block in _branches(statement))
    if isinstance(statement, TryStmt):
        return _fate_of_try(statement, clears)
    if isinstance(statement, (WithStmt, Block)):
        return _fate(statement.body.body if isinstance(statement, WithStmt) else statement.body, clears)
    if isinstance(statement, ForStmt):
        return _fate(statement.body.body, clears)  # over names of attributes, mostly
    if isinstance(statement, WhileStmt):
        return _joined([_fate(statement.body.body, clears), _Fate.GOES_ON])
    if isinstance(statement, MatchStmt):
        return _joined([*(_fate(body.body, clears) for body in statement.bodies), _Fate.GOES_ON])
    if isinstance(statement, RaiseStmt) or any(clears(part) for part in _evaluated(statement)):
        return _Fate.CLEARED
    return _Fate.LEAVES if isinstance(statement, ReturnStmt) else _Fate.GOES_ON


_COMPOUND: Final = (IfStmt, TryStmt, WithStmt, Block, ForStmt, WhileStmt, MatchStmt)


def _branches(statement: IfStmt) -> Iterator[Block | None]:
    yield from statement.body
    yield statement.else_body


def _fate_of_try(statement: TryStmt, clears: _Test) -> _Fate:
    if statement.finally_body is not None and _fate(statement.finally_body.body, clears) is _Fate.CLEARED:
        return _Fate.CLEARED
    body = [*statement.body.body, *(statement.else_body.body if statement.else_body is not None else ())]
    return _joined([_fate(body, clears), *(_fate(handler.body, clears) for handler in statement.handlers)])


def _joined(fates: Iterable[_Fate]) -> _Fate:
    found = set(fates)
    if _Fate.LEAVES in found:
        return _Fate.LEAVES
    return _Fate.CLEARED if found == {_Fate.CLEARED} else _Fate.GOES_ON


def _evaluated(node: Node) -> Iterator[Node]:
    """A node and what is below it, without functions, which run later."""
    if not isinstance(node, FuncItem):
        yield node
        for part in parts_of(node):
            yield from _evaluated(part)


def _clears(node: Node, stored: _Stored) -> bool:
    if isinstance(node, AssignmentStmt):
        values = (value for target, value in known_pairs(node) if _is_place(target, stored))
        return any(not stored.leaks.may_hold([value]) for value in values)
    if isinstance(node, DelStmt):
        return any(_is_place(target, stored) for target in targets_of(node))
    return isinstance(node, CallExpr) and _is_cleared_by(node, stored)


def _is_place(target: Expression, stored: _Stored) -> bool:
    """Whether a target is what was stored, or an attribute or item through which it was reached."""
    found = access_path(target, stored.functions)
    return found is not None and _begins(stored.place, found) and (found.path != () or found == stored.place)


def _begins(place: AccessPath, start: AccessPath) -> bool:
    return place.root is start.root and place.path[: len(start.path)] == start.path


def _is_cleared_by(call: CallExpr, stored: _Stored) -> bool:
    if dotted_name(call.callee) in (*SETTERS, *_DELETERS) and len(call.args) > 1:
        holder, name = access_path(call.args[0], stored.functions), call.args[1]
        if holder != stored.holder or stored.kind is not ChangeKind.ATTRIBUTE:
            return False
        is_same = not isinstance(name, StrExpr) or stored.place.path[-1:] == (f".{name.value}",)
        return is_same and not stored.leaks.may_hold(call.args[2:])
    if not isinstance(call.callee, MemberExpr):
        return False
    receiver = access_path(call.callee.expr, stored.functions)
    if receiver is None or not _begins(stored.place, receiver):
        return False
    if receiver == stored.holder and stored.kind in (ChangeKind.ITEM, ChangeKind.METHOD):
        return call.callee.name in _TAKING_OUT
    below = stored.place.path[len(receiver.path) :]
    return bool(below) and below[0].startswith(".") and _is_cleared_in(call.callee, receiver, below[0][1:], stored)


def _is_cleared_in(callee: MemberExpr, receiver: AccessPath, attribute: str, stored: _Stored) -> bool:
    """Whether a method clears the attribute, or may; of one whose source cannot be seen, its name tells."""
    info = _class_of(callee, receiver, stored.functions)
    symbol = info.get(callee.name) if info is not None else None
    if info is None or symbol is None:
        return naming.is_clearing(callee.name)
    stored.functions.consulted.update(info.mro)
    return may_clear(info, callee.name, attribute)


def _class_of(callee: MemberExpr, receiver: AccessPath, functions: Functions) -> TypeInfo | None:
    if receiver.path:
        return None
    outermost = functions.outermost
    if receiver.root is self_parameter(outermost) and outermost.info:
        return outermost.info
    variable = callee.expr if isinstance(callee.expr, NameExpr) else receiver.root
    return class_in(declared_type(variable))
