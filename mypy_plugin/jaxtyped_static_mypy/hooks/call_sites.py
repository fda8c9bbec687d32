"""Checks calls that pass static values: to jitted functions, to constructors, and to `dataclasses.replace`.

The declared type of a static position is judged at its declaration. Here each argument is judged by its own type.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from mypy.errorcodes import ARG_TYPE
from mypy.nodes import ARG_STAR, ARG_STAR2, CallExpr, Expression, RefExpr, TypeInfo
from mypy.plugin import CheckerPluginInterface, FunctionContext
from mypy.types import AnyType, CallableType, Instance, Overloaded, ProperType, Type, UnionType, get_proper_type
from mypy.typevars import fill_typevars_with_any

from ..classes import class_model
from ..classes.class_model import type_of_field
from ..classes.constructors import parameters_passed_on, passed_on_by_maker, static_parameters
from ..classes.registering import verifies_values
from ..classes.signing import is_signed_field
from ..compat import mypy_api
from ..compat.dependencies import record_dependency
from ..config.settings import Settings
from ..facts.constructor_facts import PassedOn
from ..flow.elements import type_of_call, type_of_element
from ..flow.fresh import is_plain, reader_at, type_as_declared
from ..flow.made import MadeValue, type_made, type_of_nested, values_made
from ..flow.rebound import type_bound_last, types_bound
from ..flow.unpacked import unpacked_items
from ..jit.generic_parameters import types_as_written
from ..jit.signatures import function_name, is_jitted
from ..libraries import COMPILED_BY_LISTS, COMPILED_TYPES
from ..markers.marker import Marker, marker_of, without_marker
from ..reporting.contract import ValuePart, check_part, check_value
from ..reporting.contradicted import record_another
from ..reporting.positions import STATIC_ARGUMENT, STATIC_FIELD, Position
from ..rules import CODES
from ..rules._bound_methods import hashed_object
from ..rules._call_forms import check_call_form
from ..rules._changed_in_place import check_changed_in_place
from ..rules._changing_arguments import check_changing
from ..rules._changing_fields import check_changing_parts
from ..rules._changing_shapes import check_changing_shape
from ..rules._compiled_arguments import check_arguments
from ..rules._dynamic_arguments import check_dynamic_arguments
from ..rules._new_objects import check_new_object, check_new_part
from ..rules._new_partials import check_new_in_partial
from ..rules._replaced_fields import check_replaced
from ..rules._traceable_arguments import record_traceable
from ..rules._weak_carries import check_weak_carry
from ..rules.checks import CONTRACT_RULES
from ..rules.static_callable import check_callable
from ..rules.static_dynamic import number_instead
from ..rules.static_traced import check_argument
from ..source.checked_file import CheckedFile
from ..syntax.trees import covers


class StaticParameter(NamedTuple):
    """A static parameter of a function, or a static field that a constructor's parameter sets."""

    label: str  # as `Position` has it
    name: str
    type: Type | None
    owner: str
    is_hashed_by_id: bool = False  # by a field option
    is_hashed: bool = True  # as `Position` has it
    is_verified: bool = False  # as `Position` has it
    is_signed: bool = False  # as `Position` has it
    called: str = ""  # as `Position` has it
    holder: TypeInfo | None = None  # as `Position` has it

    def position(self, argument: Expression, typ: Type) -> Position:
        return Position(
            argument,
            self.label,
            self.name,
            self.type or typ,
            self.owner,
            self.called,
            is_hashed=self.is_hashed,
            is_verified=self.is_verified,
            is_signed=self.is_signed,
            holder=self.holder,
            undo=number_instead(self.name, self.type) if self.label == STATIC_ARGUMENT else (),
        )


class StaticArgument(NamedTuple):
    """An argument in a static position, with its own type."""

    expression: Expression
    type: Type
    parameter: StaticParameter
    key: str | None = None  # of the value, in a dict that the call unpacks


def check_jitted_call(ctx: FunctionContext, file: CheckedFile, fullname: str) -> None:
    """`step(x, solver)`: checks the arguments of static parameters, and those that could not be traced."""
    signature = _called_signature(ctx)
    check_dynamic_arguments(ctx, signature, file, CODES["jit-untraceable"])
    if signature is None:
        return
    record_traceable(ctx, signature, file, CODES["jit-untraceable"])
    _check(_jitted_call_arguments(ctx, file, signature), ctx, file)
    if isinstance(ctx.context, CallExpr) and signature.fallback.type.fullname in COMPILED_TYPES:
        check_arguments(ctx.context, signature, file)
        check_call_form(ctx.context, signature, file)
        check_weak_carry(ctx.context, signature, file)
        for argument, typ in zip(chain(*ctx.args), chain(*ctx.arg_types), strict=True):
            check_changing_parts(argument, typ, ctx.context, file)
        for declared, name, arguments in zip(signature.arg_types, signature.arg_names, ctx.args, strict=False):
            if marker_of(declared, file.settings.static_markers) is not Marker.STATIC:
                for argument in arguments:
                    check_changing_shape(argument, ctx.context, file)
                    check_new_in_partial(name or "", argument, ctx.context, file)


def check_constructor(ctx: FunctionContext, file: CheckedFile, fullname: str) -> None:
    """`Config(...)`: checks arguments that set static fields of a pytree, or fields of a static class."""
    _check(_arguments_by_name(ctx, _fields_made(ctx, file)), ctx, file)


def check_replace(ctx: FunctionContext, file: CheckedFile, fullname: str) -> None:
    """`dataclasses.replace(config, ...)` and the like: checks the keyword arguments, as those of a constructor."""
    if isinstance(ctx.context, CallExpr):
        check_replaced(ctx.context, ctx.default_return_type, fullname, file)
    _check(_arguments_by_name(ctx, _fields_made(ctx, file), is_positional=False), ctx, file)


def check_maker(ctx: FunctionContext, file: CheckedFile, fullname: str) -> None:
    """`State.create(...)`: checks the arguments that a class method passes on to the constructor."""
    owner, _, method = fullname.rpartition(".")
    info = mypy_api.node_named(owner, file.modules)
    if isinstance(info, TypeInfo):
        record_dependency(file.api, class_model.user_bases(info))
        if (passed_on := passed_on_by_maker(info, method)) is not None:
            _check(_maker_arguments(ctx, file, info, passed_on), ctx, file)


def _check(arguments: Iterable[StaticArgument], ctx: FunctionContext, file: CheckedFile) -> None:
    for argument in arguments:
        _check_argument(argument, ctx, file)


def _check_argument(argument: StaticArgument, ctx: FunctionContext, file: CheckedFile) -> None:
    place, parameter = argument.expression, argument.parameter
    found = _value(argument, file)
    if found is None:
        return
    expression, typ = found
    position = parameter.position(place, typ)
    if check_argument(expression, position, file) or parameter.is_hashed_by_id:
        return
    check_value(position, typ, CONTRACT_RULES, file, is_seen_by_mypy=typ is argument.type)
    if position.is_hashed and (owner := hashed_object(expression, file)) is not None:
        check_value(position._replace(type=mypy_api.any_type()), owner, CONTRACT_RULES, file)
    check_callable(position, expression, typ, place, file)
    is_unsure = typ is not argument.type and isinstance(get_proper_type(typ), AnyType)
    if not is_unsure:
        _check_made(position, expression, typ, file)
    is_rebound = isinstance(get_proper_type(typ), AnyType)
    of_binding = argument.type if is_rebound else typ  # what mypy says is the type of one of its bindings
    if position.is_argument and isinstance(ctx.context, CallExpr):
        types = chain((of_binding,), types_bound(expression, reader_at(file)))
        record_another(position, types, ctx.context, CONTRACT_RULES, file)
    if position.is_argument and expression is place:
        check_changed_in_place(position, expression, typ, file)
        if not check_changing(position, expression, of_binding, parameter.type, ctx.context, file):
            check_new_object(position, expression, ctx.context, file)
    elif position.holder is not None:
        check_new_part(position, expression, ctx.context, file)


def _value(argument: StaticArgument, file: CheckedFile) -> tuple[Expression, Type] | None:
    """The value that an argument stands for; None if a call unpacks what the file does not show."""
    if argument.key is None:
        reader = reader_at(file)
        typ = type_bound_last(argument.expression, argument.type, reader)
        element = type_of_element(argument.expression, typ, reader)
        made = type_of_call(argument.expression, element, reader)
        return argument.expression, type_of_nested(argument.expression, made, file.api)
    item = unpacked_items(file, argument.expression).get(argument.key)
    return (item, _type_of_item(item, file.api)) if item is not None else None


def _type_of_item(item: Expression, api: CheckerPluginInterface) -> Type:
    """The type of a value that may stand outside of the function being checked."""
    function = mypy_api.outermost_function(api)
    is_checked = function is None or covers(function, item.line)
    inferred = mypy_api.type_of_expression(api, item) if is_checked else None
    return inferred or type_made(item, api) or type_as_declared(item) or mypy_api.any_type()


def _jitted_call_arguments(
    ctx: FunctionContext, file: CheckedFile, signature: CallableType
) -> Iterator[StaticArgument]:
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    called = callee.fullname if isinstance(callee, RefExpr) else ""
    is_signed = signature.fallback.type.fullname not in COMPILED_BY_LISTS
    written = types_as_written(ctx, signature)
    for index, declared in enumerate(signature.arg_types):
        if marker_of(declared, file.settings.static_markers) is Marker.STATIC:
            name = signature.arg_names[index] or str(index)
            parameter = StaticParameter(
                STATIC_ARGUMENT,
                name,
                written.get(name, without_marker(declared)),
                function_name(signature),
                is_signed=is_signed,
                called=called,
            )
            yield from _arguments_of(ctx, index, parameter)


def _called_signature(ctx: FunctionContext) -> CallableType | None:
    """The bound signature that is called; of an overloaded function, the one that mypy chose."""
    called = mypy_api.type_of_callee(ctx)
    items: list[ProperType] = list(called.items) if isinstance(called, Overloaded) else [called] if called else []
    fitting = (item for item in items if isinstance(item, CallableType) and item.arg_names == ctx.callee_arg_names)
    return next((item for item in fitting if is_jitted(item)), None)


def _maker_arguments(
    ctx: FunctionContext, file: CheckedFile, info: TypeInfo, passed_on: PassedOn
) -> Iterator[StaticArgument]:
    made = get_proper_type(ctx.default_return_type)
    if not isinstance(made, Instance) or made.type is not info:
        made = fill_typevars_with_any(info)
    fields = _fields_of(made, file.settings)
    own = parameters_passed_on(passed_on, info, fields)
    yield from _arguments_by_name(ctx, {own[name]: field for name, field in fields.items() if name in own})


def _fields_made(ctx: FunctionContext, file: CheckedFile) -> dict[str, StaticParameter]:
    return _fields_of(get_proper_type(ctx.default_return_type), file.settings)


def _fields_of(made: ProperType, settings: Settings) -> dict[str, StaticParameter]:
    """The static fields of a new object, by the names of the parameters that set them."""
    if not isinstance(made, Instance) or not (fields := static_parameters(made.type, settings)):
        return {}
    is_hashed = class_model.hashes_static_fields(made.type, settings.static_bases)
    is_verified = verifies_values(made.type)
    return {
        name: StaticParameter(
            STATIC_FIELD,
            field.name,
            type_of_field(field, made),
            made.type.name,
            field.is_hashed_by_id,
            is_hashed,
            is_verified,
            is_signed_field(made.type, field, settings),
            holder=made.type,
        )
        for name, field in fields.items()
    }


def _arguments_by_name(
    ctx: FunctionContext, fields: Mapping[str, StaticParameter], *, is_positional: bool = True
) -> Iterator[StaticArgument]:
    """The arguments for these parameters, by their names or by those under which `**options` takes them."""
    formal = zip(ctx.callee_arg_names, ctx.arg_names, ctx.args, ctx.arg_types, ctx.arg_kinds, strict=False)
    for parameter, *passed in formal:
        for given, expression, typ, kind in zip(*passed, strict=True):
            name = given or (parameter if is_positional or kind.is_star() else None)
            if name is not None and name in fields and kind is not ARG_STAR:
                yield StaticArgument(expression, typ, fields[name], name if kind is ARG_STAR2 else None)


def _arguments_of(ctx: FunctionContext, index: int, parameter: StaticParameter) -> Iterator[StaticArgument]:
    """The arguments passed for one parameter."""
    for expression, typ, kind in zip(ctx.args[index], ctx.arg_types[index], ctx.arg_kinds[index], strict=True):
        if kind is not ARG_STAR:
            yield StaticArgument(expression, typ, parameter, parameter.name if kind is ARG_STAR2 else None)


def _check_made(position: Position, expression: Expression, typ: Type, file: CheckedFile) -> None:
    """Reports the first part of a value that breaks the contract although its declared type does not show it.

    `Mlp([4, 1])` holds a list, although its field is declared `Sequence[int]`, and JAX hashes it with the object.
    """
    if not position.is_hashed or is_plain(typ):
        return
    for value in values_made(expression, reader_at(file)):
        if value.expression is expression:
            continue
        made = type_made(value.expression, file.api) or _rejected(value, file)
        if made is None:
            continue
        part = ValuePart(value.path, made, value.declared, value.expression.line)
        if check_part(position, typ, part, CONTRACT_RULES, file):
            return


def _rejected(value: MadeValue, file: CheckedFile) -> Type | None:
    """The type of a value that mypy rejects for the field that holds it, with an error that users do not see."""
    if value.declared is None or file.settings.shows(ARG_TYPE.code, file.options):
        return None
    typ = mypy_api.type_of_expression(file.api, value.expression)
    is_single = typ is not None and not isinstance(typ, (AnyType, UnionType))
    return typ if typ is not None and is_single and not mypy_api.is_subtype(typ, value.declared) else None
