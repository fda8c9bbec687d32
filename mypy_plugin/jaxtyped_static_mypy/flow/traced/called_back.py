"""What SciPy's solvers call with numbers: what such a function returns has to be concrete, too."""

from collections.abc import Sequence

from mypy.nodes import ARG_POS, CallExpr

from ...knowledge.function_rows import Conversion
from ...knowledge.scipy_functions import CONVERTED_OPTIONS
from ...syntax.names import function_of
from .frame import Frame, PassedValues
from .host_arrays import SCIPY_KIND, host_row
from .results import has_plain_body, result_of_body
from .values import Entries, Value, array_from, origin, present


def record_called_back(call: CallExpr, values: Sequence[Value], frame: Frame) -> None:
    """Records what `brentq(f, 0.0, x)` asks of the result of `f`, and of where it starts."""
    file = frame.walk.file
    if not call.args or host_row(call, file).converts is not Conversion.HOST_CALLED:
        return
    function = function_of(call.args[0])
    if function is not None and has_plain_body(function, file):
        if function in frame.walk.nested:
            frame.walk.record_use(function, call.args[0], PassedValues({}, frame.staged))
        frame.needs_concrete(call, SCIPY_KIND, _held(result_of_body(function, {}, frame)))
    for index, (argument, value) in enumerate(zip(call.args, values, strict=True)):
        is_first = index == 1 and call.arg_kinds[index] is ARG_POS
        if is_first or call.arg_names[index] in CONVERTED_OPTIONS:
            frame.needs_concrete(argument, SCIPY_KIND, _held(value))


def _held(value: Value) -> Value:
    """The tracer that a value is, or that one of its items is."""
    source = origin(value) if not isinstance(present(value), Entries) else None
    return array_from(source) if source is not None else None
