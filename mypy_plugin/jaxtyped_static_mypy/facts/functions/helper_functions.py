"""Reads what a function makes of the function or class that it is given, and returns."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    ARG_STAR,
    ARG_STAR2,
    Argument,
    AssignmentStmt,
    CallExpr,
    ConditionalExpr,
    Decorator,
    Expression,
    ExpressionStmt,
    FuncDef,
    IfStmt,
    LambdaExpr,
    NameExpr,
    OperatorAssignmentStmt,
    ReturnStmt,
    Statement,
)

from ...syntax.literals import is_none, literal
from ...syntax.names import dotted_name
from ...syntax.trees import assignment_targets, last_statement
from .definitions import whole
from .expressions import UPDATES, decorated, forwarded, subject_wrapped, value_of
from .scope import Changed, Decorates, Made, Packed, Scope, Table, Value, Wrapped
from .signature_changes import apply_signature, sets_signature
from .steps import FunctionFacts, Step
from .table_changes import bind_options, change_tables, tables_after
from .tables import UNKNOWN, looked_up

_REGISTERS: Final = "register_"  # how every function begins that registers a class
_DECLARE: Final = ("dataclass", "define", "frozen", "mutable", "pytree_dataclass")  # and what makes it a dataclass
_MAY_WRAP: Final = (NameExpr, CallExpr, ConditionalExpr, LambdaExpr)  # expressions that a helper may return


def may_return_its_argument(function: FuncDef) -> bool:
    """A quick look: the last statement returns a name, a call, or a function."""
    last = last_statement(function.body)
    return isinstance(last, ReturnStmt) and isinstance(last.expr, _MAY_WRAP)


def read_function(function: FuncDef, outer: Scope) -> FunctionFacts | None:
    scope = Scope(outer.module, dict(outer.values))
    bind_parameters(function.arguments, scope)
    last = function.arguments[-1] if function.arguments else None
    if last is not None and last.kind is ARG_STAR2:
        bind_options(last.variable.name, function, scope)
    return _facts(function, list(run(function.body.body, scope)), scope)


def bind_parameters(arguments: Iterable[Argument], scope: Scope) -> None:
    for argument in arguments:
        name = argument.variable.name
        packed = Packed(name) if argument.kind is ARG_STAR else None
        scope.values[name] = Wrapped(name) if not argument.kind.is_star() else packed


def run(body: Iterable[Statement], scope: Scope) -> Iterator[Value]:
    """Goes through the statements of a helper; yields what they return."""
    for node in body:
        if isinstance(node, FuncDef):
            scope.values[node.name] = _nested(node, scope)
        elif isinstance(node, Decorator):
            wraps = any(subject_wrapped(applied, scope) is not None for applied in node.original_decorators)
            value = forwarded(node.func, scope) if wraps else _nested(node.func, scope)
            for decorator in reversed(node.original_decorators):
                value = decorated(value, decorator, scope)
            scope.values[node.name] = value
        elif isinstance(node, ReturnStmt):
            yield from _returned(node.expr, scope)
        elif isinstance(node, AssignmentStmt):
            value = looked_up(node.rvalue, scope) or value_of(node.rvalue, scope)
            for target in assignment_targets(node):
                if (name := dotted_name(target)) is not None:
                    scope.values[name] = value
            change_tables(node, scope)
        elif isinstance(node, (ExpressionStmt, OperatorAssignmentStmt)):
            change_tables(node, scope)
            if isinstance(node, ExpressionStmt):
                _effect(node.expr, scope)
        else:
            after = tables_after(node, scope) if isinstance(node, IfStmt) else {}
            yield from _run_block(node, scope)
            scope.values |= after
        apply_signature(node, scope)


def _run_block(node: Statement, scope: Scope) -> Iterator[Value]:
    """An `if`, a loop, `with` or `try`: what it binds or changes is not known after it."""
    before = dict(scope.values)
    inner = [statement for statement in whole([node]) if statement is not node]
    kinds = (FuncDef, Decorator, ExpressionStmt, ReturnStmt)
    parts = (part for part in inner if isinstance(part, kinds) or sets_signature(part))
    yield from run(parts, scope)
    for statement in inner:
        change_tables(statement, scope)
        for target in assignment_targets(statement):
            if (name := dotted_name(target)) is not None and name in scope.values:
                scope.values[name] = None
    for name, value in before.items():
        if isinstance(value, Table) and scope.values[name] != value:
            scope.values[name] = UNKNOWN


def _returned(node: Expression | None, scope: Scope) -> Iterator[Value]:
    if isinstance(node, ConditionalExpr):
        yield from _returned(node.if_expr, scope)
        yield from _returned(node.else_expr, scope)
    else:
        yield value_of(node, scope)


def _effect(node: Expression, scope: Scope) -> None:
    """`register_dataclass(cls)` and `update_wrapper(wrapper, f)` change what they are given."""
    first = node.args[0] if isinstance(node, CallExpr) and node.args else None
    name = dotted_name(first) if first is not None else None
    if name is None or not isinstance(node, CallExpr):
        return
    called = (dotted_name(node.callee) or "").rpartition(".")[2]
    if called.startswith(_REGISTERS) or called in _DECLARE or scope.full_name(node.callee) == UPDATES:
        scope.values[name] = value_of(node, scope)


def _nested(function: FuncDef, scope: Scope) -> Value:
    """What a nested function is: one that passes its calls on, or a decorator."""
    value = forwarded(function, scope)
    if isinstance(value, Wrapped) or not may_return_its_argument(function):
        return value
    facts = read_function(function, scope)
    return Decorates(facts) if facts is not None and facts.get("takes") in _names(function) else value


def _names(function: FuncDef) -> list[str]:
    """The names of the parameters; `arg_names` has None for those that are positional only (mypy 2.4.1)."""
    return [argument.variable.name for argument in function.arguments]


class _Returned(NamedTuple):
    """What a helper returns on its paths, by kind."""

    wrapped: list[Wrapped]
    decorators: list[Decorates]
    made: list[Made]

    def is_one(self, count: int) -> bool:
        """Whether each of so many returned values is of one of these kinds."""
        return len(self.wrapped) + len(self.decorators) + len(self.made) == count


def _facts(function: FuncDef, returned: list[Value], scope: Scope) -> FunctionFacts | None:
    found = _Returned(
        [value for value in returned if isinstance(value, Wrapped) and value.takes in _names(function)],
        [value for value in returned if isinstance(value, Decorates)],
        [value for value in returned if isinstance(value, Made)],
    )
    if not found.is_one(len(returned)) or not returned:
        return {"opaque": True} if any(isinstance(value, (Changed, Decorates)) for value in returned) else None
    decorators = found.decorators
    itself = scope.module.full_name(function.name)
    ways = [list(value.steps) for value in found.wrapped] + [value.facts.get("steps", []) for value in decorators]
    partials = (made for made in found.made if made.is_partial)
    again = [made for made in partials if made.step["function"] == itself or [made.step] in ways]
    if found.made and not found.wrapped and not decorators:
        return signature_of(function, scope) | _made(found.made[0]) if len(found.made) == 1 else None
    if len(again) != len(found.made):
        return None
    if any(value.facts.get("opaque") for value in decorators):
        return {"opaque": True}
    if any(map(_declares_class, ways)):
        ways = [way for way in ways if way]  # the class itself is returned if it was declared before
    if not ways or any(way != ways[0] for way in ways):
        return None
    is_direct = bool(found.wrapped)
    takes = found.wrapped[0].takes if is_direct else decorators[0].facts["takes"]
    options = bool(decorators or again)
    return signature_of(function, scope) | {"takes": takes, "steps": ways[0], "options": options, "direct": is_direct}


def _declares_class(steps: list[Step]) -> bool:
    names = (step["function"].rpartition(".")[2] for step in steps)
    return any(name.startswith(_REGISTERS) or name in _DECLARE for name in names)


def _made(made: Made) -> FunctionFacts:
    """What is known of a helper that calls another function, without a subject of its own."""
    return {"takes": "", "steps": [made.step], "options": made.is_partial, "direct": False}


def signature_of(function: FuncDef, scope: Scope) -> FunctionFacts:
    """The parameters of a helper, with those that it takes out of its `**options`."""
    own = [argument for argument in function.arguments if not argument.kind.is_star()]
    defaults = {argument.variable.name: argument.initializer for argument in own}
    facts: FunctionFacts = {
        "parameters": [argument.variable.name for argument in own if argument.kind.is_positional()],
        "named_only": [
            *(argument.variable.name for argument in own if not argument.kind.is_positional()),
            *scope.taken,
        ],
        "defaults": {name: value for name, value in scope.taken.items() if value is not None}
        | {name: literal(node) for name, node in defaults.items() if node is not None and not is_none(node)},
    }
    packed = (argument.variable.name for argument in function.arguments if argument.kind is ARG_STAR)
    if (name := next(packed, None)) is not None:
        facts["packed"] = name
    return facts
