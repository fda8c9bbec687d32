"""What `map`, `filter`, `functools.reduce` and `sorted` pass to a function, and what they ask of its result."""

from collections.abc import Mapping, Sequence
from typing import Final

from mypy.nodes import CallExpr, ComparisonExpr, FuncItem, ListExpr, MemberExpr, RefExpr, TupleExpr

from ...knowledge.function_rows import Applies, Conversion
from ...knowledge.python_functions import OPERATORS
from ...libraries import known_function
from ...source.bindings import made_by
from ...source.parameters import parameters
from ...syntax.arguments import keyword_argument, unpacks
from ...syntax.literals import is_none
from ...syntax.names import callee_name, function_of
from .containers import Container, container_of
from .frame import Frame, PassedValues
from .items import operation
from .joining import element, join
from .results import has_plain_body, result_of_body
from .values import Items, Traced, Value, present

_MANY: Final = 2  # items, of which a function that orders them compares some
_COMPARING: Final = ("==", "!=", "<", "<=", ">", ">=")


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


def reduced(call: CallExpr, values: Sequence[Value], frame: Frame) -> Value:
    """What `reduce(f, xs)` or `reduce(f, xs, first)` returns, `f` a function of the file, or `operator.add`."""
    if any(call.arg_names) or unpacks(call) or len(values) < _MANY:
        return None
    whole = present(values[1])
    first = values[_MANY] if len(values) > _MANY else element(whole)
    if isinstance(whole, Items) and len(whole.values) < _MANY:
        return None
    function, following = call.args[0], element(whole)
    if isinstance(function, RefExpr) and function.fullname in OPERATORS:
        return operation(OPERATORS[function.fullname], first, following)
    if (named := function_of(function)) is None or not has_plain_body(named, frame.walk.file):
        return None
    made = result_of_body(named, _by_name(named, [first, following]), frame)
    return join(made, result_of_body(named, _by_name(named, [made, following]), frame))


def record_ordered(call: CallExpr, base: Value, values: Sequence[Value], frame: Frame) -> None:
    """Records what `sorted(xs, key=f)`, `max(a, b, key=f)` and `xs.sort(key=f)` compare.

    `base`: the object whose method is called.
    """
    key, is_sort = keyword_argument(call, "key"), _sorts(call, base, frame)
    if unpacks(call) or not (is_sort or known_function(callee_name(call)).converts is Conversion.ORDER):
        return
    given = [value for value, name in zip(values, call.arg_names, strict=True) if name is None]
    whole = present(base if is_sort else given[0] if len(given) == 1 else Items(tuple(given)))
    if isinstance(whole, Items) and len(whole.values) < _MANY:
        return
    if key is None or is_none(key):
        frame.needs_concrete(call, "sort", element(whole) if is_sort else None)
    elif (function := function_of(key)) is not None and has_plain_body(function, frame.walk.file):
        passed = _by_name(function, [element(whole)])
        if function in frame.walk.nested:
            frame.walk.record_use(function, key, PassedValues(passed, frame.staged))
        frame.needs_concrete(call, "ordering-key", _compared_first(result_of_body(function, passed, frame)))


def _sorts(call: CallExpr, base: Value, frame: Frame) -> bool:
    """Whether this is the method of a list."""
    callee = call.callee
    if not isinstance(callee, MemberExpr) or callee.name != "sort" or isinstance(base, Traced):
        return False
    return container_of(callee.expr, base, frame.walk.file) is Container.LISTED


def _compared_first(value: Value) -> Value:
    """What comparing with a value asks first: of a tuple, its first item."""
    return value.values[0] if isinstance(value, Items) and value.values else value


def record_compared(node: ComparisonExpr, values: Sequence[Value], frame: Frame) -> None:
    """Records `(x, y) == (0, 0)`: comparing tuples or lists needs the truth of comparing their first items."""
    if len(values) != 2 or node.operators[0] not in _COMPARING:
        return
    left, right = values
    if not isinstance(left, Items) or not isinstance(right, Items) or not 0 < len(left.values) == len(right.values):
        return
    made = {type(made_by(operand, frame.walk.file)) for operand in node.operands}
    if {ListExpr, TupleExpr} <= made:
        return  # a list and a tuple are never equal
    one, other = left.values[0], right.values[0]
    if one != other:  # else perhaps the same object, which is equal to itself
        frame.needs_concrete(node, "compared-items", one if isinstance(one, Traced) else other)


def _accumulated(function: FuncItem, elements: Sequence[Value], frame: Frame) -> Mapping[str, Value]:
    """What `reduce` passes: the first item, and then what the function made of it."""
    if len(elements) != 1:
        return {}
    first = _by_name(function, [elements[0], elements[0]])
    return _by_name(function, [join(elements[0], result_of_body(function, first, frame)), elements[0]])


def _by_name(function: FuncItem, values: Sequence[Value]) -> dict[str, Value]:
    names = (parameter.name for parameter in parameters(function) if not parameter.is_star)
    return dict(zip(names, values, strict=False))
