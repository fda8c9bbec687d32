"""Reads which attributes of `self` each method of a class reads and assigns."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypedDict

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ClassDef,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    IndexExpr,
    MemberExpr,
    NameExpr,
    Node,
    OverloadedFuncDef,
    SuperExpr,
)

from ..knowledge.python_functions import READING_BY_TEXT
from ..syntax.decorators import last_names
from ..syntax.literals import is_none, literal
from ..syntax.names import attribute_of, dotted_name, is_named
from ..syntax.trees import assignment_targets, kinds_below, nodes_below, statements
from ..syntax.truth import TESTING, tested_by
from .left_out import Fallback, Given, read_left_out

_OF_CLASS: Final = frozenset({"classmethod", "staticmethod"})
TRUTH: Final = "?"  # as a part of an attribute: whether it is true, or None
_LOOKING: Final = frozenset({"id", "isinstance", "type"})  # these read no attribute


class SelfUses(NamedTuple):
    """The attributes of `self` that a method reads and assigns."""

    read: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()  # `state.apply_fn`: of each attribute that is nowhere read as a whole
    assigned: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()  # the assigned attributes that get another value than None
    fallbacks: frozenset[Fallback] = frozenset()  # read, too, where a parameter is left out
    arguments: frozenset[Given] = frozenset()
    parameters: tuple[str, ...] = ()  # those that get arguments by position, if any of these may be left out
    handed_to: frozenset[str] = frozenset()  # what gets `self` as an argument: `model` of `self.model.apply(x, self)`
    is_passed_on: bool = False  # `self` is passed to another function, which may do more with it
    calls_base: bool = False  # the method of the same name that it overrides
    takes_arguments: bool = False  # besides `self`


class KeptUses(TypedDict, total=False):
    """The same, as a class keeps it. What says nothing is left out."""

    read: list[str]
    parts: list[str]
    assigned: list[str]
    given: list[str]
    fallbacks: list[list[str]]
    arguments: list[list[str]]
    parameters: list[str]
    handed_to: list[str]
    is_passed_on: bool
    calls_base: bool
    takes_arguments: bool


class SelfFacts(TypedDict, total=False):
    """Facts of what the methods of a class do with their object."""

    uses_of_self: dict[str, KeptUses]


def read_uses_of_self(definition: ClassDef) -> SelfFacts:
    found: dict[str, SelfUses] = {}
    open_methods = set[str]()
    for function in _methods(definition):
        uses, earlier = _uses(function), found.get(function.name)
        found[function.name] = uses if earlier is None else joined(earlier, uses)
        if any(is_none(argument.initializer) for argument in function.arguments):
            open_methods.add(function.name)
    attributes = (name for uses in found.values() for name in uses.assigned)
    settled = {*found, *attributes} - open_methods
    return {"uses_of_self": {name: _kept(_with_open_calls(uses, settled)) for name, uses in found.items()}}


def _with_open_calls(uses: SelfUses, settled: Collection[str]) -> SelfUses:
    """`settled`: what a class defines that leaves no parameter out."""
    return uses._replace(arguments=frozenset(given for given in uses.arguments if given.method not in settled))


def uses_from(kept: KeptUses) -> SelfUses:
    return SelfUses(
        frozenset(kept.get("read", ())),
        frozenset(kept.get("parts", ())),
        frozenset(kept.get("assigned", ())),
        frozenset(kept.get("given", ())),
        frozenset(Fallback(*parts) for parts in kept.get("fallbacks", ())),
        frozenset(Given(*parts) for parts in kept.get("arguments", ())),
        tuple(kept.get("parameters", ())),
        frozenset(kept.get("handed_to", ())),
        is_passed_on=kept.get("is_passed_on", False),
        calls_base=kept.get("calls_base", False),
        takes_arguments=kept.get("takes_arguments", False),
    )


def _kept(uses: SelfUses) -> KeptUses:
    kept: KeptUses = {name: _as_json(part) for name, part in uses._asdict().items() if part}  # type: ignore[assignment]
    return kept


def _as_json(part: object) -> object:
    if isinstance(part, frozenset):
        return [_as_json(item) for item in sorted(part)]
    return list(part) if isinstance(part, tuple) else part


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
    """What two functions do together, whatever is left out."""
    one, other = in_full(one), in_full(other)
    return SelfUses(
        one.read | other.read,
        joined_parts(one, other),
        one.assigned | other.assigned,
        one.given | other.given,
        handed_to=one.handed_to | other.handed_to,
        is_passed_on=one.is_passed_on or other.is_passed_on,
        calls_base=one.calls_base or other.calls_base,
        takes_arguments=one.takes_arguments or other.takes_arguments,
    )


def joined_parts(*uses: SelfUses) -> frozenset[str]:
    """The parts that are read of the attributes of which all of these read only parts."""
    whole = {name for use in uses for name in use.read - {head_of(part) for part in use.parts}}
    return frozenset(part for use in uses for part in use.parts if head_of(part) not in whole)


def in_full(uses: SelfUses) -> SelfUses:
    """What a method reads if all parameters are left out that may be."""
    return without(uses, frozenset(fallback.parameter for fallback in uses.fallbacks))


def without(uses: SelfUses, parameters: frozenset[str]) -> SelfUses:
    """What a method reads if these parameters are left out."""
    read = {fallback.read for fallback in uses.fallbacks if fallback.parameter in parameters}
    if not read:
        return uses._replace(fallbacks=frozenset())
    instead = SelfUses(frozenset(map(head_of, read)), frozenset(name for name in read if head_of(name) not in read))
    return uses._replace(
        read=uses.read | instead.read, parts=joined_parts(uses, instead), fallbacks=frozenset[Fallback]()
    )


def head_of(part: str) -> str:
    """The `state` of `state.apply_fn`."""
    return part.partition(".")[0]


def parts_read(members: Iterable[MemberExpr], nodes: Iterable[Node]) -> frozenset[str]:
    """Of these reads of attributes, `state.apply_fn` for each attribute of which `nodes` read only such parts.

    And `state.?` of one that they only ask whether it is there: `if self.state is None`.
    """
    asked = [*members]
    if not asked:
        return frozenset()
    nodes = [*nodes]
    inner = {node.expr: node.name for node in nodes if isinstance(node, MemberExpr)}
    testing = (node for node in nodes if type(node) in TESTING)
    inner |= dict.fromkeys((tested for node in testing for tested in tested_by(node)), TRUTH)
    read = [(node.name, inner.get(node)) for node in asked]
    whole = {name for name, part in read if part is None}
    return frozenset(f"{name}.{part}" for name, part in read if name not in whole)


def _uses(function: FuncDef) -> SelfUses:
    return uses_in(function, function.arguments[0].variable.name)


def uses_in(function: FuncItem, own: str) -> SelfUses:
    """What a method, or a function nested in one, does with the object. `own`: its name there."""
    nodes, by_kind = nodes_below(function.body), kinds_below(function.body)
    of_super = {part for node in by_kind.of(SuperExpr) for part in node.call.args}  # super(Cls, self)
    mentions = {node for node in by_kind.of(NameExpr) if node.name == own and node not in of_super}
    members = [node for node in by_kind.of(MemberExpr) if is_named(node.expr, own)]
    of_base = {node.name for node in by_kind.of(SuperExpr)}
    assigned, given = _assigned(function)
    read = [node for node in members if node not in assigned]
    left_out = read_left_out(function, nodes, members)
    always = [node for node in read if node not in left_out.instead]
    whole = mentions - {node.expr for node in members}
    calls = by_kind.of(CallExpr) if whole else []
    named, handed_to = dict(_read_by_name(whole, calls)), dict(_handed_to(whole, own, calls))
    return SelfUses(
        frozenset(node.name for node in always) | (of_base - {function.name}) | frozenset(filter(None, named.values())),
        frozenset(part for part in parts_read(always, nodes) if head_of(part) not in of_base.union(named.values())),
        frozenset(node.name for node in members if node in assigned),
        frozenset(node.name for node in members if node in given),
        frozenset(_fallbacks(read, left_out.instead, nodes)),
        left_out.given,
        left_out.parameters,
        frozenset(handed_to.values()),
        is_passed_on=bool(whole - named.keys() - handed_to.keys()),
        calls_base=function.name in of_base,
        takes_arguments=len(function.arguments) > 1,
    )


def _assigned(function: FuncItem) -> tuple[set[Expression], set[Expression]]:
    """What a method assigns, items included, and of that what gets another value than None."""
    assigned: set[Expression] = set()
    given: set[Expression] = set()
    for statement in statements(function.body.body):
        for target in assignment_targets(statement):
            assigned.add(target.base if isinstance(target, IndexExpr) else target)
            if isinstance(statement, AssignmentStmt) and not is_none(statement.rvalue):
                given.add(target)
    return assigned, given


def _fallbacks(read: list[MemberExpr], instead: Mapping[Node, str], nodes: Sequence[Node]) -> Iterator[Fallback]:
    for parameter in dict.fromkeys(instead.values()):
        members = [node for node in read if instead.get(node) == parameter]
        parts = parts_read(members, nodes)
        whole = {node.name for node in members} - set(map(head_of, parts))
        yield from (Fallback(parameter, name) for name in whole | parts)


def _read_by_name(whole: Collection[Node], calls: list[CallExpr]) -> Iterator[tuple[Node, str]]:
    """The uses of `self` as in `getattr(self, "dt", 0.1)` and `isinstance(self, Solver)`; with the attribute, or ""."""
    for node in calls:
        if node.args and node.args[0] in whole:
            name = literal(node.args[1]) if len(node.args) > 1 else None
            if dotted_name(node.callee) in READING_BY_TEXT and isinstance(name, str):
                yield node.args[0], name
            elif dotted_name(node.callee) in _LOOKING:
                yield node.args[0], ""


def _handed_to(whole: Collection[Node], own: str, calls: list[CallExpr]) -> Iterator[tuple[Node, str]]:
    """The uses of `self` as in `self.model.apply(params, self)`, with the attribute that gets it there."""
    for node in calls:
        attribute = attribute_of(node.callee.expr, own) if isinstance(node.callee, MemberExpr) else None
        if attribute is not None:
            yield from ((argument, attribute) for argument in node.args if argument in whole)
