"""Whether what a method assigns to its object is lost, as far as the file shows who calls it, and when.

A cache that is only read outside of traces is kept, and so is one that is filled before the object enters a trace: it
goes in with the other fields. Where the file shows no read, or one that may come first in a trace, nothing keeps it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    Block,
    CallExpr,
    ClassDef,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    MemberExpr,
    NameExpr,
    Node,
    OverloadedFuncDef,
    Statement,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.types import Instance, get_proper_type

from ...syntax.trees import nodes_below, parts_of
from ..checked_file import CheckedFile, once_per_file
from .names import Functions, read_functions
from .roots import Root, find_roots

_Body = list[Statement]
_Nodes = list[tuple[Node, FuncItem | None]]  # and in which function each stands


class _Scope(NamedTuple):
    """An outermost function, or the module around all of them."""

    body: _Body
    nodes: _Nodes
    functions: Functions | None
    roots: Mapping[FuncItem, Root]
    is_method: bool


class _Read(NamedTuple):
    node: MemberExpr
    scope: _Scope
    root: Root | None  # the trace in which it stands


def may_be_lost(name: str, info: TypeInfo, file: CheckedFile, *, for_its_effect: bool) -> bool:
    """`for_its_effect`: nobody asks for a result, so that a call in another method is made for the change."""
    reads = [read for scope in _scopes(file, None) for read in _reads(name, info, scope)]
    inside = [read for read in reads if read.root is not None]
    outside = [read for read in reads if read.root is None and (for_its_effect or not read.scope.is_method)]
    if not inside:
        return not outside
    return not all(_is_filled_before(read, name, file) for read in inside)


def _reads(name: str, info: TypeInfo, scope: _Scope) -> Iterator[_Read]:
    for node, function in scope.nodes:
        if isinstance(node, MemberExpr) and node.name == name and _may_be_of(node.expr, info):
            around = scope.functions.chain(function) if scope.functions is not None else iter(())
            yield _Read(node, scope, next((scope.roots[one] for one in around if one in scope.roots), None))


def _may_be_of(receiver: Expression, info: TypeInfo) -> bool:
    """Not when the variable is declared to hold an object of another class."""
    variable = receiver.node if isinstance(receiver, NameExpr) else None
    declared = get_proper_type(variable.type) if isinstance(variable, Var) and not variable.is_inferred else None
    return not isinstance(declared, Instance) or info in declared.type.mro or declared.type in info.mro


@once_per_file
def _scopes(file: CheckedFile, _: None) -> list[_Scope]:
    defs = file.tree.defs
    module: _Nodes = [(node, None) for statement in defs for node in _outside_of_functions(statement)]
    scopes = [_Scope(defs, module, None, {}, is_method=False)]
    for function, decorator in _outermost(defs):
        functions = read_functions(function, decorator, file)
        nodes: _Nodes = [(node, inner) for inner, own in functions.nodes.items() for node in own]
        roots = find_roots(functions)
        scopes.append(_Scope(function.body.body, nodes, functions, roots, is_method=bool(function.info)))
    return scopes


def _outermost(nodes: Iterable[Node]) -> Iterator[tuple[FuncItem, Decorator | None]]:
    for node in nodes:
        if isinstance(node, Decorator):
            yield node.func, node
        elif isinstance(node, FuncItem):
            yield node, None
        else:
            yield from _outermost(parts_of(node))


def _outside_of_functions(node: Node) -> Iterator[Node]:
    if not isinstance(node, FuncItem):
        yield node
        for part in parts_of(node):
            yield from _outside_of_functions(part)


def _is_filled_before(read: _Read, name: str, file: CheckedFile) -> bool:
    """Whether each call that brings an object into the trace comes after a read of that object outside."""
    root, receiver = read.root, read.node.expr
    if root is None or not isinstance(receiver, NameExpr):
        return False
    parameters = [argument.variable for argument in root.function.arguments]
    if receiver.node not in parameters:
        return False
    index = parameters.index(receiver.node)
    calls = [
        (call, scope)
        for scope in _scopes(file, None)
        for node, _ in scope.nodes
        if (call := _call_of(root.function, node)) is not None
    ]
    return bool(calls) and all(_is_filled(call, index, name, root.function, scope) for call, scope in calls)


def _call_of(function: FuncItem, node: Node) -> CallExpr | None:
    """`use(foo)`, `foo.use()`, `jax.jit(use)(foo)`."""
    if not isinstance(node, CallExpr):
        return None
    callee = node.callee
    if isinstance(callee, CallExpr) and callee.args:
        callee = callee.args[0]
    if isinstance(callee, MemberExpr):
        return node if function.info and callee.name == function.name else None
    named: Node | None = callee.node if isinstance(callee, NameExpr) else callee
    named = named.func if isinstance(named, Decorator) else named
    return node if named is function else None


def _is_filled(call: CallExpr, index: int, name: str, function: FuncItem, scope: _Scope) -> bool:
    given: Expression | None = call.callee.expr if isinstance(call.callee, MemberExpr) and index == 0 else None
    if given is None and index < len(call.args) and call.arg_names[index] is None and not function.info:
        given = call.args[index]
    return isinstance(given, NameExpr) and given.node is not None and _is_filled_at(call, given.node, name, scope.body)


def _is_filled_at(call: CallExpr, variable: SymbolNode, name: str, body: _Body) -> bool:
    filled = False
    for statement in body:
        if any(node is call for node in nodes_below(statement)):
            inner = next(
                (block for block in _blocks(statement) if any(node is call for node in nodes_below(block))), None
            )
            return filled or (inner is not None and _is_filled_at(call, variable, name, inner.body))
        if isinstance(statement, (FuncDef, Decorator, OverloadedFuncDef, ClassDef)):
            continue
        if any(_changes(node, variable) for node in nodes_below(statement)):
            filled = False
        elif not list(_blocks(statement)) and any(_reads_it(node, variable, name) for node in nodes_below(statement)):
            filled = True
    return False


def _blocks(statement: Statement) -> Iterator[Block]:
    return (part for part in parts_of(statement) if isinstance(part, Block))


def _changes(node: Node, variable: SymbolNode) -> bool:
    """Whether the variable gets another object, or the object another field: what was filled is of the old one."""
    targets = node.lvalues if isinstance(node, AssignmentStmt) else ()
    names = (target.expr if isinstance(target, MemberExpr) else target for target in targets)
    return any(isinstance(target, NameExpr) and target.node is variable for target in names)


def _reads_it(node: Node, variable: SymbolNode, name: str) -> bool:
    return (
        isinstance(node, MemberExpr)
        and node.name == name
        and isinstance(node.expr, NameExpr)
        and node.expr.node is variable
    )
