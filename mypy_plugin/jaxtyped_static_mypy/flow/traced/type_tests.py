"""`isinstance(x, float)`, for a `float` that a trace replaces by a tracer: silently False."""

from collections.abc import Mapping, Sequence
from typing import Final

from mypy.nodes import (
    AssertStmt,
    AssignmentStmt,
    Block,
    CallExpr,
    Expression,
    FloatExpr,
    FuncDef,
    IfStmt,
    IntExpr,
    NameExpr,
    RaiseStmt,
    RefExpr,
    TupleExpr,
    UnaryExpr,
)
from mypy.types import AnyType, Instance, get_proper_type

from ...knowledge.type_rows import Trait
from ...libraries import types_with
from ...syntax.names import callee_name
from ...syntax.trees import last_statement, nodes_below
from .expressions import evaluate
from .frame import Env, Frame
from .given import passed_for
from .values import Traced

_NUMBERS: Final = types_with(Trait.NUMBER)
_CLASSES: Final[Mapping[type[object], str]] = {FloatExpr: "builtins.float", IntExpr: "builtins.int"}
_NO_TRACERS: Final = types_with(Trait.PLAIN)


def record_type_tests(node: IfStmt, env: Env, frame: Frame) -> None:
    """Records the tests of an `if`; one that knows what else there may be, or that only converts, is right."""
    for tested, body in zip(node.expr, node.body, strict=True):
        call = _inner(tested)
        others = [other for other in node.expr if other is not tested]
        refuses = isinstance(last_statement(body), RaiseStmt)
        if call is None or _are_asked(call, others) or _only_converts(call, body) or (refuses and tested is call):
            continue
        _record(call, "type-guard" if refuses else "isinstance", env, frame)


def record_guard(node: AssertStmt, env: Env, frame: Frame) -> None:
    """Records the test of an `assert`."""
    call = _inner(node.expr)
    if call is not None and call is node.expr:
        _record(call, "type-guard", env, frame)


def _record(call: CallExpr, kind: str, env: Env, frame: Frame) -> None:
    """Records a test for the very type that a parameter or a field is declared to have, or that a call passes.

    Only below a decorator that compiles: other functions may be called without a trace, too. One that asks again what
    the value is knows that it may be a tracer.
    """
    value = evaluate(call.args[0], env, frame)
    declared = get_proper_type(value.source.declared) if isinstance(value, Traced) else None
    classes = call.args[1].items if isinstance(call.args[1], TupleExpr) else [call.args[1]]
    names = {item.fullname if isinstance(item, RefExpr) else "" for item in classes}
    is_asked = isinstance(declared, Instance) and declared.type.fullname in _NUMBERS & names
    if isinstance(declared, AnyType) and isinstance(value, Traced):
        is_asked = not names.isdisjoint(_passed(value.source.parameter, frame))
    if is_asked and not _is_asked_again(call, frame.decorated) and _NO_TRACERS.issuperset(names):
        frame.needs_concrete(call, kind, value)


def _passed(parameter: str | None, frame: Frame) -> set[str]:
    """The classes of the numbers that calls of a decorated function write out for a parameter."""
    if parameter is None or frame.decorated is None:
        return set()
    values = passed_for(frame.walk.file, frame.decorated, parameter)
    return {_CLASSES[type(value)] for value in values if type(value) in _CLASSES}


def _inner(tested: Expression) -> CallExpr | None:
    """The call in `isinstance(x, C)` or `not isinstance(x, C)`."""
    while isinstance(tested, UnaryExpr) and tested.op == "not":
        tested = tested.expr
    is_test = isinstance(tested, CallExpr) and callee_name(tested) == "builtins.isinstance"
    return tested if isinstance(tested, CallExpr) and is_test and len(tested.args) == 2 else None


def _is_asked_again(call: CallExpr, function: FuncDef | None) -> bool:
    if function is None:
        return True
    calls = [node for node in nodes_below(function.body) if isinstance(node, CallExpr) and node is not call]
    return _are_asked(call, [other for other in calls if callee_name(other) == "builtins.isinstance"])


def _are_asked(call: CallExpr, conditions: Sequence[Expression]) -> bool:
    """Whether one of these conditions is about the same value."""
    names = {node.node for node in nodes_below(call.args[0]) if isinstance(node, NameExpr)}
    found = (node for condition in conditions for node in nodes_below(condition))
    return any(isinstance(node, NameExpr) and node.node in names for node in found)


def _only_converts(call: CallExpr, body: Block) -> bool:
    """Whether a branch does no more than assign the same variable: `x = jnp.asarray(x)`."""
    name = call.args[0]
    return isinstance(name, NameExpr) and all(
        isinstance(statement, AssignmentStmt)
        and all(isinstance(target, NameExpr) and target.node is name.node for target in statement.lvalues)
        for statement in body.body
    )
