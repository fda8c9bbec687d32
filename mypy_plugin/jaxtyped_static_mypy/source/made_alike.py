"""Loops that make a function anew on each pass, of the same code and the same values: it could be made once before."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    CallExpr,
    Decorator,
    FuncDef,
    LambdaExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    SymbolNode,
    TypeInfo,
    Var,
)

from ..syntax.assignments import targets_of
from ..syntax.names import base_of
from ..syntax.trees import names_declared_outside, nodes_below
from .bindings import bound_by, made_by
from .checked_file import CheckedFile, once_per_file

_CODE: Final = (Decorator, FuncDef, LambdaExpr)


def makes_alike(made: Node, loop: Node, file: CheckedFile) -> bool:
    """Whether what a loop makes at a node reads nothing that the loop binds, or that the program may change meanwhile.

    Of functions of the file, what they read counts, too: a new one sees another value of a global variable.
    """
    within = set(nodes_below(made))
    read = _read_by(made, file)
    others = [node for node in nodes_below(loop) if node not in within]
    changing = {*_bound_by(others), *_of_methods(others)}
    return read.isdisjoint(changing) and not any(symbol.name in _names_shared(file) for symbol in read)


def _read_by(made: Node, file: CheckedFile) -> set[SymbolNode]:
    """The variables that code reads, and the functions of the file that it uses; a variable of a lambda is one."""
    found, pending, seen = set[SymbolNode](), [made], set[Node]()
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        for name in (part for part in nodes_below(node) if isinstance(part, NameExpr)):
            value = made_by(name, file)
            symbol = name.node
            if isinstance(value, _CODE):
                pending.append(value)
            if isinstance(symbol, (Decorator, FuncDef)) and file.defines(_function(symbol)):
                pending.append(symbol)
            elif isinstance(symbol, Var):
                found.add(symbol)
    return found


def _function(symbol: Decorator | FuncDef) -> FuncDef:
    return symbol.func if isinstance(symbol, Decorator) else symbol


def _bound_by(nodes: list[Node]) -> Iterator[SymbolNode]:
    """The variables that code binds, or of whose objects it sets attributes and items."""
    for node in nodes:
        yield from (variable for variable, _ in bound_by(node))
        targets = (base_of(target) for target in targets_of(node))
        yield from (base.node for base in targets if isinstance(base, NameExpr) and base.node is not None)


def _of_methods(nodes: list[Node]) -> Iterator[SymbolNode]:
    """The variables of whose objects code calls methods, which may change them: `model.fit(x)`."""
    for node in nodes:
        callee = node.callee if isinstance(node, CallExpr) else None
        base = base_of(callee) if isinstance(callee, MemberExpr) else None
        symbol = base.node if isinstance(base, NameExpr) else None
        if symbol is not None and not isinstance(symbol, (MypyFile, TypeInfo)):
            yield symbol


@once_per_file
def _names_shared(file: CheckedFile) -> frozenset[str]:
    """The names of variables that functions of the file assign although they are not theirs."""
    return names_declared_outside(list(nodes_below(file.tree)))
