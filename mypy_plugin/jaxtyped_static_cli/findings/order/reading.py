"""Reads the steps of a module from its syntax."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    Block,
    CallExpr,
    ClassDef,
    ConditionalExpr,
    Decorator,
    DictionaryComprehension,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    IfStmt,
    IndexExpr,
    LambdaExpr,
    MatchStmt,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    OverloadedFuncDef,
    RefExpr,
    Statement,
    StrExpr,
    SuperExpr,
    TryStmt,
    WhileStmt,
)

from jaxtyped_static_mypy.source.starting import asks_for_main
from jaxtyped_static_mypy.syntax.assignments import assigned_pairs, targets_of
from jaxtyped_static_mypy.syntax.changes import CHANGING, ChangeKind, changes
from jaxtyped_static_mypy.syntax.imports import imported_names
from jaxtyped_static_mypy.syntax.names import dotted_name, is_named, last_name
from jaxtyped_static_mypy.syntax.trees import nodes_below, parts_of

from .attributes import Empty, asked_by, constant, empty_if, only_fills
from .parts import assigned_by, decorating, gives_back, is_compiled, leaves, looks_up, passed_by, values_first
from .steps import Assigned, Guarded, Loop, ModuleSteps, Named, Routine, Set, Step
from .storing import Storing, variables_of

_LOOPS: Final = (ForStmt, WhileStmt)
_COMPREHENSIONS: Final = (GeneratorExpr, DictionaryComprehension)
_CHANGED: Final = frozenset({ChangeKind.ATTRIBUTE, ChangeKind.ITEM, ChangeKind.METHOD})


def read_steps(file: MypyFile) -> ModuleSteps:
    reader = _Reader()
    steps = tuple(reader.block(file.defs, _Around()))
    reader.routines.insert(0, Routine("", "", "", frozenset(), steps))
    return ModuleSteps(
        tuple(reader.routines),
        tuple(reader.assigned),
        frozenset(reader.asked),
        reader.defaults,
        frozenset(reader.decorated),
        reader.bases,
        any(map(looks_up, nodes_below(file))),
        imported_names(file),
    )


class _Around(NamedTuple):
    """What is around a node."""

    scope: str = ""  # functions and classes
    cls: str = ""  # the class whose method it is in
    is_uncertain: bool = False
    variables: frozenset[str] = frozenset()


@dataclass
class _Reader:
    routines: list[Routine] = field(default_factory=list)
    assigned: list[Assigned] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    defaults: dict[str, dict[str, str]] = field(default_factory=dict)
    decorated: set[str] = field(default_factory=set)
    bases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    storing: Storing = field(default_factory=Storing)

    # Statements

    def block(self, body: Iterable[Statement], around: _Around) -> Iterator[Step]:
        pending = list(body)
        while pending:
            node = pending.pop(0)
            yield from self.node(node, around)
            if not isinstance(node, IfStmt) or not leaves(node):
                continue
            empty = empty_if(node.expr[0], outcome=False)
            rest = tuple(self.block(pending, around._replace(is_uncertain=_is_uncertain(around, empty))))
            yield from rest if empty is None else (Guarded(empty.attribute, rest),)
            return

    def node(self, node: Node, around: _Around) -> Iterator[Step]:
        match node:
            case FuncDef():
                self._function(node, around, frozenset())
            case Decorator():
                names = (last for item in node.original_decorators for last in decorating(item))
                self._function(node.func, around, frozenset(names))
            case OverloadedFuncDef():
                for item in node.unanalyzed_items:
                    yield from self.node(item, around)
            case ClassDef():
                self._class(node, around)
            case IfStmt():
                yield from self._branches(node, around)
            case ForStmt() | WhileStmt():
                yield from self._loop(node, around)
            case TryStmt():
                yield from self._attempt(node, around)
            case MatchStmt():
                yield from self.node(node.subject, around)
                for body in node.bodies:
                    yield from self.node(body, around._replace(is_uncertain=True))
            case Block():
                yield from self.block(node.body, around)
            case _:
                yield from self._simple(node, around)

    def _function(self, node: FuncDef, around: _Around, decorators: frozenset[str]) -> None:
        name = _below(around.scope, node.name)
        is_method = bool(around.cls) and around.scope == around.cls
        own = node.arguments[0].variable.name if is_method and node.arguments else ""
        cls = around.cls if is_method else ""
        parameters = tuple(argument.variable.name for argument in node.arguments)
        index = len(self.routines)
        variables = variables_of(node, around.variables)
        steps = tuple(self.block(node.body.body, _Around(name, around.cls, variables=variables)))
        self.routines.insert(index, Routine(name, cls, own, decorators, steps, parameters, variables))

    def _class(self, node: ClassDef, around: _Around) -> None:
        name = _below(around.scope, node.name)
        self.bases[name] = tuple(last_name(getattr(base, "base", base)) for base in node.base_type_exprs)
        if node.decorators:
            self.decorated.add(name)
        own = [item for item in node.defs.body if isinstance(item, AssignmentStmt)]
        pairs = ((target, value) for item in own for target, value in assigned_pairs(item))
        values = {target.name: constant(value) for target, value in pairs if isinstance(target, NameExpr)}
        self.defaults[name] = {attribute: value for attribute, value in values.items() if value}
        for item in node.defs.body:
            if isinstance(item, FuncDef | Decorator | OverloadedFuncDef | ClassDef):
                list(self.node(item, _Around(name, name, variables=around.variables)))

    def _branches(self, node: IfStmt, around: _Around) -> Iterator[Step]:
        test, is_main = node.expr[0], asks_for_main(node.expr[0])
        yield from self.node(test, around)
        if not is_main:
            self._ask(node)
        for block, outcome in ((node.body[0], True), (node.else_body, False)):
            empty = empty_if(test, outcome=outcome)
            inner = around if is_main else around._replace(is_uncertain=_is_uncertain(around, empty))
            steps = tuple(self.block(block.body, inner)) if block is not None else ()
            yield from steps if empty is None else (Guarded(empty.attribute, steps),)

    def _ask(self, node: IfStmt) -> None:
        empty = empty_if(node.expr[0], outcome=True)
        is_filling = empty is not None and only_fills(node, empty.attribute)
        is_done = empty_if(node.expr[0], outcome=False) is not None and leaves(node) and not gives_back(node)
        if not (is_filling or is_done):
            self.asked.update(asked_by(node.expr[0]))

    def _loop(self, node: ForStmt | WhileStmt, around: _Around) -> Iterator[Step]:
        if isinstance(node, WhileStmt):
            self.asked.update(asked_by(node.expr))
        before = tuple(self.node(node.expr, around))
        steps = (*self._stored(node, around), *self.block(node.body.body, around))
        if isinstance(node, WhileStmt):
            yield Loop((*before, *steps))
        else:
            yield from (*before, Loop(steps))
        if node.else_body is not None:
            yield from self.block(node.else_body.body, around)

    def _attempt(self, node: TryStmt, around: _Around) -> Iterator[Step]:
        yield from self.block(node.body.body, around)
        for handler in node.handlers:
            yield from self.block(handler.body, around._replace(is_uncertain=True))
        for block in (node.else_body, node.finally_body):
            yield from self.block(block.body, around) if block is not None else ()

    def _simple(self, node: Node, around: _Around) -> Iterator[Step]:
        """A statement without others in it, or an expression: its parts first, and then itself."""
        match node:
            case CallExpr():
                yield from self._call(node, around)
            case NameExpr():
                yield Named(node.name, node.line, is_uncertain=around.is_uncertain)
            case MemberExpr():
                yield from self.node(node.expr, around)
                owner = dotted_name(node.expr) or "..."
                yield Named(node.name, node.line, owner, is_uncertain=around.is_uncertain)
            case SuperExpr():
                yield Named(node.name, node.line, around.cls, is_of_base=True, is_uncertain=around.is_uncertain)
            case LambdaExpr():
                yield from self.block(node.body.body, around._replace(is_uncertain=True))
            case ConditionalExpr() | OpExpr(op="and" | "or"):
                yield from self._choice(node, around)
            case GeneratorExpr() | DictionaryComprehension():
                yield Loop(tuple(step for part in parts_of(node) for step in self.node(part, around)))
            case _:
                targets = set(targets_of(node))
                is_for_jit = isinstance(node, AssignmentStmt) and is_compiled(node.rvalue)
                for part in values_first(node):
                    if part not in targets or not isinstance(part, RefExpr):
                        steps = self.node(part, around)
                        yield from map(_for_jit, steps) if is_for_jit else steps
                yield from self._changed(node, around)

    def _choice(self, node: ConditionalExpr | OpExpr, around: _Around) -> Iterator[Step]:
        self.asked.update(asked_by(node.cond if isinstance(node, ConditionalExpr) else node))
        first = node.cond if isinstance(node, ConditionalExpr) else node.left
        yield from self.node(first, around)
        for part in parts_of(node):
            if part is not first:
                yield from self.node(part, around._replace(is_uncertain=True))

    def _call(self, node: CallExpr, around: _Around) -> Iterator[Step]:
        if is_named(node.callee, "getattr") and len(node.args) > 1 and isinstance(node.args[1], StrExpr):
            yield Named(node.args[1].value, node.line, dotted_name(node.args[0]) or "...")
            self.asked.update([node.args[1].value] if len(node.args) > 2 else [])
        callee = node.callee.base if isinstance(node.callee, IndexExpr) else node.callee
        is_named_so = isinstance(callee, RefExpr | SuperExpr)
        if isinstance(callee, MemberExpr):
            yield from self.node(callee.expr, around)
        elif not is_named_so:
            yield from self.node(callee, around)
        for argument in node.args:
            yield from self.node(argument, around)
        if is_named_so:
            *_, named = self.node(callee, around)
            if isinstance(named, Named):
                passed = tuple(passed_by(node))
                given = tuple((key, value.name) for key, value in passed if isinstance(value, MemberExpr))
                names = tuple((key, value.name) for key, value in passed)
                texts = tuple(self.storing.passed(node))
                yield named._replace(is_call=True, given=given, passed=names, texts=texts)

    def _stored(self, node: Node, around: _Around) -> Iterator[Step]:
        return self.storing.stored(node, around.variables, is_uncertain=around.is_uncertain)

    def _changed(self, node: Node, around: _Around) -> Iterator[Step]:
        """What a statement sets, and which name it gives to what it makes."""
        if isinstance(node, AssignmentStmt):
            self.assigned += assigned_by(node)
        for change in changes([node]) if type(node) in CHANGING else ():
            target = change.target
            if change.kind is ChangeKind.ATTRIBUTE:
                name = change.written.rpartition(".")[2]
                value = change.values[0] if len(change.values) == 1 and isinstance(node, AssignmentStmt) else None
                owner, text = dotted_name(target) or "...", constant(value)
            elif change.kind in _CHANGED and isinstance(target, MemberExpr):
                name, owner, text = target.name, dotted_name(target.expr) or "...", ""
            else:
                continue
            parts = (part for value in change.values for part in nodes_below(value))
            names = frozenset(part.name for part in parts if isinstance(part, NameExpr))
            yield Set(name, node.line, owner, text, around.is_uncertain, names)
        if type(node) in CHANGING:
            yield from self._stored(node, around)


def _is_uncertain(around: _Around, empty: Empty | None) -> bool:
    """Whether more than an attribute without a value decides if code runs."""
    return around.is_uncertain or empty is None or not empty.is_certain


def _below(scope: str, name: str) -> str:
    return f"{scope}.{name}" if scope else name


def _for_jit(step: Step) -> Step:
    """A step in the value of an assignment, which names what JAX compiles."""
    return step._replace(is_for_jit=not step.is_call) if isinstance(step, Named) else step
