"""Finds where the attributes that a function reads go: into its results, or only into other attributes.

`self.calls = self.calls + 1`, `self.total += now - self.last` and `self.losses.append(self.loss)` read attributes, but
what they read only goes back into objects. It matters to a program if somebody reads it there.

A *place* is an attribute (`n`), what it contains (`n[]`), a local variable (`7:n`), or the parameters of a function
that runs instead of an assignment or of a list's method (`n()`). A flow leads from a place to one whose value it takes.
"""

from __future__ import annotations

import ast
import inspect
import itertools
from collections.abc import Iterable, Iterator, Sequence
from types import CodeType
from typing import Final, NamedTuple, TypeAlias

from jaxtyped_static._annotations.syntax import find_function
from jaxtyped_static._calls.statements import assigned_names, run_where_defined, single_targets

FlowPlace: TypeAlias = str
# Methods that change their object, if they are those of a list, a set or a dict.
CHANGES: Final = frozenset(
    {
        *("append", "appendleft", "extend", "insert", "remove", "pop", "popleft", "reverse", "sort", "clear"),
        *("add", "discard", "update", "setdefault", "popitem", "move_to_end", "subtract"),
    }
)
LOGS: Final = frozenset({"debug", "info", "warning", "error", "exception", "critical"})
# What they return depends on their arguments alone, and they keep none of them.
HARMLESS: Final = frozenset(
    {"abs", "bool", "float", "format", "id", "int", "len", "max", "min", "next", "print", "repr", "round", "str", "sum"}
)
_PASSED_ON: Final = (
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Subscript, ast.Slice, ast.Starred),
    *(ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Constant, ast.JoinedStr, ast.FormattedValue),
)
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
# Stands for the parameters of all operators, such as `__setitem__`.
OPERATORS: Final = "__operator__()"


class Flows(NamedTuple):
    """What is read in a function, and where else values go.

    Attributes:
        read: the places that results, conditions and calls take their values from.
        flows: pairs of a place, and one that its value comes from.
    """

    read: frozenset[FlowPlace] = frozenset()
    flows: frozenset[tuple[FlowPlace, FlowPlace]] = frozenset()


def content(place: FlowPlace) -> FlowPlace:
    """Returns what a place contains, which may change while it holds the same object."""
    return place if place.endswith(("[]", "()")) else f"{place}[]"


def names_reached(read: Iterable[FlowPlace], flows: Iterable[tuple[FlowPlace, FlowPlace]]) -> frozenset[str]:
    """Returns the attributes that results may depend on."""
    sources: dict[FlowPlace, list[FlowPlace]] = {}
    for place, source in flows:
        sources.setdefault(place, []).append(source)
    reached: set[FlowPlace] = set()
    left = list(read)
    while left:
        place = left.pop()
        if place not in reached:
            reached.add(place)
            left += [content(place), *sources.get(place, ())]
    return frozenset(place for place in reached if place.isidentifier())


def flows_in(code: CodeType, attributes: Iterable[str], harmless: frozenset[str]) -> Flows | None:
    """Returns the flows in a function; None if its source is not known.

    Args:
        code: the function.
        attributes: those in its instructions, which must be in the source, too.
        harmless: functions and modules that keep nothing of what they get, as it calls them.
    """
    node = find_function(code)
    if node is None or not has_attributes(node, code, attributes):
        return None
    walk = _FlowWalk(node, code, harmless)
    walk.statements(node.body)
    return Flows(frozenset(walk.read), frozenset(walk.flows))


def has_attributes(node: ast.AST, code: CodeType, attributes: Iterable[str]) -> bool:
    """Returns whether the source has the attributes of a function's instructions; else the file was edited since."""
    return set(attributes) <= {mangled(attribute.attr, code) for attribute in _attributes(node)}


def _attributes(node: ast.AST) -> Iterator[ast.Attribute]:
    return (found for found in ast.walk(node) if isinstance(found, ast.Attribute))


def mangled(name: str, code: CodeType) -> str:
    """Returns an attribute's name as Python stores it: private ones have the class in front."""
    cls = code.co_qualname.rpartition(".")[0].rpartition(".")[2].lstrip("_")
    is_private = name.startswith("__") and not name.endswith("__")
    return f"_{cls}{name}" if is_private and cls.isidentifier() else name


class _FlowWalk:
    """Visits the statements of one function. Nested functions have code of their own."""

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef, code: CodeType, harmless: frozenset[str]) -> None:
        self.read: set[FlowPlace] = set()
        self.flows: set[tuple[FlowPlace, FlowPlace]] = set()
        self._code = code
        self._harmless = harmless.difference(code.co_varnames, code.co_cellvars, code.co_freevars)
        self._locals = assigned_names(node.body) - set(code.co_varnames[: _count_of_parameters(code)])
        self._locals &= set(code.co_varnames)

    def statements(self, body: Iterable[ast.AST]) -> None:
        """Visits statements, and what they consist of."""
        for statement in body:
            self._statement(statement)

    def _statement(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                self._store(targets, value, is_alias=True)
            case ast.AnnAssign(target=target, value=value):
                self._store([target] if value else [], value or target, is_alias=True)
            case ast.AugAssign(target=target, value=value):
                self._store([target], value, is_alias=False)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=holder, attr=method)) as call) if (
                method in CHANGES or method in LOGS
            ):
                self._change(holder, method, call)
            case ast.Expr(value=value):
                self._sources_or_read(value)
            case ast.expr():
                self._read(value=node)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                for expression in run_where_defined(node):
                    self._read(expression)
            case _:
                self.statements(ast.iter_child_nodes(node))

    def _read(self, value: ast.AST) -> None:
        """Counts all places in an expression as read; a nested function's body is read when that runs."""
        match value:
            case ast.Attribute(value=holder, attr=name):
                if not self._is_harmless(holder):
                    self.read.add(self._place(name))
            case ast.Name(id=name):
                self.read |= self._local(name)
        for child in run_where_defined(value) if isinstance(value, _SCOPES) else ast.iter_child_nodes(value):
            self._read(child)

    def _sources(self, value: ast.AST) -> set[FlowPlace] | None:
        """Returns the places that an expression's value depends on; None if it may keep or change some of them."""
        match value:
            case ast.Name(id=name):
                return self._local(name)
            case ast.Attribute(value=holder, attr=name):
                return set() if self._is_harmless(holder) else self._union([holder], {self._place(name)})
            case ast.Call(func=function, args=args, keywords=keywords) if self._is_harmless(function):
                return self._union([*args, *(keyword.value for keyword in keywords)])
            case ast.Call(func=ast.Attribute(value=ast.Attribute() as table, attr="get"), args=args, keywords=[]):
                sources = self._union([table, *args])
                self._flow_all(["get()"], sources or ())
                return sources
        if not isinstance(value, _PASSED_ON):
            return None
        return self._union(child for child in ast.iter_child_nodes(value) if isinstance(child, ast.expr))

    def _union(self, values: Iterable[ast.AST], also: Iterable[FlowPlace] = ()) -> set[FlowPlace] | None:
        found = [self._sources(value) for value in values]
        known = [sources for sources in found if sources is not None]
        return set(also).union(*known) if len(known) == len(found) else None

    def _sources_or_read(self, value: ast.AST) -> set[FlowPlace] | None:
        sources = self._sources(value)
        if sources is None:
            self._read(value)
        return sources

    def _store(self, targets: Sequence[ast.expr], value: ast.expr, *, is_alias: bool) -> None:
        sources = self._sources_or_read(value)
        places = {place for target in single_targets(targets) if (place := self._store_in(target, sources)) is not None}
        if sources is None:
            self.read |= set(map(content, places))  # They may be the same objects as what others read.
            sources = set()
        if is_alias:
            self._is_shared({*places, *sources})
        else:
            self._flow_all(map(content, places), sources)

    def _store_in(self, target: ast.expr, sources: set[FlowPlace] | None) -> FlowPlace | None:
        place, around = self._target(target)
        known = (sources or set()) | around
        if place is None:
            self.read |= known
            return None
        setter = [f"{place}()"] if isinstance(target, ast.Attribute) else []  # Of a property.
        self._flow_all([place, OPERATORS, *setter], known)
        return place

    def _change(self, holder: ast.expr, method: str, call: ast.Call) -> None:
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        place, around = self._target(ast.Subscript(holder, ast.Constant(0)))
        sources = set[FlowPlace]().union(*(self._sources_or_read(argument) or () for argument in given))
        known = sources | around
        self._flow_all([f"{method}()"], known)
        if method in LOGS:
            return
        if place is None:
            self.read |= known
        else:
            self._flow_all([place], known)
            self._is_shared({place, *sources})

    def _target(self, target: ast.expr) -> tuple[FlowPlace | None, set[FlowPlace]]:
        """Returns the place that a statement sets or changes, and those that lead to it; None if it is not known."""
        around: set[FlowPlace] = set()
        is_content = isinstance(target, ast.Subscript)
        while isinstance(target, ast.Subscript):
            around |= self._sources_or_read(target.slice) or set()
            target = target.value
        if isinstance(target, ast.Name) and target.id in self._locals:
            (place,) = self._local(target.id)
        elif isinstance(target, ast.Attribute) and not self._is_harmless(target.value):
            place = self._place(target.attr)
            around |= self._sources_or_read(target.value) or set()
        else:
            self._read(target)
            return None, around
        return content(place) if is_content else place, around

    def _flow_all(self, places: Iterable[FlowPlace], sources: Iterable[FlowPlace]) -> None:
        self.flows.update(itertools.product(places, sources))

    def _is_shared(self, places: set[FlowPlace]) -> None:
        """Notes that places may hold the same object: what one of them contains, the others contain."""
        first, *others = sorted(map(content, places)) or [""]
        self._flow_all([first], others)
        self._flow_all(others, [first])

    def _place(self, attribute: str) -> FlowPlace:
        return mangled(attribute, self._code)

    def _local(self, name: str) -> set[FlowPlace]:
        return {f"{id(self._code)}:{name}"} if name in self._locals else set()

    def _is_harmless(self, function: ast.AST) -> bool:
        """Returns whether it is, or belongs to, a global that is harmless."""
        while isinstance(function, ast.Attribute):
            function = function.value
        return isinstance(function, ast.Name) and function.id in self._harmless


def _count_of_parameters(code: CodeType) -> int:
    has_rest = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_argcount + code.co_kwonlyargcount + has_rest
