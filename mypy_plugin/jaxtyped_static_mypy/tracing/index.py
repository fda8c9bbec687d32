"""What the syntax of a file tells, once for all of its functions: their decorators, and where each name is used."""

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

from ..syntax import nodes_below, parts_of

Named = RefExpr | LambdaExpr


class Mention(NamedTuple):
    """A name or lambda where it is used, and the call that it is an argument of."""

    expression: Named
    call: CallExpr | None


class FileIndex(NamedTuple):
    decorators: Mapping[FuncDef, Decorator]
    mentions: Mapping[str, list[Mention]]  # of names and attributes
    lambdas: Mapping[LambdaExpr, CallExpr]  # that have the lambda as an argument
    at_module_level: Mapping[Expression, LambdaExpr]  # arguments of calls, with the lambda around them
    bindings: Mapping[SymbolNode, list[Expression]]  # what is assigned to a plain name


@lru_cache(maxsize=1)
def index_of(file: MypyFile, check: object) -> FileIndex:
    """`check` is the run of the checker: the daemon puts other statements into the same file."""
    decorators = {node.func: node for node in nodes_below(file) if isinstance(node, Decorator)}
    found: dict[str, list[Mention]] = {}
    lambdas: dict[LambdaExpr, CallExpr] = {}
    for mention in mentions(file):
        if isinstance(mention.expression, RefExpr):
            found.setdefault(_name(mention.expression), []).append(mention)
        elif mention.call is not None:
            lambdas[mention.expression] = mention.call
    return FileIndex(decorators, found, lambdas, dict(_arguments_in_lambdas(file)), _bindings(file))


def _arguments_in_lambdas(node: Node) -> Iterator[tuple[Expression, LambdaExpr]]:
    """Of the lambdas that stand in no function: mypy does not always tell that it checks the body of one."""
    if isinstance(node, LambdaExpr):
        calls = (below for below in nodes_below(node) if isinstance(below, CallExpr))
        yield from ((argument, node) for call in calls for argument in call.args)
    elif not isinstance(node, FuncDef):
        for part in parts_of(node):
            yield from _arguments_in_lambdas(part)


def _bindings(file: MypyFile) -> dict[SymbolNode, list[Expression]]:
    bindings: dict[SymbolNode, list[Expression]] = {}
    for node in nodes_below(file):
        for target in node.lvalues if isinstance(node, AssignmentStmt) else ():
            if isinstance(node, AssignmentStmt) and isinstance(target, NameExpr) and target.node is not None:
                bindings.setdefault(target.node, []).append(node.rvalue)
    return bindings


def mentions(tree: Node) -> list[Mention]:
    """Every use of a name or lambda below a node."""
    nodes = list(nodes_below(tree))
    calls = {id(part): node for node in nodes if isinstance(node, CallExpr) for part in _arguments(node.args)}
    return [Mention(node, calls.get(id(node))) for node in nodes if isinstance(node, (RefExpr, LambdaExpr))]


def _arguments(args: Iterable[Expression]) -> Iterable[Expression]:
    """The arguments of a call, those in a list or tuple too, as the branches of `lax.switch` are."""
    for argument in args:
        yield argument
        items = getattr(argument, "items", ())
        yield from (item for item in items if isinstance(item, Expression))


def _name(expression: RefExpr) -> str:
    return str(getattr(expression, "name", ""))
