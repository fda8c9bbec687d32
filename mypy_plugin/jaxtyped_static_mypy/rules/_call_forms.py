"""jit-retrace at a call: a compiled function that an earlier call has compiled for the same values in another form."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from mypy.nodes import CallExpr, MemberExpr, NameExpr, RefExpr
from mypy.types import CallableType

from ..flow.call_forms import (
    Caller,
    Difference,
    How,
    caller,
    difference,
    function_called,
    is_same_call,
    method_called,
    static_names,
)
from ..flow.traced.analysis import analysis_of
from ..jit.signatures import function_name
from ..reach.file_program import is_in_test
from ..reach.runs import is_evaluated_once
from ..reporting.errors import report
from ..reporting.finding import Evidence
from ..reporting.harm import Harm
from ..reporting.messages import Message, Statement
from ..source.checked_file import CheckedFile
from ..source.functions import functions_around
from ..source.self_values import attribute_of_self
from ..source.surroundings import surroundings
from ..syntax.names import base_of, dotted_name
from . import CODES
from ._counted_calls import is_uncounted

_CODE: Final = CODES["jit-retrace"]
_EVIDENCE: Final = "compiled before"
_MOST_CALLS: Final = 5  # that are compared with one; a call further up may have compiled its form

_AGAIN: Final = "This call compiles {function} again, although one program would do for an earlier call and this one: "
_OTHER_WAY: Final = Message(
    _AGAIN + '"{parameter}" is passed {how} here, and {before} there', "pass it the same way in both", kind="call-form"
)
_GIVEN: Final = Message(
    _AGAIN + '"{parameter}" is {how} here, and {before} there', "give it in both, or in neither", kind="call-default"
)
_OTHER_TYPE: Final = Message(
    'This call compiles {function} again, although an earlier one passes an equal value: "{parameter}" is of type '
    "{how} here, and {before} there",
    "pass the same type in both",
    kind="call-type",
)
_WAYS: Final = {How.NAME: "by name", How.POSITION: "by position"}


def check_call_form(call: CallExpr, signature: CallableType, file: CheckedFile) -> None:
    """Reports the first call in a form for which nothing is compiled yet, although there is a program for its values.

    In which order the calls run, the order in which they are written has to tell. It costs one compilation, which is
    potential unless a loop makes the call: then an earlier one was to compile for it.
    """
    if is_uncounted(call, file):
        return
    function = function_called(call, file) or method_called(call, file)
    later = caller(call, signature, function)
    if later is None:
        return
    static = static_names(signature, file.settings.static_markers)
    earlier = [form for other in earlier_calls(call, file) if (form := caller(other, signature, function)) is not None]
    if any(is_same_call(later, other, static, file) for other in earlier):
        return
    for other in earlier:
        if (found := difference(later, other, static, file)) is not None:
            _report(later, other, found, named_function(signature), file)
            return


def named_function(signature: CallableType) -> str:
    name = function_name(signature)
    return f'"{name}"' if name else "the function"


def _report(later: Caller, earlier: Caller, found: Difference, function: str, file: CheckedFile) -> None:
    call = later.call
    name = call.callee.name if isinstance(call.callee, NameExpr | MemberExpr) else ""
    are_all_seen = len(_calls_above(name, call, file)) <= _MOST_CALLS
    is_same = found.is_same_trace and found.kinds is None
    is_certain = is_same and are_all_seen and bool(surroundings(call, file).repeating)
    report(
        *(file, call, _statement(found, function), _CODE),
        evidence=[
            Evidence(_EVIDENCE, file.tree.path, earlier.call.line, f"The earlier call is at line {earlier.call.line}")
        ],
        harm=None if is_certain else Harm.POTENTIAL,
    )


def _statement(found: Difference, function: str) -> Statement:
    if found.kinds is not None:
        before, how = found.kinds
        return _OTHER_TYPE.fill(function=function, parameter=found.parameter, how=how, before=before)
    if How.DEFAULT in (found.earlier, found.later):
        how, before = ("left out" if way is How.DEFAULT else "given" for way in (found.later, found.earlier))
        return _GIVEN.fill(function=function, parameter=found.parameter, how=how, before=before)
    how, before = _WAYS[found.later], _WAYS[found.earlier]
    return _OTHER_WAY.fill(function=function, parameter=found.parameter, how=how, before=before)


def earlier_calls(call: CallExpr, file: CheckedFile) -> Iterator[CallExpr]:
    """The last calls of the same function above, outside of tests and of what JAX traces."""
    callee = call.callee
    if not isinstance(callee, NameExpr | MemberExpr):
        return
    for other in _calls_above(callee.name, call, file)[-_MOST_CALLS:]:
        use = other.callee
        is_same = isinstance(use, RefExpr) and _is_same_function(callee, use, file)
        if is_same and not is_in_test(other.line, file) and not _is_traced(other, file):
            yield other


def _calls_above(name: str, call: CallExpr, file: CheckedFile) -> list[CallExpr]:
    calls = file.calls_by_name.get(name, [])
    return calls[: bisect_left(calls, (call.line, call.column), key=lambda other: (other.line, other.column))]


def _is_same_function(callee: RefExpr, use: RefExpr, file: CheckedFile) -> bool:
    if callee.node is not None or use.node is not None:
        return callee.node is use.node
    own = attribute_of_self(callee)
    if own is not None and own == attribute_of_self(use):
        return surroundings(callee, file).cls is surroundings(use, file).cls is not None
    one, other = base_of(callee), base_of(use)
    is_same_name = dotted_name(callee) is not None and dotted_name(callee) == dotted_name(use)
    is_same_object = isinstance(one, NameExpr) and isinstance(other, NameExpr) and one.node is other.node
    return is_same_name and is_same_object and surroundings(callee, file).function is surroundings(use, file).function


def _is_traced(call: CallExpr, file: CheckedFile) -> bool:
    around = functions_around(call.line, file)
    return is_evaluated_once(call.line, file) or (
        bool(around) and analysis_of(file, around[0].node).staged.get(call, False)
    )
