"""jit-retrace at a call: a loop that begins with a weak type, and gets a strong one back from a compiled function."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import AssignmentStmt, CallExpr, Expression, FuncDef, NameExpr, TupleExpr, Var
from mypy.types import CallableType

from ..flow.call_forms import caller, function_called, static_names
from ..flow.traced.analysis import is_staged
from ..flow.weak_types import Strength, Weak, strength_returned, weak_value
from ..libraries import known_function
from ..reach.runs import is_evaluated_once, is_in_test
from ..reporting.errors import report
from ..reporting.finding import Evidence
from ..reporting.harm import Harm
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..source.local_bindings import reaching_bindings, reaching_of_module
from ..source.surroundings import Surroundings, surroundings
from ..syntax.trees import callee_name, nodes_below
from . import CODES

_CODE: Final = CODES["jit-retrace"]
_EVIDENCE: Final = "weak type"

_WEAK: Final = Message(
    'The second pass compiles "{function}" again: "{name}" begins as a number without a dtype, and comes back as an '
    "array with one",
    "begin with an array that has that dtype, such as jnp.zeros(())",
    kind="weak-type",
)


class _Carried(NamedTuple):
    """A variable that a loop passes to a function and gets back from it."""

    name: NameExpr
    parameter: Var
    item: int | None  # of what the function returns; None for all of it
    weak: Weak
    line: int  # of its first value


def check_weak_carry(call: CallExpr, signature: CallableType, file: CheckedFile) -> None:
    """Reports a number that a loop feeds to a compiled function, which returns it with a strong type."""
    place = surroundings(call, file)
    if not isinstance(place.parent, AssignmentStmt) or place.parent.rvalue is not call or not place.repeating:
        return
    if is_in_test(call.line, file) or is_evaluated_once(call.line, file) or is_staged(call, file.api, file.settings):
        return
    function = function_called(call, file)
    given = caller(call, signature, function)
    if function is None or given is None:
        return
    static = static_names(signature, file.settings.static_markers)
    own = {argument.variable.name: argument.variable for argument in function.arguments}
    passed = {own[name]: part.value for name, part in given.form.items() if name in own and part.value is not None}
    for found in _carried(
        place, {variable: passed[variable] for variable in passed if variable.name not in static}, file
    ):
        _judge(found, function, passed, call, file)


def _carried(place: Surroundings, passed: dict[Var, Expression], file: CheckedFile) -> Iterator[_Carried]:
    statement = place.parent
    assert isinstance(statement, AssignmentStmt)
    targets = dict(_targets(statement.lvalues[0]))
    for parameter, value in passed.items():
        if not isinstance(value, NameExpr) or not isinstance(value.node, Var) or value.node not in targets:
            continue
        is_local = "." not in value.node.fullname
        bound = (reaching_bindings if is_local else reaching_of_module)(file, value, value.node)
        first = [found for found in bound if found.statement is not statement]
        if len(first) != 1 or first[0].value is None or first[0].binding.path or place.repeating[0] in first[0].loops:
            continue
        weak = weak_value(first[0].value, file)
        if weak is not None:
            yield _Carried(value, parameter, targets[value.node], weak, first[0].statement.line)


def _targets(target: Expression) -> Iterator[tuple[Var, int | None]]:
    if isinstance(target, NameExpr) and isinstance(target.node, Var):
        yield target.node, None
    for index, item in enumerate(target.items if isinstance(target, TupleExpr) else ()):
        if isinstance(item, NameExpr) and isinstance(item.node, Var):
            yield item.node, index


def _judge(
    found: _Carried, function: FuncDef, passed: dict[Var, Expression], call: CallExpr, file: CheckedFile
) -> None:
    strength = strength_returned(function, found.item, found.parameter, passed, file)
    if strength is None or strength is Strength.WEAK:
        return
    is_certain = strength is Strength.STRONG_FLOAT or found.weak is Weak.INTEGER
    report(
        *(file, found.name, _WEAK.fill(function=function.name, name=found.name.name), _CODE),
        evidence=[Evidence(_EVIDENCE, file.tree.path, found.line, f"It begins at line {found.line}")],
        harm=None if is_certain and _is_costly(function) else Harm.POTENTIAL,
    )


def _is_costly(function: FuncDef) -> bool:
    """Whether compiling a function takes long enough to matter: it differentiates, or has loops of JAX."""
    calls = (node for node in nodes_below(function.body) if isinstance(node, CallExpr))
    rows = (known_function(callee_name(call)) for call in calls)
    return any(row.derives is not None or (row.calls is not None and row.calls.stages) for row in rows)
