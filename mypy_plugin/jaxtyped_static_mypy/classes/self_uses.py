"""Finds which attributes of `self` methods read and assign, in classes of the file being checked."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    Decorator,
    Expression,
    FuncDef,
    IndexExpr,
    MemberExpr,
    NameExpr,
    OverloadedFuncDef,
    SuperExpr,
    TypeInfo,
    Var,
)

from ..facts.class_facts import facts_of
from ..facts.method_facts import MAKING
from ..syntax.literals import is_none
from ..syntax.trees import assignment_targets, nodes_below, self_parameter, statements

# Methods that run before anything else uses the object; `setup` is defined by Flax.
_MAKING: Final = MAKING | {"setup"}


class SelfUses(NamedTuple):
    """The attributes of `self` that a method reads and assigns."""

    read: frozenset[str]
    assigned: frozenset[str]
    is_passed_on: bool  # `self` is passed to a function or a base class, so there may be more
    given: frozenset[str] = frozenset()  # the assigned attributes that get another value than None
    takes_arguments: bool = False  # besides `self`


class Reached(NamedTuple):
    """What a method reads, by itself and in the methods that it uses."""

    attributes: frozenset[str]
    methods: frozenset[str]
    is_known: bool


def uses_by_method(info: TypeInfo, module: str) -> Mapping[str, SelfUses]:
    """The uses of `self` in each method that a class in the MRO defines in this module."""
    found: dict[str, SelfUses] = {}
    for base in info.mro:
        if base.module_name != module:
            continue
        for function in _functions(base):
            self = self_parameter(function)
            if self is not None and not function.is_class:
                uses = _uses(function, self)
                earlier = found.get(function.name)
                found[function.name] = uses if earlier is None else _joined(earlier, uses)
    return found


def _functions(info: TypeInfo) -> Iterator[FuncDef]:
    for node in info.defn.defs.body:
        for item in node.items if isinstance(node, OverloadedFuncDef) else [node]:
            function = item.func if isinstance(item, Decorator) else item
            if isinstance(function, FuncDef):
                yield function


def _joined(one: SelfUses, other: SelfUses) -> SelfUses:
    return SelfUses(
        one.read | other.read,
        one.assigned | other.assigned,
        is_passed_on=one.is_passed_on or other.is_passed_on,
        given=one.given | other.given,
        takes_arguments=one.takes_arguments or other.takes_arguments,
    )


def _uses(function: FuncDef, self: Var) -> SelfUses:
    nodes = list(nodes_below(function.body))
    mentions = [node for node in nodes if isinstance(node, NameExpr) and node.node is self]
    members = [node for node in nodes if isinstance(node, MemberExpr) and node.expr in mentions]
    assigned: set[Expression] = set()
    given: set[Expression] = set()
    for statement in statements(function.body.body):
        for target in assignment_targets(statement):
            assigned.add(target.base if isinstance(target, IndexExpr) else target)
            if isinstance(statement, AssignmentStmt) and not is_none(statement.rvalue):
                given.add(target)
    return SelfUses(
        frozenset(node.name for node in members if node not in assigned),
        frozenset(node.name for node in members if node in assigned),
        is_passed_on=len(mentions) > len(members) or any(isinstance(node, SuperExpr) for node in nodes),
        given=frozenset(node.name for node in members if node in given),
        takes_arguments=len(function.arguments) > 1,
    )


def reached_from(method: str, uses: Mapping[str, SelfUses], info: TypeInfo) -> Reached:
    """What a method reads, directly and through the methods and properties that it uses."""
    attributes: set[str] = set()
    methods: set[str] = set()
    pending, is_known = [method], True
    while pending:
        name = pending.pop()
        if name in methods or name in attributes:
            continue
        if name in uses:
            methods.add(name)
            pending.extend(uses[name].read)
            is_known = is_known and not uses[name].is_passed_on
        elif _is_function(info, name):
            is_known = False  # its source is in another module
        else:
            attributes.add(name)
    return Reached(frozenset(attributes), frozenset(methods), is_known)


def _is_function(info: TypeInfo, name: str) -> bool:
    symbol = info.get(name)
    return symbol is not None and isinstance(symbol.node, (FuncDef, Decorator, OverloadedFuncDef))


def making_methods(uses: Mapping[str, SelfUses], info: TypeInfo) -> frozenset[str]:
    """The methods that only run while the object is made: `__init__`, and those that only such methods use."""
    by_bases = (name for base in info.mro for name in facts_of(base).get("called_by_init", ()))
    callers = {name: {"__init__"} for name in by_bases}
    for method, use in uses.items():
        for name in use.read:
            callers.setdefault(name, set()).add(method)
    making = frozenset(_MAKING)
    while True:
        called = {name for name in uses.keys() & callers if name not in making and callers[name] <= making}
        if not called:
            return making
        making |= called
