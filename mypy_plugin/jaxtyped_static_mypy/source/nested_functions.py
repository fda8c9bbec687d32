"""Reads an outermost function with the functions nested in it: their nodes, variables and bindings."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from mypy.nodes import (
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    MemberExpr,
    NameExpr,
    Node,
    SymbolNode,
    TypeInfo,
    Var,
)

from ..syntax.trees import names_declared_outside, parts_of, self_parameter
from .bindings import Binding, Path, bound_by
from .checked_file import CheckedFile


class AccessPath(NamedTuple):
    """An object, as reached from a variable, class or module."""

    root: SymbolNode
    path: Path = ()

    def below(self, path: Path) -> "AccessPath":
        return AccessPath(self.root, self.path + path)


@dataclass
class Variables:
    """The variables of some code, and what binds them; empty at module level, whose variables the file has."""

    file: CheckedFile
    owners: dict[SymbolNode, FuncItem] = field(default_factory=dict)
    bindings: dict[SymbolNode, list[Binding]] = field(default_factory=dict)


@dataclass
class Functions(Variables):
    """An outermost function and the functions nested in it."""

    outermost: FuncItem = field(kw_only=True)
    parents: dict[FuncItem, FuncItem | None] = field(default_factory=dict)  # outer functions first
    decorators: dict[FuncItem, Decorator] = field(default_factory=dict)
    nodes: dict[FuncItem, list[Node]] = field(default_factory=dict)  # without those of nested functions
    access_paths: dict[SymbolNode, AccessPath | None] = field(
        default_factory=dict
    )  # of variables, as far as they were followed
    own_methods: dict[Expression, FuncDef] = field(default_factory=dict)  # what `self.name` stands for, if that is read
    consulted: set[TypeInfo] = field(default_factory=set)  # classes that the answers depend on

    def chain(self, function: FuncItem | None) -> Iterator[FuncItem]:
        """A function and those around it, innermost first."""
        while function is not None:
            yield function
            function = self.parents[function]

    def is_inside(self, function: FuncItem, outer: FuncItem) -> bool:
        return outer in self.chain(function)


def read_functions(outermost: FuncItem, decorator: Decorator | None, file: CheckedFile) -> Functions:
    functions = Functions(file, outermost=outermost)
    if decorator is not None:
        functions.decorators[outermost] = decorator
    _collect(outermost, None, functions)
    _bind_all(functions.parents, functions)
    return functions


def _bind_all(added: Iterable[FuncItem], functions: Functions) -> None:
    """Binds outer functions first: a variable belongs to the outermost function that binds it."""
    for function in sorted(added, key=lambda inner: len(list(functions.chain(inner)))):
        _bind_names(function, functions)


def adopt_methods(functions: Functions, self: Var) -> None:
    """Treats the methods and properties that a method uses on `self` as functions nested in it."""
    outermost = functions.outermost
    asked = [node for nodes in functions.nodes.values() for node in nodes if isinstance(node, MemberExpr)]
    for node in asked:
        symbol = outermost.info.names.get(node.name)
        method = symbol.node if symbol is not None else None
        if isinstance(method, Decorator) and method.var.is_property:
            method = method.func
        is_own = isinstance(node.expr, NameExpr) and node.expr.node is self
        if is_own and isinstance(method, FuncDef) and (its_self := self_parameter(method)) and method is not outermost:
            functions.own_methods[node] = method
            if method not in functions.parents:
                known = set(functions.parents)
                _collect(method, outermost, functions)
                _bind_all([inner for inner in functions.parents if inner not in known], functions)
                functions.bindings[its_self] = [Binding(node.expr)]
    functions.access_paths.clear()


def _collect(function: FuncItem, parent: FuncItem | None, functions: Functions) -> None:
    functions.parents[function] = parent
    own = functions.nodes.setdefault(function, [])
    pending = list(parts_of(function))[::-1]
    while pending:
        node = pending.pop()
        if isinstance(node, FuncItem):
            _collect(node, function, functions)
            continue
        own.append(node)
        if isinstance(node, Decorator):
            functions.decorators[node.func] = node
        pending.extend(list(parts_of(node))[::-1])


def _bind_names(function: FuncItem, functions: Functions) -> None:
    outer = names_declared_outside(functions.nodes[function])
    for node in (function, *functions.nodes[function]):
        for variable, binding in bound_by(node):
            if variable.name not in outer:
                functions.owners.setdefault(variable, function)
            functions.bindings.setdefault(variable, []).append(binding)
