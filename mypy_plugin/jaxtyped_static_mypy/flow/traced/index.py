"""What the syntax of a whole file tells, found once for all of its functions and only when one of them needs it.

`run` is the run of the checker: the daemon puts other statements into the same file.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    RefExpr,
    SymbolNode,
    Var,
)

from ...syntax.trees import nodes_below, statements


class Mention(NamedTuple):
    """A name where it is used, and the call that it is an argument of."""

    expression: RefExpr
    call: CallExpr | None


@lru_cache(maxsize=1)
def decorators(file: MypyFile, run: object) -> Mapping[FuncDef, Decorator]:
    return {node.func: node for node in statements(file.defs) if isinstance(node, Decorator)}


@lru_cache(maxsize=1)
def _nodes(file: MypyFile, run: object) -> list[Node]:
    return list(nodes_below(file))


@lru_cache(maxsize=1)
def uses_by_name(file: MypyFile, run: object) -> Mapping[str, list[Mention]]:
    """Where each name is used, also as that of an attribute."""
    found: dict[str, list[Mention]] = {}
    for mention in _mentions(_nodes(file, run)):
        found.setdefault(getattr(mention.expression, "name", ""), []).append(mention)
    return found


def _mentions(nodes: list[Node]) -> list[Mention]:
    calls = {id(part): node for node in nodes if isinstance(node, CallExpr) for part in _arguments(node.args)}
    return [Mention(node, calls.get(id(node))) for node in nodes if isinstance(node, RefExpr)]


@lru_cache(maxsize=1)
def lambda_calls(file: MypyFile, run: object) -> Mapping[FuncItem, CallExpr]:
    """The calls that are given a lambda."""
    calls = [node for node in _nodes(file, run) if isinstance(node, CallExpr)]
    return {part: call for call in calls for part in _arguments(call.args) if isinstance(part, LambdaExpr)}


@lru_cache(maxsize=1)
def functions_named(file: MypyFile, run: object) -> Mapping[str, list[FuncDef]]:
    """The functions of each name that the file defines."""
    found: dict[str, list[FuncDef]] = {}
    for node in statements(file.defs):
        if isinstance(node, FuncDef):
            found.setdefault(node.name, []).append(node)
    return found


@lru_cache(maxsize=1)
def replaced_methods(file: MypyFile, run: object) -> Mapping[str, list[CallExpr]]:
    """`self.step = jax.jit(self.step)`: from there on, the name means what the call returns."""
    found: dict[str, list[CallExpr]] = {}
    for node in statements(file.defs):
        if isinstance(node, AssignmentStmt) and isinstance(node.rvalue, CallExpr):
            target = node.lvalues[0]
            if isinstance(target, MemberExpr) and is_self(target.expr):
                found.setdefault(target.name, []).append(node.rvalue)
    return found


def is_self(node: Expression) -> bool:
    return isinstance(node, NameExpr) and isinstance(node.node, Var) and node.node.is_self


def _arguments(args: Iterable[Expression]) -> Iterable[Expression]:
    """The arguments of a call, those in a list or tuple too, as the branches of `lax.switch` are."""
    for argument in args:
        yield argument
        items = getattr(argument, "items", ())
        yield from (item for item in items if isinstance(item, Expression))


@lru_cache(maxsize=1)
def bindings(file: MypyFile, run: object) -> Mapping[SymbolNode, list[Expression]]:
    """What is assigned to each plain name."""
    found: dict[SymbolNode, list[Expression]] = {}
    for node in statements(file.defs):
        for target in node.lvalues if isinstance(node, AssignmentStmt) else ():
            if isinstance(node, AssignmentStmt) and isinstance(target, NameExpr) and target.node is not None:
                found.setdefault(target.node, []).append(node.rvalue)
    return found
