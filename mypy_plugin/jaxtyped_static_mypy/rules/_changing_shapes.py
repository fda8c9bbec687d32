"""jit-retrace at a call: an array with another shape on each pass of a loop, as `x[:i]`, or a list that gets longer."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import CallExpr, Expression, FuncDef

from ..flow.fresh import reader_at
from ..flow.passes import Growing, growing_array, growing_by_calls, selected_array
from ..reach.eager_runs import eager_running, may_run_eagerly
from ..reporting.errors import report
from ..reporting.evidence.repetition import REPEATED, question_of_eager_runs
from ..reporting.finding import Evidence
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..source.once import is_once_here
from ..source.surroundings import surroundings
from ..syntax.names import dotted_name
from . import CODES
from ._counted_calls import is_uncounted

_CODE: Final = CODES["jit-retrace"]

_SHAPE: Final = Message(
    "The shape of this argument of {function} changes on every pass of this loop, because it depends on {cause}, "
    "so JAX recompiles for each shape",
    "pad it to one shape, and pass the length or a mask as another argument",
    kind="shape-each-pass",
)
_EAGER_SHAPE: Final = Message(
    'Outside of jit, "{function}" compiles again on every pass of this loop, because the shape of this argument '
    "depends on {cause}",
    (
        "pad it to one shape, with values that leave the result as it is",
        "compute it with NumPy, which compiles nothing",
    ),
    kind="shape-each-pass-outside",
)


_SHAPE_BY_CALLS: Final = Message(
    "The shape of this argument of {function} changes with each call, because a loop passes another one for {cause}, "
    "so JAX recompiles for each shape",
    "pad it to one shape, and pass the length or a mask as another argument",
    kind="shape-each-call",
)
_LONGER: Final = Message(
    "This argument of {function} has more arrays in it on every pass of this loop, because it depends on {cause}, so "
    "JAX recompiles on every pass",
    "keep its items in one array of one shape, and pass the length or a mask as another argument",
    kind="tree-each-pass",
)
_SELECTED: Final = Message(
    'The length of this argument of {function} depends on the values of "{cause}", which are others on every pass of a '
    "loop, so JAX recompiles for each length",
    "pad it to one shape, and pass the length or a mask as another argument",
    kind="shape-by-values",
)


def check_changing_shape(argument: Expression, call: CallExpr, file: CheckedFile) -> None:
    """Reports an argument of a compiled function that has another shape on each pass; none in a trace and in tests."""
    growing = growing_array(argument, call, file, reader_at(file).type_of)
    if growing is None:
        growing = growing_by_calls(argument, file, reader_at(file).type_of)
    if growing is None:
        _check_selected(argument, call, file)
        return
    if is_uncounted(call, file):
        return
    function = _called(call)
    message = _SHAPE_BY_CALLS if growing.line is not None else _LONGER if growing.is_tree else _SHAPE
    statement = message.fill(function=function, cause=f'"{growing.cause}"')
    report(file, argument, statement, _CODE, evidence=_loop_around(growing, file))


def _check_selected(argument: Expression, call: CallExpr, file: CheckedFile) -> None:
    """Reports an argument that is as long as its data says, as `x[x > 0]`, or `x[:n]` of a number that is counted."""
    cause = selected_array(argument, call, file, reader_at(file).type_of)
    if cause is not None and not is_uncounted(call, file):
        report(file, argument, _SELECTED.fill(function=_called(call), cause=cause), _CODE)


def _called(call: CallExpr) -> str:
    name = dotted_name(call.callee)
    return f'"{name}"' if name is not None else "a compiled function"


def _loop_around(growing: Growing, file: CheckedFile) -> Iterator[Evidence]:
    """The call in another function's loop."""
    if growing.line is not None:
        text = f"Line {growing.line} passes another shape on each pass of a loop"
        yield Evidence(REPEATED, file.tree.path, growing.line, text)


def check_changing_shape_eagerly(call: CallExpr, file: CheckedFile) -> None:
    """Reports the same for a function of JAX's that code outside of jit calls, if the program shows that it runs."""
    function = surroundings(call, file).function
    found = ((given, growing_array(given, call, file, reader_at(file).type_of, is_array=True)) for given in call.args)
    argument, growing = next((pair for pair in found if pair[1] is not None), (None, None))
    if argument is None or growing is None or is_uncounted(call, file) or is_once_here(call, file):
        return
    statement = _EAGER_SHAPE.fill(function=dotted_name(call.callee) or "the call", cause=f'"{growing.cause}"')
    if eager_running(file, call, True) is not None:
        report(file, argument, statement, _CODE)
    elif isinstance(function, FuncDef) and may_run_eagerly(function, file):
        question = question_of_eager_runs(function, file, is_looped=True)
        report(file, argument, statement, _CODE, questions=[question], is_asked=True)
