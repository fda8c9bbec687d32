"""jit-retrace at a call: an array that has another shape on each pass of a loop, as `x[:i]` has."""

from typing import Final

from mypy.nodes import CallExpr, Expression

from ..flow.fresh import reader_at
from ..flow.passes import growing_array
from ..reporting.errors import report
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..syntax.trees import dotted_name
from . import CODES
from ._counted_calls import is_uncounted

_CODE: Final = CODES["jit-retrace"]

_SHAPE: Final = Message(
    "The shape of this argument of {function} changes on every pass of this loop, because it depends on {cause}, "
    "so JAX recompiles for each shape",
    "pad it to one shape, and pass the length or a mask as another argument",
    kind="shape-each-pass",
)


def check_changing_shape(argument: Expression, call: CallExpr, file: CheckedFile) -> None:
    """Reports an argument of a compiled function that has another shape on each pass; none in a trace and in tests."""
    growing = growing_array(argument, call, file, reader_at(file).type_of)
    if growing is not None and not is_uncounted(call, file):
        name = dotted_name(call.callee)
        function = f'"{name}"' if name is not None else "a compiled function"
        report(file, argument, _SHAPE.fill(function=function, cause=f'"{growing.cause}"'), _CODE)
