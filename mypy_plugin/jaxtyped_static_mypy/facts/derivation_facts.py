"""Finds what `__init__` or `__post_init__` computes attributes from: parameters and other attributes.

A coarse dataflow analysis of one body that ignores order: the sources of an attribute are all names in its assignments
and in the conditions around them.
"""

from collections.abc import Iterable
from typing import Final, TypedDict

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    Block,
    CallExpr,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    IfStmt,
    IndexExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    Statement,
    StrExpr,
    SuperExpr,
    TryStmt,
    WhileStmt,
    WithStmt,
)

from ..syntax.assignments import assigned_pairs, targets_of
from ..syntax.names import attribute_of, is_named
from ..syntax.node_parts import nodes_under
from ..syntax.trees import nodes_below, parts_of, single_targets
from .set_facts import attribute_in, is_setter, setters_named

SELF: Final = "."  # the object itself; `.name` is an attribute

Sources = frozenset[str]
_NOTHING: Final[Sources] = frozenset()


class DerivationFacts(TypedDict, total=False):
    """Facts of the methods that set the attributes of a new object."""

    derived: dict[str, list[str]]  # attribute -> sources, unless they are just the one in `parameters`
    passed_on: list[str]  # parameters that are passed to another method, often `__init__` of a base


def read_derivation(functions: Iterable[FuncDef], direct: dict[str, str]) -> DerivationFacts:
    """Reads these methods. `direct`: attributes that are set to a parameter, with its name."""
    flows = [_Flow(function) for function in functions if function.arguments]
    derived = {name: sources for flow in flows for name, sources in flow.derived().items()}
    return {
        "derived": {name: sources for name, sources in derived.items() if sources != [direct.get(name)]},
        "passed_on": sorted({name for flow in flows for name in flow.passed_on()}),
    }


class _Flow:
    """One body: the sources of each local name and of each attribute, which has a dot before its name."""

    def __init__(self, function: FuncDef) -> None:
        names = [argument.variable.name for argument in function.arguments]
        self._self, self._parameters = names[0], frozenset(names[1:])
        self._edges: dict[str, set[str]] = {}
        self._passed_on: set[str] = set()
        self._setters: set[str] = set()
        self._run(function.body.body, _NOTHING)

    def derived(self) -> dict[str, list[str]]:
        """The sources of every assigned attribute: parameters, attributes, or the object itself."""
        return {name[1:]: sorted(self._closure({name}) - {name}) for name in self._edges if name.startswith(SELF)}

    def passed_on(self) -> set[str]:
        return self._closure(self._passed_on) & self._parameters

    def _closure(self, names: Iterable[str]) -> set[str]:
        reached: set[str] = set()
        pending = list(names)
        while pending:
            name = pending.pop()
            if name not in reached:
                reached.add(name)
                pending += self._edges.get(name, ())
        return {name for name in reached if name in self._parameters or name.startswith(SELF)}

    def _run(self, body: Iterable[Statement], under: Sources) -> None:
        for statement in body:
            if isinstance(statement, AssignmentStmt):
                self._setters |= setters_named(statement)
                for target, value in assigned_pairs(statement):
                    self._bind(target, self._sources(value or statement.rvalue) | under)
            elif isinstance(statement, OperatorAssignmentStmt):
                self._bind(statement.lvalue, self._sources(statement.rvalue) | under)
            elif isinstance(statement, ExpressionStmt) and isinstance(statement.expr, CallExpr):
                self._call(statement.expr, under)
            elif isinstance(statement, FuncDef):
                self._edges.setdefault(statement.name, set()).update(self._sources(statement))
            elif isinstance(statement, (IfStmt, WhileStmt, ForStmt, TryStmt, WithStmt)):
                self._run_blocks(statement, under)

    def _run_blocks(self, statement: Statement, under: Sources) -> None:
        """Runs the blocks of a statement; what they do depends on the condition, or on what a loop runs over."""
        sources = under | self._all_sources(nodes_under(statement, ("expr",)))
        for target in targets_of(statement):
            self._bind(target, sources)
        for block in parts_of(statement):
            if isinstance(block, Block):
                self._run(block.body, under if isinstance(statement, WithStmt) else sources)

    def _bind(self, target: Expression, sources: Sources) -> None:
        for item in single_targets(target):
            if (name := self._stem(item)) is not None:
                self._edges.setdefault(name, set()).update(sources)

    def _stem(self, node: Expression) -> str | None:
        """The local name or attribute of `self` that an assignment to `a.b[c]` changes."""
        while isinstance(node, (MemberExpr, IndexExpr)):
            if (name := attribute_in(node, self._self)) is not None:
                return SELF + name
            node = node.expr if isinstance(node, MemberExpr) else node.base
        return node.name if isinstance(node, NameExpr) else None

    def _call(self, call: CallExpr, under: Sources) -> None:
        """A call statement: it sets an attribute, changes the object it is called on, or passes its arguments on."""
        sources = self._all_sources(call.args) | under
        name = getattr(call.callee, "name", "")
        key = call.args[-2] if len(call.args) >= 2 and (is_setter(name) or name in self._setters) else None
        if isinstance(key, StrExpr):
            self._edges.setdefault(SELF + key.value, set()).update(self._sources(call.args[-1]) | under)
        elif isinstance(call.callee, SuperExpr) or SELF in sources or self._stem(call.callee) == SELF + name:
            self._passed_on |= sources
        elif isinstance(call.callee, MemberExpr):
            self._bind(call.callee.expr, sources)

    def _all_sources(self, nodes: Iterable[Node]) -> Sources:
        return _NOTHING.union(*(self._sources(node) for node in nodes))

    def _sources(self, node: Node) -> Sources:
        """The names and attributes of `self` that are read anywhere below a node. Also follows `:=`."""
        below = nodes_below(node)
        for child in below:
            if isinstance(child, AssignmentExpr):
                self._bind(child.target, self._read(nodes_below(child.value)))
        return self._read(below)

    def _read(self, below: Iterable[Node]) -> Sources:
        found: set[str] = set()
        wholes = 0
        for child in below:
            if (name := attribute_of(child, self._self)) is not None:
                found.add(SELF + name)
                wholes -= 1  # the `self` in it is not a use of the object itself
            elif is_named(child, self._self):
                wholes += 1
            elif isinstance(child, NameExpr):
                found.add(child.name)
        return frozenset(found | {SELF} if wholes else found)
