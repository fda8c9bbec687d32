"""Runs through a function body or a module: what the compiled function has kept, and what it would find."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    Block,
    BreakStmt,
    CallExpr,
    ClassDef,
    ComparisonExpr,
    ConditionalExpr,
    ContinueStmt,
    Expression,
    ForStmt,
    FuncDef,
    FuncItem,
    IfStmt,
    MatchStmt,
    MemberExpr,
    Node,
    OpExpr,
    RaiseStmt,
    ReturnStmt,
    Statement,
    TryStmt,
    UnaryExpr,
    WhileStmt,
    WithStmt,
    YieldExpr,
)

from ...source.bindings import Binding, names_bound_by
from ...source.checked_file import CheckedFile
from ...syntax.arguments import named_arguments
from ...syntax.literals import is_none
from ...syntax.trees import parts_of
from .events import Events, is_manager
from .slots import Slot, slot_at
from .values import Values, new_parts
from .written import Written

_MOST_STATES: Final = 64
_MOST_STEPS: Final = 5_000
_DEEPEST: Final = 6
_MADE: Final = "("  # in the text of what a call makes
_MISSING: Final = "None"
_EMPTY: Final = frozenset({_MISSING, "False", "0"})


class State(NamedTuple):
    """What the state holds, what gave it that, and what was compiled in, by the static arguments."""

    value: str
    written: Node | None = None
    kept: frozenset[tuple[str, str]] = frozenset()


States = frozenset[State]
_NONE: Final[States] = frozenset()


class TooMuch(Exception):
    """There are more ways through the code than can be followed."""


@dataclass
class Replay:
    """`keys`: the parameters by which JAX finds what it has compiled, beside what is traced; None: any may be one."""

    slot: Slot
    events: Events
    compiled: FuncItem
    keys: frozenset[str] | None
    file: CheckedFile
    stale: Node | None = None  # the first change that a call does not see
    _steps: int = 0
    _calls: list[FuncItem] = field(default_factory=list)
    _left: list[set[State]] = field(default_factory=list)  # by `break` and `continue`
    _returned: list[set[State]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.values = Values(lambda node: slot_at(node, {}) == self.slot)

    def run(self, body: Iterable[Statement], initial: str) -> States:
        """The states at the end."""
        return self._run(body, frozenset({State(initial)}))

    def run_again(self, function: FuncDef, states: States) -> None:
        """Runs a function once more, with other arguments."""
        self.values.known.clear()
        self.values.known.update((argument.variable, self.values.new()) for argument in function.arguments)
        self.values.tells_reads_apart = True
        self._run(function.body.body, states)

    def _run(self, body: Iterable[Statement], states: States) -> States:
        self._returned.append(set())
        return self._block(body, states) | frozenset(self._returned.pop())

    # Statements

    def _block(self, body: Iterable[Statement], states: States) -> States:
        for statement in body:
            if not states or self.stale is not None:
                return states
            states = self._statement(statement, states)
            if len(states) > _MOST_STATES:
                raise TooMuch
        return states

    def _statement(self, node: Statement, states: States) -> States:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise TooMuch
        match node:
            case ReturnStmt():
                self._returned[-1] |= self._evaluate(node, states)
                return _NONE
            case BreakStmt() | ContinueStmt() if self._left:
                self._left[-1] |= states
                return _NONE
            case RaiseStmt():
                return _NONE
            case IfStmt():
                return self._branches(node, states)
            case ForStmt() | WhileStmt():
                return self._loop(node, states)
            case TryStmt():
                return self._attempt(node, states)
            case WithStmt():
                return self._with(node, states)
            case MatchStmt() if node in self.events.around:
                return states.union(*(self._block(block.body, states) for block in node.bodies))
            case Block():
                return self._block(node.body, states)
            case ClassDef():
                return states
        return self._bind(node, self._evaluate(node, states))

    def _bind(self, node: Node, states: States) -> States:
        """What a statement gives to the state and to variables, once its parts are evaluated."""
        if node in self.events.makes or getattr(node, "func", None) in self.events.makes:
            states = frozenset(state._replace(kept=frozenset()) for state in states)
        for written in self.events.writes.get(node, ()):
            states = frozenset(self._write(written, state) for state in states)
        some = next(iter(states), State(""))
        for name, binding in names_bound_by(node):
            if name.node is not None:
                self.values.known[name.node] = self._bound(node, binding, some)
        return states

    def _bound(self, node: Node, binding: Binding, state: State) -> str:
        """The value that an assignment gives to a name, which may be a part: `n, order = make()`."""
        value = binding.value if isinstance(node, AssignmentStmt) else None
        return self.values.of(value, state.value) + "".join(binding.path if value is not None else ())

    def _write(self, written: Written, state: State) -> State:
        value = self._unpacked(written, state) or self.values.of(written.value, state.value)
        if written.operator:
            value = f"({state.value}{written.operator}{value})"
        elif written.slot != self.slot:
            rest = "".join(self.slot.path[len(written.slot.path) :])
            value = f"{value}{rest}" if written.value is not None else value
        return state._replace(value=value, written=written.statement)

    def _unpacked(self, written: Written, state: State) -> str | None:
        """The part of a value that a statement gives to a variable, if it does."""
        statement, root = written.statement, written.slot.root
        bound = names_bound_by(statement) if written.value is None and not written.slot.path else ()
        binding = next((binding for name, binding in bound if name.node is root and binding.path), None)
        return self._bound(statement, binding, state) if binding is not None else None

    def _branches(self, node: IfStmt, states: States) -> States:
        found = _NONE
        for test, block in zip(node.expr, node.body, strict=True):
            states = self._evaluate(test, states)
            outcomes = {state: self._outcome(test, state) for state in states}
            taken = frozenset(state for state, outcome in outcomes.items() if outcome is not False)
            states = frozenset(state for state, outcome in outcomes.items() if outcome is not True)
            found |= self._block(block.body, taken)
        return found | (self._block(node.else_body.body, states) if node.else_body is not None else states)

    def _outcome(self, test: Expression, state: State) -> bool | None:
        """That of a test whether the state has a value yet; None if it is not known."""
        match test:
            case ComparisonExpr(operators=["is" | "=="], operands=[asked, other]) if is_none(other):
                return state.value == _MISSING if self.values.is_state(asked) else None
            case UnaryExpr(op="not", expr=asked) if self.values.is_state(asked):
                return state.value in _EMPTY
            case ComparisonExpr(operators=["not in"]):
                return False  # what fills an item that is missing
        return None

    def _loop(self, node: ForStmt | WhileStmt, states: States) -> States:
        states = self._evaluate(node.expr, states)
        if node not in self.events.around:
            return states
        self._left.append(set())
        found = states
        for _ in range(2):
            states = self._bind(node, states) if isinstance(node, ForStmt) else states
            states = self._block(node.body.body, states) | frozenset(self._left[-1])
            found |= states
        self._left.pop()
        return self._block(node.else_body.body, found) if node.else_body is not None else found

    def _attempt(self, node: TryStmt, states: States) -> States:
        found = self._block(node.body.body, states)
        handled = [self._block(handler.body, found or states) for handler in node.handlers]
        if node.else_body is not None:
            found = self._block(node.else_body.body, found)
        found = found.union(*handled)
        return self._block(node.finally_body.body, found) if node.finally_body is not None else found

    def _with(self, node: WithStmt, states: States) -> States:
        """What the manager changes, it takes back at the end."""
        found = _NONE
        for state in states:
            entered = frozenset({state})
            for manager in node.expr:
                entered = self._evaluate(manager, entered)
            is_changed = any(inner.written is not state.written for inner in entered)
            left = self._block(node.body.body, entered)
            found |= frozenset(
                inner._replace(value=state.value, written=state.written) if is_changed else inner for inner in left
            )
        return found

    # Expressions

    def _evaluate(self, node: Node, states: States) -> States:
        if node not in self.events.around or isinstance(node, FuncItem) or not states:
            return states
        match node:
            case CallExpr():
                return self._call(node, states)
            case ConditionalExpr():
                states = self._evaluate(node.cond, states)
                return self._evaluate(node.if_expr, states) | self._evaluate(node.else_expr, states)
            case OpExpr(op="and" | "or"):
                states = self._evaluate(node.left, states)
                return states | self._evaluate(node.right, states)
        for part in _in_order(node):
            states = self._evaluate(part, states)
        return states

    def _call(self, node: CallExpr, states: States) -> States:
        for part in (node.callee, *node.args):
            states = self._evaluate(part, states)
        if node in self.events.makes:
            return frozenset(state._replace(kept=frozenset()) for state in states)
        if node in self.events.calls:
            return frozenset(self._run_compiled(node, state) for state in states)
        function = self.events.leading.get(node)
        if function is None or function in self._calls or len(self._calls) >= _DEEPEST:
            return states
        return self._enter(function, node, states)

    def _enter(self, function: FuncDef, call: CallExpr, states: States) -> States:
        some = next(iter(states), State(""))
        for name, given in self._given(call, function).items():
            variable = next(part.variable for part in function.arguments if part.variable.name == name)
            self.values.known[variable] = self.values.of(given, some.value)
        self._calls.append(function)
        self._returned.append(set())
        left, self._left = self._left, []
        body = _up_to_yield(function.body.body) if is_manager(function, self.file) else function.body.body
        found = self._block(body, states)
        self._left = left
        self._calls.pop()
        return found | frozenset(self._returned.pop())

    def _given(self, call: CallExpr, function: FuncItem) -> dict[str, Expression]:
        names = [argument.variable.name for argument in function.arguments]
        is_method = bool(function.info) and not function.is_static
        return {name: value for name, value in named_arguments(call, names[is_method:]).items() if name in names}

    def _run_compiled(self, call: CallExpr, state: State) -> State:
        known = {name: self.values.of(value, state.value) for name, value in self._given(call, self.compiled).items()}
        key = ",".join(f"{name}={known[name]}" for name in sorted(known) if self.keys is None or name in self.keys)
        made = [text for text in (*known.values(), self._receiver(call, state)) if _MADE in text]
        if any(new_parts(state.value) & new_parts(text) for text in made) or _MADE in self._receiver(call, state):
            return state  # its shape may differ with the value, or another object may have another program
        kept = dict(state.kept)
        if key in kept and kept[key] != state.value and state.written is not None:
            self.stale = self.stale or state.written
        return state._replace(kept=state.kept | {(key, kept.get(key, state.value))})

    def _receiver(self, call: CallExpr, state: State) -> str:
        """The object of which a method is called."""
        holder = call.callee.expr if isinstance(call.callee, MemberExpr) and self.compiled.info else None
        return self.values.of(holder, state.value) if holder is not None else ""


def _in_order(node: Node) -> Sequence[Node]:
    """The parts of a node, as they are evaluated: what an assignment gives comes first."""
    return [node.rvalue] if isinstance(node, AssignmentStmt) else parts_of(node)


def _up_to_yield(body: Iterable[Statement]) -> Iterator[Statement]:
    """What runs before the first `yield` of a context manager, also if that stands in a `try`."""
    for statement in body:
        if isinstance(statement, TryStmt):
            yield from _up_to_yield(statement.body.body)
            return
        if any(isinstance(part, YieldExpr) for part in parts_of(statement)):
            return
        yield statement
