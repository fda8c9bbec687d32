"""Finds out whether a function passes every call on, with all arguments unchanged, or with some."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    ARG_POS,
    ARG_STAR,
    ARG_STAR2,
    CallExpr,
    FuncDef,
    FuncItem,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    Node,
    YieldExpr,
    YieldFromExpr,
)

from ...syntax.assignments import targets_of
from ...syntax.names import below_items, is_named
from ...syntax.trees import nodes_below, parts_of

# Methods that do not change a dict or a tuple.
_READS: Final = ("items", "keys", "values", "get", "copy", "index", "count")


class _Passed(NamedTuple):
    """The parameters of a function that takes any arguments after those that it names."""

    named: tuple[str, ...]
    args: str
    kwargs: str

    @property
    def all(self) -> frozenset[str]:
        return frozenset((*self.named, self.args, self.kwargs))


def forwarding_calls(function: FuncItem, *, skip_first: bool = False) -> list[CallExpr]:
    """The calls by which a function may pass its own calls on; none if it changes its arguments.

    `skip_first`: for a `__call__`, which does not pass `self` on.
    """
    parameters = _parameters(function, skip_first)
    if parameters is None or function.is_coroutine or function.is_generator:
        return []
    own = list(own_nodes(function))
    if any(isinstance(node, (YieldExpr, YieldFromExpr)) or _changes(node, parameters.all) for node in own):
        return []
    return [node for node in own if isinstance(node, CallExpr) and _passes_on(node, parameters)]


def _parameters(function: FuncItem, skip_first: bool) -> _Passed | None:
    arguments = function.arguments[1:] if skip_first else function.arguments
    if len(arguments) < 2 or arguments[-1].kind is not ARG_STAR2 or arguments[-2].kind is not ARG_STAR:
        return None
    if any(not argument.kind.is_required() for argument in arguments[:-2]):
        return None
    named = tuple(argument.variable.name for argument in arguments[:-2])
    return _Passed(named, arguments[-2].variable.name, arguments[-1].variable.name)


def _passes_on(call: CallExpr, parameters: _Passed) -> bool:
    kinds = call.arg_kinds
    if len(kinds) != len(parameters.named) + 2 or kinds[-2:] != [ARG_STAR, ARG_STAR2]:
        return False
    if not all(kind.is_positional() for kind in kinds[:-2]):
        return False
    names = [node.name if isinstance(node, NameExpr) else None for node in call.args]
    return names == [*parameters.named, parameters.args, parameters.kwargs]


def own_nodes(function: FuncItem) -> Iterator[Node]:
    """The nodes of a function, without those of the functions nested in it."""
    pending: list[Node] = [function.body]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (FuncDef, LambdaExpr)):
            pending += parts_of(node)


def _changes(node: Node, names: frozenset[str]) -> bool:
    """Whether a node binds one of these names again, or changes what it holds."""
    if isinstance(node, CallExpr):
        callee = node.callee
        is_method = isinstance(callee, MemberExpr) and isinstance(callee.expr, NameExpr) and callee.expr.name in names
        return is_method and isinstance(callee, MemberExpr) and callee.name not in _READS
    changed = map(below_items, targets_of(node))
    return any(isinstance(target, NameExpr) and target.name in names for target in changed)


# Wrappers that change some arguments


def kept_positions(wrapper: FuncItem, subject: str) -> list[int]:
    """The positions that get the caller's own argument in every call of the subject: the first in `f(self, g(x))`.

    The wrapper does nothing else with such an argument, so it does not see what the subject does to it.
    """
    nodes = nodes_below(wrapper.body)
    names = [node.name for node in nodes if isinstance(node, NameExpr)]
    calls = [node for node in nodes if isinstance(node, CallExpr) and is_named(node.callee, subject)]
    if not calls or names.count(subject) != len(calls):
        return []
    nested = {argument.variable.name for node in nodes if isinstance(node, FuncItem) for argument in node.arguments}
    own = [argument.variable.name for argument in wrapper.arguments if argument.kind is ARG_POS]
    return [
        index
        for index, name in enumerate(own)
        if name not in nested and names.count(name) == len(calls) and all(_passes(call, index, name) for call in calls)
    ]


def _passes(call: CallExpr, index: int, name: str) -> bool:
    is_plain = call.arg_kinds[: index + 1] == [ARG_POS] * (index + 1)
    return is_plain and is_named(call.args[index], name)
