"""Reads what of `self` a method reads only where a parameter is left out, and which parameters its calls give."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from mypy.nodes import (
    ArgKind,
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    Expression,
    FuncItem,
    IfStmt,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
)

from ..syntax.literals import is_none
from ..syntax.names import dotted_name, is_named
from ..syntax.trees import kinds_below, names_assigned, nodes_below

EITHER: Final = "|"  # between the name of a parameter and its position, where calls differ
_PARTIAL: Final = "partial"


class Fallback(NamedTuple):
    """An attribute that stands in for a parameter: `if dt is None: dt = self.dt`."""

    parameter: str
    read: str  # `dt`, or `config.dt` for a part of an attribute


class Given(NamedTuple):
    """An argument that every call of a method on `self` gives: `self.act(x, params=params)`."""

    method: str
    parameter: str  # or its position, in digits; `params|1` if some calls give it by name, and the others so
    origin: str  # what is passed on: a parameter, if that may be left out; else empty


class LeftOut(NamedTuple):
    """What a method does with parameters that may be left out: their default is None."""

    instead: dict[Node, str]  # what only runs where a parameter is None, with the parameter
    given: frozenset[Given]
    parameters: tuple[str, ...]  # those that a call gives by position, if any may be left out


def read_left_out(function: FuncItem, nodes: Sequence[Node], members: Iterable[MemberExpr]) -> LeftOut:
    """`nodes`: those of its body. `members`: the attributes of `self` there."""
    optional = _optional(function, nodes)
    instead = dict(_instead(optional, nodes))
    calls = kinds_below(function.body).of(CallExpr)
    given = frozenset(_given(list(members), optional, calls))
    is_used = instead or any(argument.origin for argument in given)
    positional = (argument for argument in function.arguments[1:] if argument.kind.is_positional())
    return LeftOut(instead, given, tuple(argument.variable.name for argument in positional) if is_used else ())


def _optional(function: FuncItem, nodes: Sequence[Node]) -> frozenset[str]:
    """The parameters whose default is None, and whose names mean nothing else in functions nested in this one."""
    names = {argument.variable.name for argument in function.arguments if is_none(argument.initializer)}
    inner = (node for node in nodes if names and isinstance(node, FuncItem))
    return frozenset(names - {argument.variable.name for nested in inner for argument in nested.arguments})


def _instead(optional: frozenset[str], nodes: Sequence[Node]) -> Iterator[tuple[Node, str]]:
    for name in optional:
        below = {inner for branch in _branches(name, nodes) for inner in nodes_below(branch)}
        if below and not any(_assigns(name, node) for node in nodes if node not in below):
            yield from ((node, name) for node in below)


def _branches(name: str, nodes: Sequence[Node]) -> Iterator[Node]:
    """What only runs where a parameter is None."""
    for node in nodes:
        if isinstance(node, IfStmt):
            for condition, block in zip(node.expr, node.body, strict=True):
                if _is_none_where(condition, name, "is", "and"):
                    yield block
            if node.else_body is not None and any(_is_none_where(part, name, "is not", "or") for part in node.expr):
                yield node.else_body
        elif isinstance(node, ConditionalExpr):
            if _is_none_where(node.cond, name, "is", "and"):
                yield node.if_expr
            if _is_none_where(node.cond, name, "is not", "or"):
                yield node.else_expr


def _is_none_where(condition: Expression, name: str, operator: str, joining: str) -> bool:
    """Whether a condition compares a parameter with None, alone or as a part of `a and b`, or of `a or b`."""
    if isinstance(condition, OpExpr):
        parts = (condition.left, condition.right)
        return condition.op == joining and any(_is_none_where(part, name, operator, joining) for part in parts)
    if not isinstance(condition, ComparisonExpr) or condition.operators != [operator]:
        return False
    return is_named(condition.operands[0], name) and is_none(condition.operands[1])


def _assigns(name: str, node: Node) -> bool:
    return isinstance(node, AssignmentStmt | OperatorAssignmentStmt) and name in names_assigned(node)


def _given(members: list[MemberExpr], optional: frozenset[str], calls: list[CallExpr]) -> Iterator[Given]:
    """The arguments that all mentions of a method give."""
    by_callee = {call.callee: call for call in calls}
    by_first = {call.args[0]: call for call in calls if call.args}
    found: dict[str, list[dict[str, str]]] = {}
    for member in members:
        arguments = dict(_arguments(member, by_callee, by_first))
        origins = {key: _origin(value, optional) for key, value in arguments.items() if not is_none(value)}
        found.setdefault(member.name, []).append(origins)
    for method, mentions in found.items():
        for key, passed in _in_all(mentions):
            passed_on = set(filter(None, passed))
            if len(passed_on) < 2:
                yield Given(method, key, next(iter(passed_on), ""))


def _in_all(mentions: list[dict[str, str]]) -> Iterator[tuple[str, list[str]]]:
    """What all mentions give in the same way, or some by this name and the others at this position, with the values."""
    keys = dict.fromkeys(key for mention in mentions for key in mention)
    for key in keys:
        others = [mention for mention in mentions if key not in mention]
        if not others:
            yield key, [mention[key] for mention in mentions]
        elif not key.isdigit():
            for position in filter(str.isdigit, others[0]):
                if all(position in mention for mention in others):
                    given = [mention.get(key, mention.get(position, "")) for mention in mentions]
                    yield f"{key}{EITHER}{position}", given


def _origin(value: Expression, optional: frozenset[str]) -> str:
    return value.name if isinstance(value, NameExpr) and value.name in optional else ""


def _arguments(
    member: Expression, by_callee: dict[Expression, CallExpr], by_first: dict[Expression, CallExpr]
) -> Iterator[tuple[str, Expression]]:
    """What a method gets where it is mentioned, also as `partial(self.act, params=p)` and `vmap(self.act)(x, p)`."""
    position, node, call = 0, member, by_callee.get(member) or by_first.get(member)
    while call is not None:
        is_called = call.callee is node
        if is_called or (dotted_name(call.callee) or "").rpartition(".")[2] == _PARTIAL:
            for value, kind, name in _from(0 if is_called else 1, call):
                if kind.is_star():
                    return
                yield name or str(position), value
                position += name is None
        node, call = call, None if is_called else by_callee.get(call) or by_first.get(call)


def _from(start: int, call: CallExpr) -> list[tuple[Expression, ArgKind, str | None]]:
    return list(zip(call.args, call.arg_kinds, call.arg_names, strict=True))[start:]
