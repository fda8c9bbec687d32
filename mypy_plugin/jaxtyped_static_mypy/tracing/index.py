"""What the syntax of a whole file tells, found once for all of its functions and only when one of them needs it.

`run` is the run of the checker: the daemon puts other statements into the same file.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    LambdaExpr,
    MypyFile,
    NameExpr,
    Node,
    RefExpr,
    SymbolNode,
)

from ..syntax import nodes_below, parts_of, statements


class Mention(NamedTuple):
    """A name or lambda where it is used, and the call that it is an argument of."""

    expression: RefExpr | LambdaExpr
    call: CallExpr | None


@lru_cache(maxsize=1)
def decorators(file: MypyFile, run: object) -> Mapping[FuncDef, Decorator]:
    return {node.func: node for node in statements(file.defs) if isinstance(node, Decorator)}


@lru_cache(maxsize=1)
def uses_by_name(file: MypyFile, run: object) -> Mapping[str, list[Mention]]:
    """Where each name is used, also as that of an attribute; lambdas have one name for all."""
    found: dict[str, list[Mention]] = {}
    for mention in mentions(nodes_below(file)):
        found.setdefault(getattr(mention.expression, "name", ""), []).append(mention)
    return found


def mentions(nodes: Iterable[Node]) -> list[Mention]:
    """Every use of a name or lambda among some nodes."""
    nodes = list(nodes)
    calls = {id(part): node for node in nodes if isinstance(node, CallExpr) for part in _arguments(node.args)}
    return [Mention(node, calls.get(id(node))) for node in nodes if isinstance(node, (RefExpr, LambdaExpr))]


def _arguments(args: Iterable[Expression]) -> Iterable[Expression]:
    """The arguments of a call, those in a list or tuple too, as the branches of `lax.switch` are."""
    for argument in args:
        yield argument
        items = getattr(argument, "items", ())
        yield from (item for item in items if isinstance(item, Expression))


@lru_cache(maxsize=1)
def calls_in_lambdas(file: MypyFile, run: object) -> Mapping[Expression, LambdaExpr]:
    """Calls and their arguments in lambdas that stand in no function: mypy does not always tell that it checks one."""
    return dict(_in_lambdas(file))


def _in_lambdas(node: Node) -> Iterator[tuple[Expression, LambdaExpr]]:
    if isinstance(node, LambdaExpr):
        calls = (below for below in nodes_below(node) if isinstance(below, CallExpr))
        yield from ((part, node) for call in calls for part in (call, *call.args))
    elif not isinstance(node, FuncDef):
        for part in parts_of(node):
            yield from _in_lambdas(part)


@lru_cache(maxsize=1)
def bindings(file: MypyFile, run: object) -> Mapping[SymbolNode, list[Expression]]:
    """What is assigned to each plain name."""
    found: dict[SymbolNode, list[Expression]] = {}
    for node in statements(file.defs):
        for target in node.lvalues if isinstance(node, AssignmentStmt) else ():
            if isinstance(node, AssignmentStmt) and isinstance(target, NameExpr) and target.node is not None:
                found.setdefault(target.node, []).append(node.rvalue)
    return found
