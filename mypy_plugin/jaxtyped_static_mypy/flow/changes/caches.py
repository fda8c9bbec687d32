"""Caches by hand in functions and methods that traced code calls: a trace that fills one leaves a tracer there.

`if self._points is None: self._points = jnp.linspace(...)`, in a dict, or in a global variable.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    Decorator,
    DictExpr,
    FuncDef,
    FuncItem,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    StrExpr,
    TypeInfo,
)

from ...classes.self_uses import making_methods, reached_from, uses_by_method
from ...knowledge import naming
from ...knowledge.python_functions import READING_BY_TEXT
from ...reach.host_runs import runs_on_host
from ...reach.roots import Root, roots_around
from ...source.checked_file import CheckedFile, once_per_file
from ...source.functions import functions_around
from ...source.nested_functions import Functions, adopt
from ...syntax.changes import DEFAULTING, Change, ChangeKind, changes_and_defaults
from ...syntax.names import dotted_name, last_name
from ...syntax.trees import names_and_attributes, names_declared_outside, nodes_below
from .refused import class_of

_BOUND: Final = frozenset({"builtins.classmethod", "builtins.property", "builtins.staticmethod"})


def adopt_filling(functions: Functions, roots: Mapping[FuncItem, Root], host: frozenset[FuncItem]) -> set[FuncItem]:
    """Treats what traced code calls as nested in it, if that leads to a cache by hand; returns what it added."""
    return adopt_leading(functions, roots, host, _leading(functions.file))


def adopt_leading(
    functions: Functions, roots: Mapping[FuncItem, Root], host: frozenset[FuncItem], leading: frozenset[str]
) -> set[FuncItem]:
    """Treats what traced code calls by these names as nested in it, and what such code calls; returns what it added."""
    added: set[FuncItem] = set()
    pending = [inner for inner in functions.parents if roots_around(inner, functions, roots, host)] if leading else []
    while pending:
        inner = pending.pop(0)
        for named in functions.nodes[inner]:
            is_asked = inner in added or getattr(named, "name", None) in leading
            function = _called(named, functions) if is_asked and isinstance(named, (NameExpr, MemberExpr)) else None
            if function is not None and isinstance(named, RefExpr):
                new = [] if function in functions.parents else [function]
                adopt(function, named, inner, functions)
                pending += new
                added.update(new)
    functions.access_paths.clear()
    return added


class _Body(NamedTuple):
    """What a function reads, by how it is written; the names that it declares `global`; whether it asks for tracers."""

    reads: dict[str, list[Node]]
    outside: frozenset[str]
    asks: bool


def fills_cache(change: Change, function: FuncItem, file: CheckedFile) -> bool:
    """Whether a function keeps what it computed: it also looks whether the value is there, or reads it.

    Or what calls it does: `if n not in TABLES: store(n, jnp.arange(n))`.
    """
    place = _place(change)
    if place is None or not _may_fill(change, place, file):
        return False
    body = _body(file, function)
    if body.asks:
        return False
    if change.method == DEFAULTING:
        return not any(isinstance(value, (DictExpr, ListExpr)) and not value.items for value in change.values[1:])
    if change.kind is ChangeKind.NAME and place not in body.outside:
        return False
    own = set(nodes_below(change.context))
    if any(node not in own for node in body.reads.get(place, ())):
        return True
    return any(place in _body(file, caller).reads for caller in callers_by_name(file, function))


def _may_fill(change: Change, place: str, file: CheckedFile) -> bool:
    """Whether a change is of a kind that may, before anything else of the function is read."""
    if change.kind is ChangeKind.NAME:
        return place in _declared_outside(file)
    return change.method == DEFAULTING or change.kind in (ChangeKind.ATTRIBUTE, ChangeKind.ITEM)


@once_per_file
def _declared_outside(file: CheckedFile) -> frozenset[str]:
    """The names that any function of a file declares `global` or `nonlocal`."""
    return names_declared_outside(file.nodes)


@once_per_file
def _body(file: CheckedFile, function: FuncItem) -> _Body:
    nodes, reads = nodes_below(function), dict[str, list[Node]]()
    for node in nodes:
        if (place := _read(node)) is not None:
            reads.setdefault(place, []).append(node)
    return _Body(reads, frozenset(names_declared_outside(nodes)), any(map(_asks_for_tracer, nodes)))


@once_per_file
def callers_by_name(file: CheckedFile, function: FuncItem) -> tuple[FuncDef, ...]:
    """The functions of the file that call one that only stores something, by its name."""
    name = function.name if isinstance(function, FuncDef) else ""
    others = (other for other in file.functions if other is not function)
    return tuple(other for other in others if name in _names_called(file, other))


@once_per_file
def _names_called(file: CheckedFile, function: FuncDef) -> frozenset[str]:
    return frozenset(last_name(node.callee) for node in nodes_below(function) if isinstance(node, CallExpr)) - {""}


def is_filled_outside(change: Change, function: FuncItem, functions: Functions) -> bool:
    """Whether code that is not traced fills the cache, or may: the constructor, or any caller of the function."""
    info = function.info
    if info:
        functions.consulted.update(info.mro)
        uses = uses_by_method(info)
        making = making_methods(uses, info)
        attribute = change.written.rpartition(".")[2] if change.kind is ChangeKind.ATTRIBUTE else ""
        if any(attribute in uses[name].given for name in making & uses.keys()):
            return True
        if any(function.name in reached_from(name, uses, info).methods for name in making & uses.keys()):
            return True
    return runs_on_host(functions.file, function)


def _place(change: Change) -> str | None:
    """What holds the value, as written: the attribute or variable, or the dict of which an item is set."""
    if change.kind is ChangeKind.ATTRIBUTE:
        holder = dotted_name(change.target)
        return f"{holder}.{change.written.rpartition('.')[2]}" if holder is not None else None
    return dotted_name(change.target)


def _read(node: Node) -> str | None:
    """What a node reads, as written: a name, an attribute, also by `hasattr` or `getattr`."""
    if isinstance(node, (NameExpr, MemberExpr)):
        return dotted_name(node)
    if not isinstance(node, CallExpr) or len(node.args) < 2 or dotted_name(node.callee) not in READING_BY_TEXT:
        return None
    holder, name = node.args[:2]
    return f"{dotted_name(holder)}.{name.value}" if isinstance(name, StrExpr) else None


def _asks_for_tracer(node: Node) -> bool:
    return isinstance(node, RefExpr) and naming.tells_tracers(getattr(node, "name", ""))


@once_per_file
def _leading(file: CheckedFile) -> frozenset[str]:
    """The names of the functions of a file that fill a cache by hand, and of those that call one by its name."""
    filling = {
        function.node.name
        for change in changes_and_defaults(file.nodes)
        if (place := _place(change)) is not None and _may_fill(change, place, file)
        for function in functions_around(change.context.line, file)
        if fills_cache(change, function.node, file)
    }
    return leading_to(file, frozenset(filling))


@once_per_file
def leading_to(file: CheckedFile, names: frozenset[str]) -> frozenset[str]:
    """These names, and those of the functions that mention one of them."""
    found = set(names)
    mentioned = {function: _names_in(function) for function in file.functions} if found else {}
    while True:
        added = {function.name for function, names in mentioned.items() if not found.isdisjoint(names)} - found
        if not added:
            return frozenset(found)
        found |= added


def _names_in(function: FuncDef) -> frozenset[str]:
    names, attributes = names_and_attributes(function)
    return frozenset([*(node.name for node in names), *(node.name for node in attributes)])


def _called(named: NameExpr | MemberExpr, functions: Functions) -> FuncDef | None:
    """The function or method of the file that a name calls, or the property that it reads."""
    file = functions.file
    is_called = named in file.calls_by_callee
    if isinstance(named, NameExpr):
        function = _plain(named.node, is_called=is_called)
        return function if named.name in file.tree.names and file.defines(function) else None
    receiver = named.expr.node if isinstance(named.expr, RefExpr) else None
    info = receiver if isinstance(receiver, TypeInfo) else class_of(named.expr, functions)
    if info is None:
        return None
    functions.consulted.update(info.mro)
    symbol = info.get(named.name)
    function = _plain(symbol.node if symbol is not None else None, is_called=is_called)
    return function if file.defines(function) and not _is_overridden(function, file) else None


def _plain(node: Node | None, *, is_called: bool) -> FuncDef | None:
    """The function below nothing but `property` and its like, if this runs it."""
    if isinstance(node, Decorator):
        names = {one.fullname if isinstance(one, RefExpr) else "" for one in node.original_decorators}
        return node.func if names <= _BOUND and (node.var.is_property or is_called) else None
    return node if isinstance(node, FuncDef) and is_called else None


def _is_overridden(function: FuncDef, file: CheckedFile) -> bool:
    """Whether a subclass in the file has another method of this name."""
    return bool(file.overriding(function))
