"""Finds what each variable is bound to: an expression, or a part of one."""

from collections.abc import Container, Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    CallExpr,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncItem,
    GeneratorExpr,
    ListExpr,
    MatchStmt,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    RefExpr,
    StarExpr,
    SymbolNode,
    TryStmt,
    TupleExpr,
    WithStmt,
)

from ..syntax.patterns import captured
from ..syntax.trees import nodes_below

ANY_KEY: Final = "[*]"
UPDATED: Final = "+"  # by `+=` and the like
Path = tuple[str, ...]  # `.name` for an attribute, `[key]` for an item


class Binding(NamedTuple):
    """One place that binds a variable to an expression or to part of one.

    `value` is None for parameters and for names bound by `with`, `except` and patterns.
    """

    value: Expression | None = None
    path: Path = ()
    is_parameter: bool = False
    is_concrete: bool = False  # an index of `enumerate`, a key of a dict


def bound_by(node: Node) -> Iterator[tuple[SymbolNode, Binding]]:
    """Yields the variables that a node itself binds; a function binds its parameters."""
    if isinstance(node, FuncItem):
        yield from ((argument.variable, _PARAMETER) for argument in node.arguments)
    elif isinstance(node, AssignmentStmt):
        for target in node.lvalues:
            yield from _match(target, Binding(node.rvalue))
    elif isinstance(node, OperatorAssignmentStmt):
        yield from _match(node.lvalue, Binding(node.rvalue, (ANY_KEY, UPDATED)))
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
    elif isinstance(node, MatchStmt):
        yield from ((variable, Binding()) for pattern in node.patterns for variable in captured(pattern))


def mentions(node: Node, variables: Container[SymbolNode | None]) -> bool:
    """Whether any of these variables is named below a node."""
    return any(isinstance(part, NameExpr) and part.node in variables for part in nodes_below(node))


def _match(target: Expression, binding: Binding) -> Iterator[tuple[SymbolNode, Binding]]:
    """Matches the names in a target with the parts of the value they get."""
    if isinstance(target, NameExpr):
        if isinstance(target.node, SymbolNode):
            yield target.node, binding
    elif isinstance(target, StarExpr):
        yield from _match(target.expr, binding._replace(path=(*binding.path, ANY_KEY)))
    elif isinstance(target, (TupleExpr, ListExpr)):
        yield from _match_items(target.items, binding)


def _match_items(targets: list[Expression], binding: Binding) -> Iterator[tuple[SymbolNode, Binding]]:
    """Matches `a, *rest, b = value`: with single items if the value is written out, else with parts of the whole."""
    starred = next((index for index, item in enumerate(targets) if isinstance(item, StarExpr)), None)
    items = _items(binding)
    fits = len(items) == len(targets) if starred is None else len(items) >= len(targets) - 1
    for index, target in enumerate(targets):
        if fits and index != starred:
            is_behind = starred is not None and index > starred
            yield from _match(target, Binding(items[index - len(targets) if is_behind else index]))
        else:
            key = f"[{index}]" if starred is None else ANY_KEY
            yield from _match(target, binding._replace(path=(*binding.path, key)))


def _items(binding: Binding) -> list[Expression]:
    """The items of a tuple or list display."""
    value = binding.value
    if not isinstance(value, (TupleExpr, ListExpr)) or binding.path:
        return []
    return [] if any(isinstance(item, StarExpr) for item in value.items) else value.items


_PARAMETER: Final = Binding(is_parameter=True)
_CONCRETE: Final = Binding(is_concrete=True)


def _match_elements(target: Expression, iterable: Expression) -> Iterator[tuple[SymbolNode, Binding]]:
    """Matches the target of a loop with the elements of the iterable."""
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
