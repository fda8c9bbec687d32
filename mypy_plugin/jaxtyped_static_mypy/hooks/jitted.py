"""Handles what a jit call compiles: runs the checks of it, and gives mypy the type of the jitted callable."""

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import Final

from mypy.nodes import (
    ARG_NAMED,
    ARG_NAMED_OPT,
    ARG_OPT,
    ARG_POS,
    Decorator,
    Expression,
    FuncDef,
    MemberExpr,
    RefExpr,
    TypeInfo,
)
from mypy.plugin import FunctionContext
from mypy.types import CallableType, Type

from ..classes.class_model import is_pytree
from ..classes.reasons import Fault
from ..compat import mypy_api
from ..flow.fresh import reader_at
from ..flow.rebound import type_bound_last
from ..jit.application import Application, JitCall
from ..jit.signatures import called_signatures, decorated_arguments
from ..jit.sites import JitSite
from ..libraries import jit_function
from ..markers.marker import Marker, is_signed, marker_of
from ..reach.compiled import CompiledFunction, compiled_function, with_unknown_lists
from ..reporting.contract import check_position
from ..reporting.jit_sites import site_of_call
from ..reporting.positions import NO_ARRAY, STATIC_ARGUMENT, Position
from ..rules._bound_methods import is_stand_in
from ..rules._static_or_traced import objects_without_arrays
from ..rules.checks import CONTRACT_RULES
from ..rules.jit_argnames import check_items, check_lists
from ..rules.jit_bound_method import check_bound_method
from ..rules.jit_retrace import check_retrace
from ..rules.jit_self import check_self
from ..rules.jit_untraceable import check_traceable
from ..rules.static_dynamic import MAKE_MODULE, traced_instead
from ..rules.static_hash import check_function
from ..rules.static_marker import check_parameters
from ..rules.static_unverified import check_hidden
from ..source.checked_file import CheckedFile
from ..syntax.describing import describe
from ..syntax.partials import is_open_partial, names_bound
from ..syntax.stand_ins import stands_in
from .bodies import check_bodies
from .jitted_types import first_argument, jitted_type

_OPTIONAL: Final = {ARG_POS: ARG_OPT, ARG_NAMED: ARG_NAMED_OPT}


class KnownCalls(Enum):
    """What is known of how JAX calls a function."""

    NOTHING = auto()  # a static list does not fit it
    STATIC = auto()  # which parameters are static; a decorator below passes it other arguments
    ALL = auto()  # and its other parameters get what JAX traces


def apply_site(ctx: FunctionContext, site: JitSite, file: CheckedFile) -> Type:
    """Called where a jit call compiles a function: checks it, and returns the type of the jitted callable."""
    argument, row = function_argument(ctx), jit_function(site.function, file.settings.jit_functions)
    if argument is None or row is None:
        return ctx.default_return_type
    expression, typ = argument
    typ = type_bound_last(expression, typ, reader_at(file))
    call = JitCall(ctx.context, expression, site, row, file)
    check_bodies(ctx.context, file)
    if mypy_api.errors_are_hidden(file.api):
        return jitted_type(ctx, _applications(call, typ))
    below = compiled_function(call, typ)
    call = call if below.shows_parameters else call._replace(site=with_unknown_lists(site))
    if below.hidden_by is not None:
        check_hidden(call, below.hidden_by)
    applications = _applications(call, below.type)
    if _stands_in(call):
        check_items(call, below.type)
    else:
        known = _check_call(call, below)
        for application in applications:
            _check_application(application, known, is_overloaded=len(applications) > 1)
    if below.is_rewritten and below.type is not typ:
        return ctx.default_return_type  # callers may pass more than the function takes, or less
    return jitted_type(ctx, [_optional(found) for found in applications] if below.is_filled else applications)


def _optional(application: Application) -> Application:
    """Of which callers may leave out any argument."""
    signature = application.signature
    kinds = [_OPTIONAL.get(kind, kind) for kind in signature.arg_kinds]
    return application._replace(signature=signature.copy_modified(arg_kinds=kinds))


def _stands_in(call: JitCall) -> bool:
    """Whether a method that nobody signed for only stands for those of subclasses."""
    function = call.function
    if function is None or not function.info or call.row.reads_markers:
        return False
    return stands_in(function)


def function_argument(ctx: FunctionContext) -> tuple[Expression, Type] | None:
    """The function to compile: the first argument, or the one called `fun`; None for a call that has none."""
    first = first_argument(ctx)
    return first if first is not None and ctx.arg_names[0][0] in (None, "fun", "f") else None


def _applications(call: JitCall, typ: Type) -> Sequence[Application]:
    """One for each signature of the function; none if that is unknown."""
    signatures = [] if is_open_partial(call.expression) else called_signatures(typ, call.context)
    return [
        Application(
            call,
            signature,
            _static_indices(call, signature),
            decorated_arguments(call.context, call.expression, signature),
        )
        for signature in signatures
    ]


def _static_indices(call: JitCall, signature: CallableType) -> list[int]:
    """The static parameters: those that are listed and, if the jit function reads markers, those that are marked."""
    indices = set(call.site.static_parameters(signature))
    if call.row.reads_markers:
        marked = (marker_of(typ, call.file.settings.static_markers) for typ in signature.arg_types)
        indices |= {index for index, marker in enumerate(marked) if marker is Marker.STATIC}
    if call.row.filters:
        indices |= objects_without_arrays(call, signature)
    return sorted(indices)


def _check_call(call: JitCall, below: CompiledFunction) -> KnownCalls:
    """Checks what does not depend on the signature."""
    if call.row.compiles and not (check_bound_method(call) or check_function(call)):
        check_retrace(call)
    if is_stand_in(call.expression, call.file) or not check_lists(call, below.type):
        return KnownCalls.NOTHING
    return KnownCalls.STATIC if below.is_rewritten else KnownCalls.ALL


def _check_application(application: Application, known: KnownCalls, *, is_overloaded: bool) -> None:
    """Checks one signature. Another overload may accept what this one cannot, so of those it checks only `self`."""
    if known is not KnownCalls.NOTHING:
        check_self(application)
    if is_overloaded:
        return
    row = application.call.row
    for position in _static_positions(application):
        check_position(position, CONTRACT_RULES, application.call.file, keep=None if row.is_key else _is_leaf)
    is_read = not row.reads_markers or check_parameters(application)
    if known is KnownCalls.ALL and is_read:
        check_traceable(application)


def _is_leaf(fault: Fault) -> bool:
    """Whether JAX sees a part of a value that is no key: it looks for tracers among its leaves."""
    return fault.holder is None or is_pytree(fault.holder)


def _static_positions(application: Application) -> Iterator[Position]:
    """Leaves out what a `partial` binds: JAX looks only at what a call passes."""
    signature, arguments, row = application.signature, application.arguments, application.call.row
    markers = application.call.file.settings.static_markers
    bound = names_bound(application.call.expression)
    site = site_of_call(application.call) if application.static else None
    for index in application.static:
        if signature.arg_names[index] in bound:
            continue
        name = arguments[index].variable.name if arguments else signature.arg_names[index] or str(index)
        place = arguments[index] if arguments else application.call.context
        typ = signature.arg_types[index]
        undo = traced_instead(application, index) if not row.filters else (MAKE_MODULE.knowing(cls=describe(typ)),)
        signed = row.reads_markers or is_signed(typ, markers)
        yield Position(
            place,
            NO_ARRAY if row.filters else STATIC_ARGUMENT,
            name,
            typ,
            undo=undo,
            is_key=row.is_key,
            site=site,
            is_signed=signed,
            function=application.call.function,
            compiled=application.call.compiled,
            method=_method_compiled(application.call.expression) if index == 0 else "",
            keys=tuple(_keys_beside(index, application)),
        )


def _keys_beside(index: int, application: Application) -> Iterator[str]:
    """The other static parameters, as a call counts them: that of a method gives no object."""
    function = application.call.function
    shift = int(function is not None and bool(function.info) and not function.is_static)
    for other in application.static:
        if other not in (index, shift - 1):
            yield f"{other - shift}:{application.signature.arg_names[other] or ''}"


def _method_compiled(node: Expression) -> str:
    """The method in `jit(Trainer.step)`."""
    cls = node.expr.node if isinstance(node, MemberExpr) and isinstance(node.expr, RefExpr) else None
    symbol = cls.get(node.name) if isinstance(node, MemberExpr) and isinstance(cls, TypeInfo) else None
    method = symbol.node if symbol is not None else None
    function = method.func if isinstance(method, Decorator) else method
    return function.name if isinstance(function, FuncDef) and not function.is_static else ""
