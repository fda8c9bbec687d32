"""What derivatives return: `jax.value_and_grad(f)(x)`, also by the name that the function it makes is bound to."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Decorator, Expression, FuncItem, NameExpr, Var

from ...jit.application import compiler_called
from ...knowledge.function_rows import Derives
from ...libraries import known_function
from ...source.bindings import only_value
from ...source.parameters import parameters
from ...syntax.arguments import argument, keyword_argument, unpacks
from ...syntax.decorators import applied
from ...syntax.literals import literal
from ...syntax.names import callee_name, function_of
from .frame import Frame
from .items import item
from .results import has_plain_body, result_of_body
from .values import CONTAINERS, Items, OrNone, Source, Traced, Tree, Value, computed, origin

_DIRECT: Final = (Derives.TANGENTS, Derives.PULLBACK)


class Derivative(NamedTuple):
    """One call that evaluates a derivative."""

    made: CallExpr  # names the function, and has the options
    function: FuncItem | None  # what is differentiated, if the file shows it
    kind: Derives
    primals: tuple[Value, ...]  # the values for its parameters

    @property
    def name(self) -> str:
        return callee_name(self.made).rpartition(".")[2]

    @property
    def has_aux(self) -> bool | None:
        """Whether auxiliary data is returned, too; None if the call does not show it."""
        given = keyword_argument(self.made, "has_aux")
        value = literal(given) if given is not None else False
        return value if isinstance(value, bool) and not unpacks(self.made) else None


def derivative_of(call: CallExpr, values: Sequence[Value], frame: Frame) -> Derivative | None:
    """The derivative that a call evaluates; None for any other call."""
    kind = known_function(callee_name(call)).derives
    if kind in _DIRECT and kind is not None:
        primals = _primals(call, values, kind)
        return Derivative(call, function_of(call.args[0]), kind, primals) if call.args else None
    made, function = _made(call.callee, frame)
    kind = known_function(callee_name(made)).derives if made is not None else None
    if made is None or kind is None or kind in _DIRECT:
        return None
    positional = tuple(values) if not unpacks(call) and not any(call.arg_names) else ()
    return Derivative(made, function, kind, positional)


def derived_value(derivative: Derivative, values: Sequence[Value], frame: Frame) -> Value:
    """What the call returns. While a program is staged, all that JAX computes is traced."""
    result = _result(derivative, frame)
    source = _source(derivative, values, result, frame)
    if source is None or derivative.has_aux is None:
        return None
    value, aux = (item(result, 0), item(result, 1)) if derivative.has_aux else (result, None)
    main = _main_value(derivative, value, source)
    if not derivative.has_aux:
        return main
    if derivative.kind is Derives.VALUE_AND_GRADIENT and isinstance(main, Items):
        loss, gradient = main.values
        return Items((Items((loss, aux)), gradient))
    return Items((*main.values, aux)) if derivative.kind in _DIRECT and isinstance(main, Items) else Items((main, aux))


def _main_value(derivative: Derivative, value: Value, source: Source) -> Value:
    """Without auxiliary data. What is differentiated by reverse mode for its gradient is a single number."""
    match derivative.kind:
        case Derives.GRADIENT:
            return _gradient(derivative, source)
        case Derives.VALUE_AND_GRADIENT:
            return Items((Traced(source), _gradient(derivative, source)))
        case Derives.JACOBIAN:
            is_array = all(_is_array(part) for part in (value, *derivative.primals[:1])) and bool(derivative.primals)
            return Traced(replace(source, may_be_tree=not is_array))
        case Derives.TANGENTS:
            return Items((value, Traced(replace(source, may_be_tree=not _is_array(value)))))
        case Derives.PULLBACK:
            return Items((value, None))


def _is_array(value: Value) -> bool:
    return isinstance(value, Traced) and not value.source.may_be_tree


def _gradient(derivative: Derivative, source: Source) -> Value:
    """Arrays in the structure of the arguments that `argnums` lists."""
    given = argument(derivative.made, 1, "argnums")
    numbers = literal(given) if given is not None else 0
    unknown = Traced(replace(source, may_be_tree=True))
    if isinstance(numbers, int):
        return _like(derivative.primals, numbers, unknown)
    if isinstance(numbers, list) and all(isinstance(number, int) for number in numbers):
        return Items(tuple(_like(derivative.primals, int(number), unknown) for number in numbers))
    return unknown


def _like(primals: Sequence[Value], number: int, unknown: Value) -> Value:
    value = primals[number] if 0 <= number < len(primals) else None
    return value if isinstance(value, (Traced, Tree, *CONTAINERS)) else unknown


def _primals(call: CallExpr, values: Sequence[Value], kind: Derives) -> tuple[Value, ...]:
    if unpacks(call):
        return ()
    if kind is Derives.TANGENTS:
        primals = values[1] if len(values) > 1 else None
        return primals.values if isinstance(primals, Items) else ()
    named = zip(call.arg_names, values, strict=True)
    return tuple(value for name, value in named if name is None)[1:]


def _made(callee: Expression, frame: Frame) -> tuple[CallExpr | None, FuncItem | None]:
    """The call that makes the function which is called, below any `jit`, and the function it is given."""
    if isinstance(callee, NameExpr) and isinstance(callee.node, Decorator):
        return _made_by_decorator(callee.node, frame)
    made = callee
    if isinstance(callee, NameExpr) and isinstance(callee.node, Var):
        made = only_value(callee.node, frame.walk.file) or callee
    while isinstance(made, CallExpr) and compiler_called(made, frame.walk.file) is not None and made.args:
        made = made.args[0]
    if not isinstance(made, CallExpr):
        return None, None
    return made, function_of(made.args[0]) if made.args else None


def _made_by_decorator(decorator: Decorator, frame: Frame) -> tuple[CallExpr | None, FuncItem | None]:
    """`@partial(jax.value_and_grad, has_aux=True)`, alone or among those that compile."""
    calls = [applied(node) for node in decorator.original_decorators]
    derived = [call for call in calls if known_function(callee_name(call)).derives is not None]
    others = [call for call in calls if call not in derived and compiler_called(call, frame.walk.file) is None]
    return (derived[0], decorator.func) if len(derived) == 1 and not others else (None, None)


def _result(derivative: Derivative, frame: Frame) -> Value:
    """What the differentiated function returns, if its body can be seen."""
    function = derivative.function
    if function is None or not has_plain_body(function, frame.walk.file):
        return None
    names = [parameter.name for parameter in parameters(function) if not parameter.is_star]
    return result_of_body(function, dict(zip(names, derivative.primals, strict=False)), frame)


def _source(derivative: Derivative, values: Sequence[Value], result: Value, frame: Frame) -> Source | None:
    """Why the result is traced. It is computed, so no parameter that becomes static makes it concrete."""
    found = next((source for value in values if (source := _source_in(value)) is not None), None)
    if found is None and frame.staged and not frame.concrete:
        found = frame.result_of(derivative.name)
    found = found or _source_in(result)
    return computed(found) if found is not None else None


def _source_in(value: Value) -> Source | None:
    if isinstance(value, OrNone):
        return _source_in(value.value)
    return value.source if isinstance(value, Tree) else origin(value)
