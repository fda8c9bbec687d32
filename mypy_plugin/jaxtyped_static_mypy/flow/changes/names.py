"""What binds each variable of an outermost function and of those nested in it, and which function it belongs to."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    CallExpr,
    Decorator,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncDef,
    FuncItem,
    GeneratorExpr,
    GlobalDecl,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    NonlocalDecl,
    OperatorAssignmentStmt,
    RefExpr,
    StarExpr,
    SymbolNode,
    TryStmt,
    TupleExpr,
    TypeInfo,
    Var,
    WithStmt,
)

from ...syntax.trees import parts_of, self_parameter
from ..checked_file import CheckedFile

ANY_KEY: Final = "[*]"
Path = tuple[str, ...]  # `.name` for an attribute, `[key]` for an item


class Binding(NamedTuple):
    """One place where a variable gets a value: a part of an expression; no expression for a parameter, a `with`, ..."""

    value: Expression | None = None
    path: Path = ()
    is_parameter: bool = False
    is_concrete: bool = False  # an index of `enumerate`, a key of a dict


class Place(NamedTuple):
    """An object: the one that a variable, class or module holds or is, or one that is reached from there."""

    root: SymbolNode
    path: Path = ()

    def below(self, path: Path) -> "Place":
        return Place(self.root, self.path + path)


@dataclass
class Functions:
    """An outermost function with all that is nested in it."""

    outermost: FuncItem
    file: CheckedFile
    parents: dict[FuncItem, FuncItem | None] = field(default_factory=dict)  # outer ones first
    decorators: dict[FuncItem, Decorator] = field(default_factory=dict)
    nodes: dict[FuncItem, list[Node]] = field(default_factory=dict)  # without those of functions nested in it
    owners: dict[SymbolNode, FuncItem] = field(default_factory=dict)
    bindings: dict[SymbolNode, list[Binding]] = field(default_factory=dict)
    places: dict[SymbolNode, Place | None] = field(default_factory=dict)  # of variables, as far as they were followed
    own_methods: dict[Expression, FuncDef] = field(default_factory=dict)  # what `self.name` stands for, if that is read
    consulted: set[TypeInfo] = field(default_factory=set)  # classes that the answers depend on

    def chain(self, function: FuncItem | None) -> Iterator[FuncItem]:
        """A function and those around it, innermost first."""
        while function is not None:
            yield function
            function = self.parents[function]

    def is_inside(self, function: FuncItem, outer: FuncItem) -> bool:
        return any(one is outer for one in self.chain(function))


def read_functions(outermost: FuncItem, decorator: Decorator | None, file: CheckedFile) -> Functions:
    functions = Functions(outermost, file)
    if decorator is not None:
        functions.decorators[outermost] = decorator
    _collect(outermost, None, functions)
    _bind_all(functions.parents, functions)
    return functions


def _bind_all(added: Iterable[FuncItem], functions: Functions) -> None:
    """Outer ones first: a variable belongs to the outermost function that binds it."""
    for function in sorted(added, key=lambda one: len(list(functions.chain(one)))):
        _bind_names(function, functions)


def adopt_methods(functions: Functions, self: Var) -> None:
    """Takes the methods and properties that an outermost method asks its object for as if they were nested in it."""
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
    functions.places.clear()


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
    outer = _declared_outside(functions.nodes[function])

    def add(variable: SymbolNode, binding: Binding) -> None:
        if variable.name not in outer:
            functions.owners.setdefault(variable, function)
        functions.bindings.setdefault(variable, []).append(binding)

    for argument in function.arguments:
        add(argument.variable, Binding(is_parameter=True))
    for node in functions.nodes[function]:
        for variable, binding in _bound_by(node):
            add(variable, binding)


def _declared_outside(nodes: list[Node]) -> frozenset[str]:
    return frozenset(name for node in nodes if isinstance(node, (GlobalDecl, NonlocalDecl)) for name in node.names)


def _bound_by(node: Node) -> Iterator[tuple[SymbolNode, Binding]]:
    if isinstance(node, AssignmentStmt):
        for target in node.lvalues:
            yield from _match(target, Binding(node.rvalue))
    elif isinstance(node, OperatorAssignmentStmt):
        yield from _match(node.lvalue, Binding(node.rvalue, (ANY_KEY, "+")))
    elif isinstance(node, AssignmentExpr):
        yield from _match(node.target, Binding(node.value))
    elif isinstance(node, ForStmt):
        yield from _match_elements(node.index, node.expr)
    elif isinstance(node, (GeneratorExpr, DictionaryComprehension)):
        for index, sequence in zip(node.indices, node.sequences, strict=True):
            yield from _match_elements(index, sequence)
    elif isinstance(node, WithStmt):
        for bound in node.target:
            if bound is not None:
                yield from _match(bound, Binding())
    elif isinstance(node, TryStmt):
        for name in node.vars:
            if name is not None:
                yield from _match(name, Binding())


def _match(target: Expression, binding: Binding) -> Iterator[tuple[SymbolNode, Binding]]:
    """The part of a value that each name in a target gets."""
    if isinstance(target, NameExpr):
        if isinstance(target.node, SymbolNode):
            yield target.node, binding
    elif isinstance(target, StarExpr):
        yield from _match(target.expr, binding._replace(path=(*binding.path, ANY_KEY)))
    elif isinstance(target, (TupleExpr, ListExpr)):
        value = binding.value
        fits = isinstance(value, (TupleExpr, ListExpr)) and len(value.items) == len(target.items) and not binding.path
        starred = any(isinstance(item, StarExpr) for item in target.items)
        for index, item in enumerate(target.items):
            if fits and not starred and isinstance(value, (TupleExpr, ListExpr)):
                yield from _match(item, binding._replace(value=value.items[index]))
            else:
                key = ANY_KEY if starred else f"[{index}]"
                yield from _match(item, binding._replace(path=(*binding.path, key)))


_CONCRETE: Final = Binding(is_concrete=True)


def _match_elements(target: Expression, iterable: Expression) -> Iterator[tuple[SymbolNode, Binding]]:
    """What the target of a loop gets."""
    items = target.items if isinstance(target, (TupleExpr, ListExpr)) else []
    if isinstance(iterable, CallExpr) and isinstance(iterable.callee, RefExpr):
        name = iterable.callee.name if isinstance(iterable.callee, MemberExpr) else iterable.callee.fullname
        base = iterable.callee.expr if isinstance(iterable.callee, MemberExpr) else None
        if name == "builtins.enumerate" and len(items) == 2 and iterable.args:
            yield from _match(items[0], _CONCRETE)
            yield from _match_elements(items[1], iterable.args[0])
            return
        if name == "builtins.zip" and len(items) == len(iterable.args):
            for item, part in zip(items, iterable.args, strict=True):
                yield from _match_elements(item, part)
            return
        if name in ("items", "values") and base is not None:
            if name == "items" and len(items) == 2:
                yield from _match(items[0], _CONCRETE)
                target = items[1]
            yield from _match(target, Binding(base, (ANY_KEY,)))
            return
        if name in ("keys", "builtins.range"):
            yield from _match(target, _CONCRETE)
            return
    yield from _match(target, Binding(iterable, (ANY_KEY,)))
