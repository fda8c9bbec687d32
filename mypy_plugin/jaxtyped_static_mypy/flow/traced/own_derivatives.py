"""Functions with derivatives of their own that a program calls: `custom_jvp` and `custom_vjp` trace them once more.

So they do with the rules that `defjvp` and `defvjp` are given, where the program is differentiated. Outside of a
program, all of them get values.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from mypy.nodes import CallExpr, Decorator, Expression, ExpressionStmt, FuncDef, MemberExpr, NameExpr, SymbolNode

from ...libraries import known_function
from ...reach.traced_calls import TracedCall, traced_again
from ...source.checked_file import CheckedFile, once_per_file
from ...source.parameters import parameters
from ...syntax.arguments import argument, unpacks
from ...syntax.decorators import applied
from ...syntax.names import callee_name, function_of
from .flags import passed_flags
from .frame import Frame, PassedValues
from .parameters import passed_values, traced_values
from .values import Items, Value

_FORWARD: Final = "fwd"
_BACKWARD: Final = "bwd"
_TANGENTS: Final = "jvp"


def record_own_derivative(call: CallExpr, values: Sequence[Value], frame: Frame) -> None:
    """Records the function that such a call runs, and its rules."""
    definition = call.callee.node if isinstance(call.callee, NameExpr) else None
    if not frame.staged or not isinstance(definition, Decorator) or unpacks(call):
        return
    traced = _tracing(definition, frame.walk.file)
    if traced is None:
        return
    function = definition.func
    own = list(parameters(function))
    static = {one.name for one in own if not traced.traces(one.position, one.name)}
    # A tracer for one of the others is a fault of the call.
    passed = {name: value for name, value in passed_values(function, call, values).items() if name not in static}
    traced_only = [passed.get(one.name) for one in own]
    flags = {name: flag for name, flag in passed_flags(function, call, frame.flags).items() if name in static}
    frame.walk.record_helper(function, PassedValues(passed, staged=True, flags=flags))
    differentiated = tuple(passed.get(one.name) for one in own if one.name not in static)
    for kind, rule in _rules(frame.walk.file).get(definition, ()):
        if kind is _FORWARD:
            given = {one.name: value for one, value in zip(parameters(rule), traced_only, strict=False)}
        else:
            given = _of_rule(kind, rule, differentiated, frame)
        frame.walk.record_helper(rule, PassedValues(given, staged=True))


def _tracing(definition: Decorator, file: CheckedFile) -> TracedCall | None:
    """How `custom_jvp` or `custom_vjp` traces a function of the file, if that is its only decorator."""
    if file.decorators.get(definition.func) is not definition or len(definition.original_decorators) != 1:
        return None
    made = applied(definition.original_decorators[0])
    row = known_function(callee_name(made))
    has_rules = row.retraces is not None and row.compiles is not None and not row.compiles.compiles
    return traced_again(made) if has_rules else None


def _of_rule(kind: str, rule: FuncDef, differentiated: tuple[Value, ...], frame: Frame) -> dict[str, Value]:
    """What JAX passes to a rule: the arguments and their tangents, or the cotangent of the result, as its last ones."""
    own = list(parameters(rule))
    if kind is _TANGENTS and len(own) > 1:
        return dict.fromkeys((one.name for one in own[-2:]), Items(differentiated))
    last = len(own) - 1
    traced = TracedCall("custom_vjp", True, NameExpr(rule.name), lambda index, name: index == last)
    return traced_values(rule, traced, frame.walk.file, staged=True)


@once_per_file
def _rules(file: CheckedFile) -> Mapping[SymbolNode, list[tuple[str, FuncDef]]]:
    """The rules that the module gives to its functions: `f.defvjp(fwd, bwd)`, `@f.defjvp`."""
    found: dict[SymbolNode, list[tuple[str, FuncDef]]] = {}
    for statement in file.tree.defs:
        calls: list[CallExpr] = []
        decorated = statement.func if isinstance(statement, Decorator) else None
        if isinstance(statement, Decorator):
            calls = [applied(node) for node in statement.original_decorators]
        elif isinstance(statement, ExpressionStmt) and isinstance(statement.expr, CallExpr):
            calls = [statement.expr]
        for call in calls:
            callee = call.callee
            if isinstance(callee, MemberExpr) and isinstance(callee.expr, NameExpr) and callee.expr.node is not None:
                found.setdefault(callee.expr.node, []).extend(_given(callee.name, call, decorated))
    return found


def _given(method: str, call: CallExpr, decorated: FuncDef | None) -> Iterator[tuple[str, FuncDef]]:
    wanted = {"defvjp": ((0, _FORWARD), (1, _BACKWARD)), "defjvp": ((0, _TANGENTS),)}.get(method, ())
    for index, kind in wanted:
        rule = decorated if decorated is not None and index == 0 else _named(argument(call, index, kind))
        if rule is not None:
            yield kind, rule


def _named(node: Expression | None) -> FuncDef | None:
    function = function_of(node) if node is not None else None
    return function if isinstance(function, FuncDef) else None
