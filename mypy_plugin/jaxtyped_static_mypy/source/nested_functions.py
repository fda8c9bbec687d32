"""Reads an outermost function with the functions nested in it: their nodes, variables and bindings."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from mypy.nodes import (
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    Node,
    SymbolNode,
    TypeInfo,
    Var,
)

from ..syntax.node_parts import BELOW, OF_OTHERS
from ..syntax.trees import names_declared_outside, parts_of, self_parameter
from .bindings import BINDING_VARIABLES, Binding, Path, bound_by
from .checked_file import CheckedFile, once_per_file

_FUNCTIONS: Final = frozenset({FuncDef, LambdaExpr})


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
    # Of variables, as far as they were followed.
    access_paths: dict[SymbolNode, AccessPath | None] = field(default_factory=dict)
    adopted: dict[Expression, FuncDef] = field(default_factory=dict)  # names of functions that count as nested
    consulted: set[TypeInfo] = field(default_factory=set)  # classes that the answers depend on

    def chain(self, function: FuncItem | None) -> Iterator[FuncItem]:
        """A function and those around it, innermost first."""
        while function is not None:
            yield function
            function = self.parents[function]

    def is_inside(self, function: FuncItem, outer: FuncItem) -> bool:
        return outer in self.chain(function)


class Outermost(NamedTuple):
    """The code of an outermost function, or of the module around all of them."""

    nodes: list[tuple[Node, FuncItem | None]]  # and in which function each stands
    variables: Variables

    @property
    def functions(self) -> Functions | None:
        return self.variables if isinstance(self.variables, Functions) else None


@once_per_file
def all_outermost(file: CheckedFile) -> list[Outermost]:
    """The code of a file: what stands outside of functions first, then each outermost function."""
    module = [node for statement in file.tree.defs for node in _outside_of_functions(statement)]
    found = [Outermost([(node, None) for node in module], Variables(file))]
    for function, decorator in _outermost_functions(file.tree.defs):
        functions = read_functions(function, decorator, file)
        nodes: list[tuple[Node, FuncItem | None]] = []
        nodes += [(node, inner) for inner, own in functions.nodes.items() for node in own]
        found.append(Outermost(nodes, functions))
    return found


def _outermost_functions(nodes: Iterable[Node]) -> Iterator[tuple[FuncItem, Decorator | None]]:
    for node in nodes:
        if isinstance(node, Decorator):
            yield node.func, node
        elif isinstance(node, FuncItem):
            yield node, None
        else:
            yield from _outermost_functions(parts_of(node))


def _outside_of_functions(node: Node) -> Iterator[Node]:
    if not isinstance(node, FuncItem):
        yield node
        for part in parts_of(node):
            yield from _outside_of_functions(part)


def read_functions(outermost: FuncItem, decorator: Decorator | None, file: CheckedFile) -> Functions:
    """An outermost function and those nested in it, with their variables and bindings.

    Each caller gets its own, which grows as it adopts others.
    """
    read = _read_functions(file, outermost, decorator)
    return replace(
        read,
        owners=dict(read.owners),
        bindings={variable: [*bindings] for variable, bindings in read.bindings.items()},
        parents=dict(read.parents),
        decorators=dict(read.decorators),
        nodes=dict(read.nodes),
        access_paths={},
        adopted={},
        consulted=set(),
    )


@once_per_file
def _read_functions(file: CheckedFile, outermost: FuncItem, decorator: Decorator | None) -> Functions:
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
        if is_own and isinstance(method, FuncDef) and self_parameter(method) and method is not outermost:
            adopt(method, node, outermost, functions)
    functions.access_paths.clear()


def adopt(function: FuncDef, named: Expression, within: FuncItem, functions: Functions) -> None:
    """Treats a function, or a method of some object, as nested in one that names it; of several, in the first."""
    functions.adopted[named] = function
    if function in functions.parents:
        return
    known = set(functions.parents)
    _collect(function, within, functions)
    _bind_all([inner for inner in functions.parents if inner not in known], functions)
    if isinstance(named, MemberExpr) and (own := self_parameter(function)) is not None:
        functions.bindings[own] = [Binding(named.expr)]


def _collect(function: FuncItem, parent: FuncItem | None, functions: Functions) -> None:
    functions.parents[function] = parent
    own = functions.nodes.setdefault(function, [])
    pending = [*reversed(parts_of(function))]
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind in _FUNCTIONS and isinstance(node, FuncItem):
            _collect(node, function, functions)
            continue
        own.append(node)
        if isinstance(node, Decorator):
            functions.decorators[node.func] = node
        if (below := BELOW.get(kind, OF_OTHERS)) is not None:
            pending += below(node)[::-1]


def _bind_names(function: FuncItem, functions: Functions) -> None:
    outer = names_declared_outside(functions.nodes[function])
    for node in (function, *functions.nodes[function]):
        for variable, binding in bound_by(node) if type(node) in BINDING_VARIABLES else ():
            if variable.name not in outer:
                functions.owners.setdefault(variable, function)
            functions.bindings.setdefault(variable, []).append(binding)
