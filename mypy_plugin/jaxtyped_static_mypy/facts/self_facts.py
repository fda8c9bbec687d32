"""Reads which attributes of `self` each method of a class reads and assigns."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypedDict

from mypy.nodes import (
    AssignmentStmt,
    ClassDef,
    Decorator,
    Expression,
    FuncDef,
    IndexExpr,
    MemberExpr,
    NameExpr,
    Node,
    OverloadedFuncDef,
    SuperExpr,
)

from ..syntax.decorators import last_names
from ..syntax.literals import is_none
from ..syntax.trees import assignment_targets, is_named, nodes_below, statements

_OF_CLASS: Final = frozenset({"classmethod", "staticmethod"})


class SelfUses(NamedTuple):
    """The attributes of `self` that a method reads and assigns."""

    read: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()  # `state.apply_fn`: of each attribute that is nowhere read as a whole
    assigned: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()  # the assigned attributes that get another value than None
    is_passed_on: bool = False  # `self` is passed to a function, which may do more with it
    calls_base: bool = False  # the method of the same name that it overrides
    takes_arguments: bool = False  # besides `self`


class KeptUses(TypedDict, total=False):
    """The same, as a class keeps it. What says nothing is left out."""

    read: list[str]
    parts: list[str]
    assigned: list[str]
    given: list[str]
    is_passed_on: bool
    calls_base: bool
    takes_arguments: bool


class SelfFacts(TypedDict, total=False):
    """Facts of what the methods of a class do with their object."""

    uses_of_self: dict[str, KeptUses]


def read_uses_of_self(definition: ClassDef) -> SelfFacts:
    found: dict[str, SelfUses] = {}
    for function in _methods(definition):
        uses, earlier = _uses(function), found.get(function.name)
        found[function.name] = uses if earlier is None else joined(earlier, uses)
    return {"uses_of_self": {name: _kept(uses) for name, uses in found.items()}}


def uses_from(kept: KeptUses) -> SelfUses:
    return SelfUses(
        frozenset(kept.get("read", ())),
        frozenset(kept.get("parts", ())),
        frozenset(kept.get("assigned", ())),
        frozenset(kept.get("given", ())),
        is_passed_on=kept.get("is_passed_on", False),
        calls_base=kept.get("calls_base", False),
        takes_arguments=kept.get("takes_arguments", False),
    )


def _kept(uses: SelfUses) -> KeptUses:
    parts = ((name, sorted(part) if isinstance(part, frozenset) else part) for name, part in uses._asdict().items())
    kept: KeptUses = {name: part for name, part in parts if part}  # type: ignore[assignment]
    return kept


def _methods(definition: ClassDef) -> Iterator[FuncDef]:
    """The methods that get an object, with the setters of properties and all parts of overloads."""
    for node in definition.defs.body:
        for item in node.unanalyzed_items if isinstance(node, OverloadedFuncDef) else [node]:
            function = item.func if isinstance(item, Decorator) else item
            is_of_class = isinstance(item, Decorator) and not _OF_CLASS.isdisjoint(last_names(item))
            first = function.arguments[0] if isinstance(function, FuncDef) and function.arguments else None
            if isinstance(function, FuncDef) and first is not None and first.kind.is_positional() and not is_of_class:
                yield function


def joined(one: SelfUses, other: SelfUses) -> SelfUses:
    return SelfUses(
        one.read | other.read,
        joined_parts(one, other),
        one.assigned | other.assigned,
        one.given | other.given,
        is_passed_on=one.is_passed_on or other.is_passed_on,
        calls_base=one.calls_base or other.calls_base,
        takes_arguments=one.takes_arguments or other.takes_arguments,
    )


def joined_parts(*uses: SelfUses) -> frozenset[str]:
    """The parts that are read of the attributes of which all of these read only parts."""
    whole = {name for use in uses for name in use.read - {head_of(part) for part in use.parts}}
    return frozenset(part for use in uses for part in use.parts if head_of(part) not in whole)


def head_of(part: str) -> str:
    """The `state` of `state.apply_fn`."""
    return part.partition(".")[0]


def parts_read(members: Iterable[MemberExpr], nodes: Iterable[Node]) -> frozenset[str]:
    """Of these reads of attributes, `state.apply_fn` for each attribute of which `nodes` read only such parts."""
    inner = {node.expr: node.name for node in nodes if isinstance(node, MemberExpr)}
    read = [(node.name, inner.get(node)) for node in members]
    whole = {name for name, part in read if part is None}
    return frozenset(f"{name}.{part}" for name, part in read if name not in whole)


def _uses(function: FuncDef) -> SelfUses:
    own = function.arguments[0].variable.name
    nodes = list(nodes_below(function.body))
    of_super = {part for node in nodes if isinstance(node, SuperExpr) for part in node.call.args}  # super(Cls, self)
    mentions = [node for node in nodes if isinstance(node, NameExpr) and is_named(node, own) and node not in of_super]
    members = [node for node in nodes if isinstance(node, MemberExpr) and is_named(node.expr, own)]
    of_base = {node.name for node in nodes if isinstance(node, SuperExpr)}
    assigned: set[Expression] = set()
    given: set[Expression] = set()
    for statement in statements(function.body.body):
        for target in assignment_targets(statement):
            assigned.add(target.base if isinstance(target, IndexExpr) else target)
            if isinstance(statement, AssignmentStmt) and not is_none(statement.rvalue):
                given.add(target)
    read = [node for node in members if node not in assigned]
    return SelfUses(
        frozenset(node.name for node in read) | (of_base - {function.name}),
        frozenset(part for part in parts_read(read, nodes) if head_of(part) not in of_base),
        frozenset(node.name for node in members if node in assigned),
        frozenset(node.name for node in members if node in given),
        is_passed_on=len(mentions) > len(members),
        calls_base=function.name in of_base,
        takes_arguments=len(function.arguments) > 1,
    )
