"""Evaluates the expressions of a function that takes a pytree apart, or rebuilds it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from mypy.nodes import (
    AssignmentExpr,
    CallExpr,
    ConditionalExpr,
    DictExpr,
    Expression,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    SliceExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
    TypeInfo,
)

from ...syntax.literals import is_none, text_or_number
from ...syntax.names import dotted_name
from ...syntax.trees import parts_of
from .values import NOTHING, UNKNOWN, Attribute, Class, Entries, Items, New, Nothing, Object, Value, joined


class Made(NamedTuple):
    """A call of the constructor, with the values of its arguments."""

    call: CallExpr
    info: TypeInfo
    arguments: tuple[Value, ...]


class Missing(NamedTuple):
    """An item that is not there: `children[3]` of three, `aux["n"]` of a dict without it, an item of `None`."""

    node: IndexExpr
    key: str
    of: Value


@dataclass
class Scope:
    """The local names, and what has been seen so far. In a branch, code may not run, and nothing is noted."""

    names: dict[str, Value] = field(default_factory=dict)
    made: list[Made] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    is_certain: bool = True

    def branch(self) -> "Scope":
        return Scope(dict(self.names), is_certain=False)

    def join(self, ends: "list[Scope]") -> None:
        """Goes on with what holds after each of these branches."""
        names = set[str]().union(*(end.names for end in ends))
        for name in names:
            values = [end.names.get(name, UNKNOWN) for end in ends]
            known = values[0]
            for value in values[1:]:
                known = joined(known, value)
            self.names[name] = known


def evaluate(node: Expression, scope: Scope) -> Value:
    step = _STEPS.get(type(node), _other)
    return step(node, scope)


def _other(node: Node, scope: Scope) -> Value:
    """What is not followed may change the objects that it gets."""
    for part in parts_of(node):
        if isinstance(part, Expression):
            hand_out(evaluate(part, scope.branch()), part, scope)
    return UNKNOWN


def hand_out(value: Value, node: Expression, scope: Scope) -> None:
    """Notes that other code gets a value, which may change it if it is no tuple."""
    if isinstance(value, New):
        value.is_seen = False
    is_mutable = isinstance(value, Entries) or (isinstance(value, Items) and not value.is_tuple)
    if is_mutable and isinstance(node, NameExpr):
        scope.names[node.name] = UNKNOWN


def _name(node: NameExpr, scope: Scope) -> Value:
    if is_none(node):
        return NOTHING
    if node.name in scope.names:
        return scope.names[node.name]
    return Class(node.node) if isinstance(node.node, TypeInfo) else UNKNOWN


def _member(node: MemberExpr, scope: Scope) -> Value:
    owner = evaluate(node.expr, scope)
    if isinstance(owner, Object) and not node.name.startswith("__"):
        return Attribute(node.name)
    if isinstance(owner, New):
        return _of_new(owner, node.name)
    return Class(node.node) if isinstance(node.node, TypeInfo) else UNKNOWN


def _of_new(new: New, name: str) -> Value:
    """What the function itself has set; a method, or the `__dict__` of the object, may set more."""
    new.is_seen = new.is_seen and name in new.attributes
    return new.attributes.get(name, UNKNOWN)


def _display(node: TupleExpr | ListExpr, scope: Scope) -> Value:
    found: list[Value] = []
    for item in node.items:
        value = evaluate(item.expr if isinstance(item, StarExpr) else item, scope)
        if not isinstance(item, StarExpr):
            found.append(value)
        elif isinstance(value, Items):
            found += value.values
        else:
            return UNKNOWN
    return Items(tuple(found), is_tuple=isinstance(node, TupleExpr))


def _dict(node: DictExpr, scope: Scope) -> Value:
    found: dict[str, Value] = {}
    for key, item in node.items:
        value = evaluate(item, scope)
        if isinstance(key, StrExpr):
            found[key.value] = value
        elif key is None and isinstance(value, Entries):
            found |= value.values
        else:
            return UNKNOWN
    return Entries(found)


def _item(node: IndexExpr, scope: Scope) -> Value:
    base = evaluate(node.base, scope)
    if isinstance(node.index, SliceExpr):
        return _slice(base, node.index)
    key = text_or_number(node.index)
    if isinstance(base, Items) and isinstance(key, int):
        if -len(base.values) <= key < len(base.values):
            return base.values[key]
    elif isinstance(base, Entries) and isinstance(key, str):
        if key in base.values:
            return base.values[key]
    elif key is None or not isinstance(base, Nothing):
        return _other(node, scope)
    if scope.is_certain:
        scope.missing.append(Missing(node, f'"{key}"' if isinstance(key, str) else str(key), base))
    return UNKNOWN


def _slice(base: Value, node: SliceExpr) -> Value:
    """`children[1:]`, `children[:-1]`."""
    begin, end = (_end(part) for part in (node.begin_index, node.end_index))
    if not isinstance(base, Items) or node.stride is not None or begin is None or end is None:
        return UNKNOWN
    return Items(base.values[begin.at : end.at], is_tuple=base.is_tuple)


class _End(NamedTuple):
    """An end of a slice; None for one that is left out."""

    at: int | None


def _end(node: Expression | None) -> _End | None:
    """None for an end that is not written out."""
    at = text_or_number(node) if node is not None else None
    return None if isinstance(at, str) or (node is not None and at is None) else _End(at)


def _sum(node: OpExpr, scope: Scope) -> Value:
    if node.op in ("and", "or"):
        return _other(node, scope)
    left, right = evaluate(node.left, scope), evaluate(node.right, scope)
    if node.op == "+" and isinstance(left, Items) and isinstance(right, Items) and left.is_tuple is right.is_tuple:
        return Items(left.values + right.values, is_tuple=left.is_tuple)
    if node.op == "|" and isinstance(left, Entries) and isinstance(right, Entries):
        return Entries({**left.values, **right.values})
    return UNKNOWN


def _conditional(node: ConditionalExpr, scope: Scope) -> Value:
    branches = (node.if_expr, node.else_expr)
    one, other = (evaluate(branch, scope.branch()) for branch in branches)
    return joined(one, other)


def _assignment(node: AssignmentExpr, scope: Scope) -> Value:
    scope.names[node.target.name] = evaluate(node.value, scope)
    return scope.names[node.target.name]


def _call(node: CallExpr, scope: Scope) -> Value:
    arguments = tuple(evaluate(argument, scope) for argument in node.args)
    if (known := _of_python(node, arguments)) is not None:
        return known
    called = evaluate(node.callee, scope) if isinstance(node.callee, (NameExpr, MemberExpr)) else UNKNOWN
    if isinstance(called, Class):
        if scope.is_certain:
            scope.made.append(Made(node, called.info, arguments))
        return New(called.info, node)
    for value, argument in zip(arguments, node.args, strict=True):
        hand_out(value, argument, scope)
    if isinstance(node.callee, MemberExpr):
        hand_out(evaluate(node.callee.expr, scope), node.callee.expr, scope)
    return UNKNOWN


def _of_python(node: CallExpr, arguments: tuple[Value, ...]) -> Value | None:
    """The value of `object.__new__(cls)`, `dict(a=1)`, `tuple(items)`, `cast(T, value)`; None of any other call."""
    name = dotted_name(node.callee) or ""
    first = arguments[0] if arguments else UNKNOWN
    if name.endswith(".__new__") and isinstance(first, Class):
        return New(first.info)
    if name == "dict" and all(node.arg_names):
        return Entries({name: value for name, value in zip(node.arg_names, arguments, strict=True) if name})
    if name in ("tuple", "list") and isinstance(first, Items):
        return Items(first.values, is_tuple=name == "tuple")
    is_cast = name.rpartition(".")[2] == "cast" and len(arguments) == 2
    return arguments[1] if is_cast else None


def set_by_call(node: CallExpr, scope: Scope) -> Iterator[tuple[New, str, Value]]:
    """The attribute in `setattr(new, "x", value)` and `object.__setattr__(new, "x", value)`."""
    name = (dotted_name(node.callee) or "").rpartition(".")[2]
    if name in ("setattr", "__setattr__") and len(node.args) == 3:
        owner, key, value = node.args
        made = evaluate(owner, scope)
        if isinstance(made, New) and isinstance(key, StrExpr):
            yield made, key.value, evaluate(value, scope)


_STEPS: Final[dict[type[Expression], Callable[[Any, Scope], Value]]] = {
    AssignmentExpr: _assignment,
    CallExpr: _call,
    ConditionalExpr: _conditional,
    DictExpr: _dict,
    IndexExpr: _item,
    ListExpr: _display,
    MemberExpr: _member,
    NameExpr: _name,
    OpExpr: _sum,
    TupleExpr: _display,
}
