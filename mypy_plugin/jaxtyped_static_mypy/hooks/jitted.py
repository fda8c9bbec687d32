"""Handles what a jit call compiles: runs the checks of it, and gives mypy the type of the jitted callable."""

from collections.abc import Iterator, Sequence
from enum import Enum, auto

from mypy.nodes import Expression
from mypy.plugin import FunctionContext
from mypy.types import CallableType, Type

from ..compat import mypy_api
from ..config.settings import Settings
from ..jit.application import Application
from ..jit.signatures import called_signatures
from ..jit.sites import JitSite
from ..knowledge.function_rows import JitFunction
from ..markers.marker import Marker, marker_of
from ..reach.underneath import Underneath, underneath, without_lists
from ..reporting.contract import check_position
from ..reporting.jit_sites import site_of
from ..reporting.positions import STATIC_ARGUMENT, Position
from ..rules.checks import CONTRACT_RULES, TRACE_RULES
from ..rules.jit_argnames import check_lists
from ..rules.jit_bound_method import check_bound_method
from ..rules.jit_retrace import check_retrace
from ..rules.jit_self import check_self
from ..rules.jit_untraceable import check_traceable
from ..rules.static_dynamic import traced_instead
from ..rules.static_hash import check_function
from ..rules.static_marker import check_parameters
from ..rules.static_unverified import check_hidden
from ..syntax.partials import is_open_partial, names_bound
from .bodies import check_bodies
from .jitted_types import jitted_type


class KnownCalls(Enum):
    """What is known of how JAX calls a function."""

    NOTHING = auto()  # a static list does not fit it
    STATIC = auto()  # which parameters are static; a decorator below passes it other arguments
    ALL = auto()  # and its other parameters get what JAX traces


def apply_site(ctx: FunctionContext, site: JitSite, row: JitFunction, settings: Settings) -> Type:
    """Called where a jit call compiles a function: checks it, and returns the type of the jitted callable."""
    argument = compiled_function(ctx)
    if argument is None:
        return ctx.default_return_type
    check_bodies(ctx, settings)
    expression, typ = argument
    if mypy_api.errors_are_hidden(ctx.api):
        return jitted_type(ctx, _applications(ctx, expression, typ, site, row, settings), settings)
    below = underneath(ctx, expression, typ, settings)
    site = site if below.shows_parameters else without_lists(site)
    if below.hidden_by is not None:
        check_hidden(ctx, below.hidden_by, settings)
    calls = _check_call(ctx, expression, below, site, row, settings)
    applications = _applications(ctx, expression, below.type, site, row, settings)
    for application in applications:
        _check_application(ctx, application, calls, settings, is_overloaded=len(applications) > 1)
    if below.is_rewritten and below.type is not typ:
        return ctx.default_return_type  # callers may pass more than the function takes, or less
    return jitted_type(ctx, applications, settings)


def compiled_function(ctx: FunctionContext) -> tuple[Expression, Type] | None:
    """The function to compile: the first argument, or the one called `fun`; None for a call that has none."""
    if not ctx.args or not ctx.args[0] or ctx.arg_names[0][0] not in (None, "fun", "f"):
        return None
    return ctx.args[0][0], ctx.arg_types[0][0]


def _applications(
    ctx: FunctionContext, expression: Expression, typ: Type, site: JitSite, row: JitFunction, settings: Settings
) -> Sequence[Application]:
    """One for each signature of the function; none if that is unknown."""
    signatures = [] if is_open_partial(expression) else called_signatures(typ, ctx.context)
    return [
        Application(ctx.context, expression, signature, _static_indices(signature, site, row, settings), site, row)
        for signature in signatures
    ]


def _static_indices(signature: CallableType, site: JitSite, row: JitFunction, settings: Settings) -> list[int]:
    """The static parameters: those that are listed and, if the jit function reads markers, those that are marked."""
    indices = set(site.static_parameters(signature))
    if row.reads_markers:
        marked = (marker_of(typ, settings.static_markers) for typ in signature.arg_types)
        indices |= {index for index, marker in enumerate(marked) if marker is Marker.STATIC}
    return sorted(indices)


def _check_call(
    ctx: FunctionContext,
    expression: Expression,
    below: Underneath,
    site: JitSite,
    row: JitFunction,
    settings: Settings,
) -> KnownCalls:
    """Checks what does not depend on the signature."""
    if row.compiles and not (
        check_bound_method(ctx, expression, site.function, settings) or check_function(ctx, expression, row)
    ):
        check_retrace(ctx, expression, site.function, settings)
    if not check_lists(ctx, expression, below.type, site, row, settings):
        return KnownCalls.NOTHING
    return KnownCalls.STATIC if below.is_rewritten else KnownCalls.ALL


def _check_application(
    ctx: FunctionContext, application: Application, calls: KnownCalls, settings: Settings, *, is_overloaded: bool
) -> None:
    """Checks one signature. Another overload may accept what this one cannot, so of those it checks only `self`."""
    if calls is not KnownCalls.NOTHING:
        check_self(ctx, application, settings)
    if is_overloaded:
        return
    rules = CONTRACT_RULES if application.row.is_key else TRACE_RULES
    for position in _static_positions(ctx, application):
        check_position(position, rules, settings, ctx.api)
    is_read = not application.row.reads_markers or check_parameters(ctx, application)
    if calls is KnownCalls.ALL and is_read:
        check_traceable(ctx, application, settings)


def _static_positions(ctx: FunctionContext, application: Application) -> Iterator[Position]:
    """Leaves out what a `partial` binds: JAX looks only at what a call passes."""
    signature, arguments = application.signature, application.arguments
    bound = names_bound(application.expression)
    site = site_of(ctx, application) if application.static else None
    for index in application.static:
        if signature.arg_names[index] in bound:
            continue
        name = arguments[index].variable.name if arguments else signature.arg_names[index] or str(index)
        place = arguments[index] if arguments else application.context
        undo = traced_instead(application, index)
        yield Position(place, STATIC_ARGUMENT, name, signature.arg_types[index], undo=undo, site=site)
