"""What `map`, `filter` and `functools.reduce` pass to a function, and what they ask of its result."""

from collections.abc import Mapping, Sequence

from mypy.nodes import CallExpr, FuncItem

from ...knowledge.function_rows import Applies
from ...libraries import known_function
from ...source.parameters import parameters
from ...syntax.literals import is_none
from ...syntax.trees import callee_name, function_of
from .frame import Frame, PassedValues
from .results import has_plain_body, result_of_body
from .values import Value, element, join, present


def record_iterated(call: CallExpr, values: Sequence[Value], frame: Frame) -> None:
    """Records the use of a function that is applied to each item, and what is asked of its results."""
    applies = known_function(callee_name(call)).applies
    elements = [element(present(value)) for value in values[1:]]
    if applies is None or not elements or any(call.arg_names):
        return
    if applies is Applies.FILTERS and is_none(call.args[0]):
        frame.needs_concrete(call, "filter", elements[0])
    function = function_of(call.args[0])
    if function is None or not has_plain_body(function, frame.walk.file):
        return
    passed = _accumulated(function, elements, frame) if applies is Applies.REDUCES else _by_name(function, elements)
    if function in frame.walk.nested:
        frame.walk.record_use(function, call.args[0], PassedValues(passed, frame.staged))
    if applies is Applies.FILTERS:
        frame.needs_concrete(call, "filter", result_of_body(function, passed, frame))


def _accumulated(function: FuncItem, elements: Sequence[Value], frame: Frame) -> Mapping[str, Value]:
    """What `reduce` passes: the first item, and then what the function made of it."""
    if len(elements) != 1:
        return {}
    first = _by_name(function, [elements[0], elements[0]])
    return _by_name(function, [join(elements[0], result_of_body(function, first, frame)), elements[0]])


def _by_name(function: FuncItem, values: Sequence[Value]) -> dict[str, Value]:
    names = (parameter.name for parameter in parameters(function) if not parameter.is_star)
    return dict(zip(names, values, strict=False))
