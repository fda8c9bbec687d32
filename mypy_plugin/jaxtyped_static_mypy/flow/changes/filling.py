"""Whether anything but a trace may fill a cache by hand, or empty it again: then no tracer is found there.

Other code counts by the name of the attribute or variable alone, whatever object it has it of.
"""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    DictExpr,
    Expression,
    FuncItem,
    IfStmt,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    StrExpr,
    UnaryExpr,
)

from ...classes.self_uses import making_methods, uses_by_method
from ...facts.method_facts import MAKING
from ...knowledge.full_names import JAX
from ...knowledge.python_functions import READING_BY_TEXT
from ...reach.roots import roots_of
from ...source.bindings import bindings_of
from ...source.checked_file import CheckedFile, once_per_file
from ...source.nested_functions import Functions
from ...source.surroundings import surroundings
from ...syntax.changes import CHANGING, DEFAULTING, Change, ChangeKind, changes_and_defaults
from ...syntax.literals import is_none
from ...syntax.names import base_of, last_name
from ...syntax.trees import nodes_below
from .caches import callers_by_name
from .leaks import is_computed_at_once

_COUNTING: Final = frozenset({"bool", "len", "print"})
_BY_TEXT: Final = READING_BY_TEXT | {"attrgetter", "methodcaller"}
_OF_ALL_ATTRIBUTES: Final = frozenset({"__dict__", "vars"})
_EMPTYING: Final = frozenset({"clear", "discard", "pop", "popitem", "popleft", "remove"})
_FILLING: Final = frozenset({"append", "extend", "insert", "setdefault", "update"})
_EMPTY: Final = frozenset({"OrderedDict", "defaultdict", "dict", "list"})
_LOCALS: Final = frozenset({"ContextVar", "local"})
_LOCKS: Final = ("threading.", "multiprocessing.")


def may_hold_another_value(change: Change, function: FuncItem, functions: Functions) -> bool:
    """Whether a function that looks whether its cache is filled may find there what no trace has left."""
    place = _name_of(change)
    if not place:
        return True
    file = functions.file
    reads = _reads(place, change, function, file)
    tests = [node for node in reads if _is_test(node, file)]
    if change.method != DEFAULTING:
        if change.kind is not ChangeKind.ITEM and not tests and not any(isinstance(node, CallExpr) for node in reads):
            return False  # it stores the value each time
        if len(tests) == len(reads):
            return True  # it does not use what it finds
    return (
        _may_be_at_once(change.context, function, functions)
        or _is_asked_by_text(function, functions)
        or _is_of_stack(change, functions)
        or _is_stored_elsewhere(place, change, function, functions)
    )


def _reads(place: str, change: Change, function: FuncItem, file: CheckedFile) -> list[Node]:
    """The reads of the cache in a function that fills it, or else in what calls that."""
    reads = [node for node in nodes_below(function) if _is_read(node, place, change, file)]
    if reads or change.method == DEFAULTING:
        return reads
    callers = callers_by_name(file, function)
    return [node for caller in callers for node in nodes_below(caller) if _is_read(node, place, change, file)]


def _name_of(change: Change) -> str:
    """The attribute or variable that is the cache, or holds the dict which is."""
    if change.kind is ChangeKind.ATTRIBUTE:
        return change.written.rpartition(".")[2]
    return last_name(change.target)


def _is_read(node: Node, place: str, change: Change, file: CheckedFile) -> bool:
    if isinstance(node, CallExpr):
        return last_name(node.callee) in READING_BY_TEXT and _is_text(node.args[1:2], place)
    if last_name(node) != place:
        return False
    return not any(part is change.context for part in surroundings(node, file).around)


def _is_text(args: list[Expression], text: str) -> bool:
    return any(isinstance(arg, StrExpr) and arg.value == text for arg in args)


def _is_test(node: Node, file: CheckedFile) -> bool:
    """Whether a read only asks whether the value is there."""
    parent = surroundings(node, file).parent
    if isinstance(node, CallExpr) and last_name(node.callee) == "hasattr":
        return True
    if isinstance(parent, ConditionalExpr):
        return parent.cond is node
    is_counted = isinstance(parent, CallExpr) and parent.callee is not node and last_name(parent.callee) in _COUNTING
    return is_counted or isinstance(parent, (ComparisonExpr, IfStmt, UnaryExpr))


def _may_be_at_once(stored: Node, function: FuncItem, functions: Functions) -> bool:
    """Whether the value may be computed below `jax.ensure_compile_time_eval()`, which any context manager may enter."""
    return any(
        is_computed_at_once(node, functions.file) or any(map(_is_unknown, surroundings(node, functions.file).managers))
        for node in (stored, *_names_leading_to(function, functions))
    )


def _names_leading_to(function: FuncItem, functions: Functions) -> Iterator[Node]:
    """The names by which this trace calls a function, and those by which it calls what does."""
    pending, seen = [function], {function}
    while pending:
        called = pending.pop()
        for name, adopted in functions.adopted.items():
            if adopted is called:
                yield name
                around = surroundings(name, functions.file).function
                if around is not None and around not in seen:
                    seen.add(around)
                    pending.append(around)


def _is_unknown(manager: Expression) -> bool:
    if not isinstance(manager, CallExpr):
        return False
    name = manager.callee.fullname if isinstance(manager.callee, RefExpr) else ""
    return not name.startswith((JAX, *_LOCKS))


def _is_asked_by_text(function: FuncItem, functions: Functions) -> bool:
    """Whether code that is not in this trace gets the property or method by its name as a text."""
    asking = (call for name in _BY_TEXT for call in functions.file.calls_by_name.get(name, ()))
    return any(
        _is_text(call.args, function.name) and surroundings(call, functions.file).function not in functions.parents
        for call in asking
    )


def _is_of_stack(change: Change, functions: Functions) -> bool:
    """Whether the object comes from a list from which the file takes objects again, or is one for each thread."""
    root = base_of(change.target)
    variable = root.node if isinstance(root, NameExpr) else None
    values = [*functions.bindings.get(variable, ()), *bindings_of(variable, functions.file)] if variable else []
    for value in (binding.value for binding in values):
        if isinstance(value, CallExpr) and last_name(value.callee) in _LOCALS:
            return True
        holder = base_of(value) if value is not None else None
        if holder is not None and last_name(holder) in _changed_by(functions.file, _EMPTYING):
            return True
    return False


@once_per_file
def _changed_by(file: CheckedFile, methods: frozenset[str]) -> frozenset[str]:
    """The names of what the file calls one of these methods on."""
    calls = (call for name in methods for call in file.calls_by_name.get(name, ()))
    return frozenset(last_name(call.callee.expr) for call in calls if isinstance(call.callee, MemberExpr)) - {""}


def _is_stored_elsewhere(place: str, change: Change, function: FuncItem, functions: Functions) -> bool:
    file = functions.file
    filling = _FILLING - {change.method}
    if place in _changed_by(file, _EMPTYING) or place in _changed_by(file, filling):
        return True
    if change.kind is ChangeKind.ATTRIBUTE and _sets_any_attribute(file):
        return True
    own = set(nodes_below(function))
    others = (other for other in _stores(file).get(place, ()) if other.context not in own)
    return any(_is_another_value(other, place, functions) for other in others)


@once_per_file
def _sets_any_attribute(file: CheckedFile) -> bool:
    """Whether the file sets attributes whose names it does not write out."""
    if not _OF_ALL_ATTRIBUTES.isdisjoint(file.uses_by_name):
        return True
    named = (call.args[1:2] for call in file.calls_by_name.get("setattr", ()))
    return any(not isinstance(arg, StrExpr) for args in named for arg in args)


@once_per_file
def _stores(file: CheckedFile) -> dict[str, list[Change]]:
    """What the file assigns or deletes, by the name of the attribute or variable, or of what holds the item."""
    found: dict[str, list[Change]] = {}
    for change in changes_and_defaults(node for node in file.nodes if type(node) in CHANGING):
        found.setdefault(_name_of(change), []).append(change)
    return found


def _is_another_value(change: Change, place: str, functions: Functions) -> bool:
    around = surroundings(change.context, functions.file).around
    function = next((part for part in around if isinstance(part, FuncItem)), None)
    is_empty = change.kind is not ChangeKind.ITEM and bool(change.values) and all(map(_is_empty, change.values))
    if function is None:
        return not is_empty
    if is_empty:
        return not _is_making(function)
    return function not in functions.parents and function not in roots_of(functions.file)


def _is_empty(value: Expression) -> bool:
    if isinstance(value, DictExpr):
        return not value.items
    if isinstance(value, ListExpr):
        return not value.items
    if isinstance(value, CallExpr):
        is_factory = last_name(value.callee) == "defaultdict"
        return last_name(value.callee) in _EMPTY and (is_factory or not value.args)
    return is_none(value)


def _is_making(function: FuncItem) -> bool:
    """Whether a method only runs while the object is made."""
    if not function.info:
        return False
    return function.name in MAKING or function.name in making_methods(uses_by_method(function.info), function.info)
