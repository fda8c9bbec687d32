"""Reads what the methods of a class store in their object whenever they run: what they get, and what JAX computes.

A cache stores only what is missing, and has rules of its own. What a method sets and then reads is scratch paper.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypedDict

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ConditionalExpr,
    FuncDef,
    IfStmt,
    IndexExpr,
    Node,
    Statement,
    StrExpr,
    WhileStmt,
)
from mypy.plugin import SemanticAnalyzerPluginInterface

from ..compat.resolution import spelled_name
from ..knowledge import naming
from ..knowledge.full_names import NUMPY
from ..syntax.arguments import named_arguments
from ..syntax.assignments import assigned_pairs
from ..syntax.literals import is_none, literal
from ..syntax.names import attribute_of, below_items, dotted_name
from ..syntax.trees import names_and_attributes, nodes_below, statements
from .class_body import ClassBody, self_name
from .method_facts import MAKING
from .stored_values import COMPUTED, NOTHING, Origins, origins_of, origins_of_names, stores

_MAX_DEPTH: Final = 4


class StoredByMethod(TypedDict):
    """What a method stores."""

    parameters: list[str]  # those that get arguments, by position
    attributes: dict[str, list[str]]  # with the parameters that they are made of, and `COMPUTED`
    replaced: list[str]  # of these, those of which the method reads nothing, as a setter does


class StoredFacts(TypedDict, total=False):
    """Facts of what methods store."""

    stored: dict[str, StoredByMethod]


class _Stored(NamedTuple):
    """An attribute that a statement sets, or changes in place, and where the value comes from."""

    attribute: str
    origins: Origins
    statement: Statement


def read_stored(body: ClassBody, api: SemanticAnalyzerPluginInterface) -> StoredFacts:
    reader = _Reader(body, api)
    found: dict[str, StoredByMethod] = {}
    for name, method in body.methods.items():
        if name not in MAKING and name not in body.decorated and method.arguments:
            attributes = {key: sorted(origins) for key, origins in reader.stored_by(name).items() if origins}
            if attributes:
                replaced = sorted(attributes.keys() & _replaced_by(method))
                found[name] = {"parameters": _parameters(method), "attributes": attributes, "replaced": replaced}
    return {"stored": found}


def _replaced_by(method: FuncDef) -> set[str]:
    """The attributes that a method assigns, and does not mention otherwise."""
    own = self_name(method)
    plain = [node for node in statements(method.body.body) if isinstance(node, AssignmentStmt)]
    targets = {target for node in plain for target, _ in stores(node)}
    assigned = {name for target in targets if (name := attribute_of(target, own)) is not None}
    mentions = (node for node in nodes_below(method.body) if node not in targets)
    return assigned - {attribute_of(node, own) for node in mentions}


def _parameters(method: FuncDef) -> list[str]:
    return [argument.variable.name for argument in method.arguments[1:] if not argument.kind.is_star()]


class _Reader:
    """Reads the methods of one class."""

    def __init__(self, body: ClassBody, api: SemanticAnalyzerPluginInterface) -> None:
        self._methods, self._api = body.methods, api
        making = [method for name, method in body.methods.items() if name in MAKING and method.arguments]
        self._host_arrays = {name for method in making for name in self._set_to_host_arrays(method)}

    def _set_to_host_arrays(self, method: FuncDef) -> Iterator[str]:
        """The attributes that refuse a tracer as an item, so that none is stored there."""
        for node in statements(method.body.body):
            for target, value in assigned_pairs(node) if isinstance(node, AssignmentStmt) else ():
                name = attribute_of(target, self_name(method))
                if name is not None and isinstance(value, CallExpr) and self._name(value).startswith(NUMPY):
                    yield name

    def stored_by(self, name: str, depth: int = _MAX_DEPTH) -> Mapping[str, Origins]:
        """The attributes that a method stores, with where their values come from."""
        method = self._methods[name]
        if depth == 0 or not self._may_store(name):
            return {}
        nodes = nodes_below(method.body)
        if any(naming.tells_tracers(getattr(node, "name", "")) for node in nodes):
            return {}
        known = self._origins_of_names(method)
        found: dict[str, Origins] = {}
        for stored in self._stored_in(method, known):
            if not _is_kept_back(stored, method, nodes):
                found[stored.attribute] = found.get(stored.attribute, NOTHING) | stored.origins
        for call in (node for node in nodes if isinstance(node, CallExpr)):
            called = attribute_of(call.callee, self_name(method))
            if called in self._methods and called not in (None, name) and not _is_conditional(call, method):
                for attribute, origins in self._stored_by_call(call, called, known, depth).items():
                    found[attribute] = found.get(attribute, NOTHING) | origins
        return found

    def _may_store(self, name: str) -> bool:
        """Whether a method changes an attribute itself, or names another method, which may."""
        method, own = self._methods[name], self_name(self._methods[name])
        changed = (target for node in statements(method.body.body) for target, _ in stores(node))
        if any(attribute_of(below_items(target), own) is not None for target in changed):
            return True
        return any(attribute_of(member, own) in self._methods for member in names_and_attributes(method)[1])

    def _stored_by_call(
        self, call: CallExpr, called: str, known: Mapping[str, Origins], depth: int
    ) -> Mapping[str, Origins]:
        given = named_arguments(call, _parameters(self._methods[called]))
        passed = {name: self._origins(value, known) for name, value in given.items()} | {
            COMPUTED: frozenset({COMPUTED})
        }
        stored = self.stored_by(called, depth - 1)
        return {
            attribute: frozenset(origin for name in origins for origin in passed.get(name, ()))
            for attribute, origins in stored.items()
        }

    def _origins_of_names(self, method: FuncDef) -> dict[str, Origins]:
        return origins_of_names(_parameters(method), method, self._name)

    def _stored_in(self, method: FuncDef, known: Mapping[str, Origins]) -> Iterator[_Stored]:
        own = self_name(method)
        for node in statements(method.body.body, into_definitions=False):
            for target, values in stores(node):
                is_item = isinstance(target, IndexExpr)
                attribute = attribute_of(below_items(target), own)
                if attribute is not None and not (is_item and attribute in self._host_arrays):
                    origins = (self._origins(value, known) for value in values)
                    yield _Stored(attribute, NOTHING.union(*origins), node)

    def _origins(self, node: Node, known: Mapping[str, Origins]) -> Origins:
        return origins_of(node, known, self._name)

    def _name(self, call: CallExpr) -> str:
        written = dotted_name(call.callee)
        return (spelled_name(self._api, written) or written) if written is not None else ""


def _is_kept_back(stored: _Stored, method: FuncDef, nodes: Sequence[Node]) -> bool:
    """Whether a method stores a value only where it is missing, takes it back, or reads it itself and nothing else."""
    own, line = self_name(method), stored.statement.line
    if any(stored.attribute in _mentioned(test, own) for test in _tests(nodes)) or _is_flagged(stored, method):
        return True
    inside = set(nodes_below(stored.statement))
    later = [node for node in statements(method.body.body) if node.line > line]
    taken_back = (
        is_none(value) or literal(value) is not None
        for node in later
        if isinstance(node, AssignmentStmt)
        for target, value in assigned_pairs(node)
        if value is not None and attribute_of(target, own) == stored.attribute
    )
    if any(taken_back):
        return True
    is_assigned = isinstance(stored.statement, AssignmentStmt)
    targets = {target for node in statements(method.body.body) for target, _ in stores(node)}
    reads = [node for node in nodes if attribute_of(node, own) == stored.attribute and node not in targets]
    return is_assigned and bool(reads) and all(node not in inside and node.line > line for node in reads)


def _is_flagged(stored: _Stored, method: FuncDef) -> bool:
    """Whether a condition around a statement asks for what the method sets, too: `if not self._is_ready: ...`."""
    own = self_name(method)
    set_there = {
        name
        for node in statements(method.body.body)
        for target, _ in stores(node)
        if (name := attribute_of(target, own)) is not None
    }
    around = [node for node in nodes_below(method.body) if isinstance(node, IfStmt)]
    tests = [
        test
        for node in around
        for test, block in zip(node.expr, node.body, strict=True)
        if stored.statement in set(nodes_below(block))
    ]
    return any(not _mentioned(test, own).isdisjoint(set_there) for test in tests)


def _is_conditional(call: CallExpr, method: FuncDef) -> bool:
    """Whether a call stands below a condition that asks for an attribute of the object."""
    around = [node for node in nodes_below(method.body) if isinstance(node, IfStmt)]
    asking = (node for node in around if any(_mentioned(test, self_name(method)) for test in node.expr))
    return any(call in set(nodes_below(node)) for node in asking)


def _tests(nodes: Iterable[Node]) -> Iterator[Node]:
    for node in nodes:
        if isinstance(node, IfStmt):
            yield from node.expr
        elif isinstance(node, (WhileStmt, ConditionalExpr)):
            yield node.expr if isinstance(node, WhileStmt) else node.cond


def _mentioned(test: Node, own: str) -> set[str]:
    """The attributes of the object that a condition asks for, also by `hasattr`."""
    below = [test, *nodes_below(test)]
    named = {name for node in below if (name := attribute_of(node, own)) is not None}
    return named | {node.value for node in below if isinstance(node, StrExpr)}
