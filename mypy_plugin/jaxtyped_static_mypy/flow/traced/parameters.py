"""What the uses of a function pass for each of its parameters."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Final

from mypy.nodes import CallExpr, FuncItem
from mypy.types import AnyType, Type, TypeOfAny
from mypy.typevars import fill_typevars_with_any

from ...reach.applied import applied_in
from ...reach.description import reach_of
from ...reach.made_functions import made_functions
from ...reach.traced_calls import TracedCall
from ...source.checked_file import CheckedFile
from ...source.parameters import Parameter, described, parameters
from ...syntax.arguments import named_arguments, unpacks
from ...syntax.trees import self_parameter
from ..declared_types import says_nothing
from .declared import declared_value
from .displayed import with_structure
from .flags import common_flags, kept_flags, passed_flags
from .frame import PassedValues
from .given import Given, class_given, given_values, given_when_compiled
from .joining import joined
from .overridden import is_had_by_made, is_self_method
from .unread import is_array_by_name, is_surely_array, says_scalar, type_to_read
from .values import Each, Entries, Source, Traced, Value, array_from, as_refs

NO_USE: Final = PassedValues({}, staged=False)
_MAX_SEPARATE: Final = 4  # uses of one function that trace different parameters


def traced_values(
    function: FuncItem,
    traced: TracedCall,
    file: CheckedFile,
    given: Mapping[str, Given] | None = None,
    *,
    staged: bool = False,
) -> dict[str, Value]:
    """The values that a transformation passes. Leaves out parameters that may not be passed.

    `given`: those that are passed in some call.
    """
    if staged:
        traced = traced._replace(keeps_values=False)
    values: dict[str, Value] = {}
    for parameter in parameters(function):
        may_be_left_out = parameter.has_default or traced.may_be_filled
        is_passed = not may_be_left_out or traced.fills_defaults or parameter.name in (given or {})
        if is_passed and traced.traces(parameter.position, parameter.name):
            shown = (given or {}).get(parameter.name, Given.ANYTHING)
            value = _traced_value(function, parameter, traced, file)
            if value is None and shown is Given.ARRAY and says_nothing(parameter.type, file.settings):
                value = array_from(source_of(function, parameter.name, parameter.type, traced))
            values[parameter.name] = _unless_number(value, function, parameter, shown)
    return values | _single(values, given or {})


def _unless_number(value: Value, function: FuncItem, parameter: Parameter, given: Given) -> Value:
    """Where only arrays are traced, an annotation makes no array of a number that a call passes.

    One for an array without dimensions is written for both: `n: Int[Array, ""]`.
    """
    if not isinstance(value, Traced) or not value.source.arrays_only or given is Given.ARRAY:
        return value
    if given is Given.NUMBER:
        return None
    is_scalar = says_scalar(function.arguments[parameter.position].type_annotation)
    return replace(value, source=replace(value.source, may_be_number=True)) if is_scalar else value


def _single(values: Mapping[str, Value], given: Mapping[str, Given]) -> dict[str, Value]:
    """Those that pass for a tree because no type is declared, although a call passes a number or an array."""
    return {
        name: replace(value, source=_of_one(value.source, given[name]))
        for name, value in values.items()
        if isinstance(value, Traced) and given.get(name, Given.ANYTHING) is not Given.ANYTHING
    }


def _of_one(source: Source, given: Given) -> Source:
    return replace(source, may_be_tree=False, is_array=source.is_array or given is Given.ARRAY)


def _traced_value(function: FuncItem, parameter: Parameter, traced: TracedCall, file: CheckedFile) -> Value:
    source = source_of(function, parameter.name, parameter.type, traced)
    if traced.is_later:  # the count of the steps
        value: Value = array_from(source)
    elif is_array_by_name(function, parameter, file):
        value = Traced(replace(source, is_array=True))
    else:
        value = declared_value(_type_of(function, parameter, file), source, file.settings)
    if isinstance(value, Traced) and _is_no_tree(function, parameter, traced, file):
        value = array_from(value.source)
    value = as_refs(value) if traced.gives_refs else value
    if value is not None and parameter.is_star:
        return Each(value)
    return Entries(other=value) if parameter.is_star2 else value


def _type_of(function: FuncItem, parameter: Parameter, file: CheckedFile) -> Type:
    """The declared type; where there is none, that of the objects which the calls of the file make."""
    typ = type_to_read(function, parameter, file)
    unknown = isinstance(typ, AnyType) and typ.type_of_any == TypeOfAny.unannotated
    info = class_given(file, function, parameter.name) if unknown else None
    return fill_typevars_with_any(info) if info is not None else typ


def _is_no_tree(function: FuncItem, parameter: Parameter, traced: TracedCall, file: CheckedFile) -> bool:
    return traced.number == parameter.position or is_surely_array(function, parameter, file)


def source_of(function: FuncItem, name: str, declared: Type, traced: TracedCall) -> Source:
    """The source of what a transformation passes for a parameter."""
    if traced.transformation is None:
        return Source(f'the dynamic parameter "{name}" of {described(function)}', name, declared=declared)
    text = f'the parameter "{name}" of {described(function)}, which {traced.transformation} traces'
    return Source(text, has_value=traced.keeps_values, arrays_only=traced.arrays_only)


def passed_values(
    function: FuncItem, call: CallExpr, values: Sequence[Value], bound: str | None = None
) -> dict[str, Value]:
    """What a call passes for each parameter; nothing is known if the call unpacks any argument.

    `bound`: the parameter that the object itself fills.
    """
    if unpacks(call):
        return {}
    single = (
        parameter.name
        for parameter in parameters(function)
        if parameter.name != bound and not parameter.is_star and not parameter.is_star2
    )
    value_of = dict(zip(call.args, values, strict=True))
    return {name: value_of[argument] for name, argument in named_arguments(call, single).items()}


def common_use(function: FuncItem, uses: Sequence[PassedValues]) -> PassedValues:
    """Joins several uses of a function."""
    names = [parameter.name for parameter in parameters(function)]
    values = {name: joined(tuple(use.values.get(name) for use in uses)) for name in names}
    flags = reduce(common_flags, [use.flags for use in uses])
    captured = reduce(common_flags, [use.captured for use in uses])
    return PassedValues(values, all(use.staged for use in uses), flags=flags, captured=captured)


def outermost_use(function: FuncItem, file: CheckedFile) -> PassedValues:
    """The use of an undecorated outermost function that is passed to JAX."""
    given = given_when_compiled(file, function, None)
    uses = [_passed_by(call, traced, function, file, given) for call, traced in _handed_over(function, file)]
    return _whole_or_partial(common_use(function, uses), function, file) if uses else NO_USE


def separate_uses(function: FuncItem, file: CheckedFile) -> list[PassedValues]:
    """What each call passes, if they trace different parameters: `jit(f)` beside `jit(f, static_argnums=1)`."""
    handed = _handed_over(function, file)
    if len(handed) == 1:
        return []
    uses = [_passed_by(*one, function, file, given_when_compiled(file, function, one[0])) for one in handed]
    traced = {frozenset(name for name, value in use.values.items() if value is not None): use for use in uses}
    separate = list(traced.values()) if len(traced) > 1 else []
    return [_whole_or_partial(use, function, file) for use in separate[:_MAX_SEPARATE]]


def _handed_over(function: FuncItem, file: CheckedFile) -> list[tuple[CallExpr, TracedCall]]:
    reach = reach_of(file, function)
    handed = reach.uses.handing_over or reach.uses.handed_over
    if any(is_self_method(traced.function) for _, traced in handed) and not is_had_by_made(file, function):
        return [(call, traced) for call, traced in handed if not is_self_method(traced.function)]
    return handed


def _passed_by(
    call: CallExpr, traced: TracedCall, function: FuncItem, file: CheckedFile, given: Mapping[str, Given]
) -> PassedValues:
    values = with_structure(traced_values(function, traced, file, given), function, traced, call, file)
    return PassedValues(values, traced.stages)


def _whole_or_partial(use: PassedValues, function: FuncItem, file: CheckedFile) -> PassedValues:
    return use if reach_of(file, function).traced else partial_use(use)


def kept_values(function: FuncItem, file: CheckedFile) -> Iterator[dict[str, Value]]:
    """What is passed to a nested function which another one returns, where a library keeps that: `optax.adam(f())`."""
    for _, traced in applied_in(file).get(function, ()):
        if traced.is_later:
            yield traced_values(function, traced, file)


def uses_of_made(function: FuncItem, file: CheckedFile) -> Iterator[PassedValues]:
    """What is passed to a nested function where the file hands it to JAX, after a call of the one that makes it."""
    for made in made_functions(file).get(function, ()):
        own = self_parameter(made.maker)
        flags = passed_flags(made.maker, made.making, {}, bound=own.name if own is not None else None)
        values = traced_values(function, made.traced, file)
        yield PassedValues(values, made.traced.stages, by_jax=True, captured=kept_flags(made.maker, flags))


def partial_use(use: PassedValues) -> PassedValues:
    """The use of a function that is called otherwise, too: then its code is not always staged."""
    return replace(use, staged=False, is_partial=True, flags={})


def decorated_use(function: FuncItem, file: CheckedFile, also: Sequence[str] = ()) -> PassedValues:
    """The use of a decorated function, by its known transformations. `also`: what some call gives besides."""
    values: dict[str, Value] = {}
    staged = False
    given = {**dict.fromkeys(also, Given.NUMBER), **given_values(file, function)}
    for traced in reach_of(file, function).transformations:
        passed = traced_values(function, traced, file, given)
        # What an inner compiler traces has no value, whatever is differentiated outside.
        values = passed | values if staged and traced.keeps_values else values | passed
        staged = staged or traced.stages
    return PassedValues(values, staged)
