"""What mypy is told of a jit call: its static parameters are judged, and its result is a jitted callable."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import Argument, Context, Decorator, Expression, RefExpr, TempNode
from mypy.plugin import FunctionContext
from mypy.types import AnyType, CallableType, Instance, LiteralType, Overloaded, Type, TypeOfAny, get_proper_type

from . import compat
from .config import Settings
from .jit_sites import JitFunction, JitSite, read_site
from .markers import Marker, marker_of
from .names import JIT_VIEW
from .reporting import Position, check_position
from .rules import CONTRACT_RULES, TRACE_RULES
from .rules.jit_self import check_self

_SITE: Final = "<jit site>"

Arguments = list[tuple[str | None, Expression]]


def call_jit(ctx: FunctionContext, function: str, row: JitFunction, settings: Settings) -> Type:
    """`jit(f, ...)`, `@jit`, or `jit(...)` that returns a decorator."""
    site = read_site(function, row, _arguments(ctx), compat.checked_file(ctx))
    if _function_argument(ctx) is None:
        return _named(ctx.default_return_type, site, ctx)
    return apply_site(ctx, site, row, settings)


def call_partial(ctx: FunctionContext, function: str, row: JitFunction) -> Type:
    """`functools.partial(jax.jit, ...)`: the decorator that `jax.jit(...)` would return."""
    site = read_site(function, row, _arguments(ctx), compat.checked_file(ctx))
    decorator = _decorator_type(ctx)
    fallback = get_proper_type(ctx.default_return_type)
    if isinstance(fallback, Instance):
        decorator = decorator.copy_modified(fallback=fallback)
    return _named(decorator, site, ctx)


def partial_has_function(ctx: FunctionContext) -> bool:
    """`partial(jax.jit, f)`: not a decorator."""
    return len(ctx.args) > 1 and bool(ctx.args[1])


def partial_of(ctx: FunctionContext) -> str | None:
    """The full name of the function that `functools.partial` is given."""
    first = ctx.args[0][0] if ctx.args and ctx.args[0] else None
    return first.fullname if isinstance(first, RefExpr) else None


def apply_site(ctx: FunctionContext, site: JitSite, row: JitFunction, settings: Settings) -> Type:
    """A function meets the jit that compiles it: judge what is static, return the jitted callable."""
    argument = _function_argument(ctx)
    if argument is None:
        return ctx.default_return_type
    expression, typ = argument
    signatures = _signatures(typ)
    if not signatures:
        return ctx.default_return_type
    if not compat.nobody_reads_errors(ctx.api):
        for signature in signatures:
            for position in _static_positions(ctx.context, expression, signature, site, row, settings):
                check_position(position, settings, ctx.api, rules=CONTRACT_RULES if row.is_key else TRACE_RULES)
            check_self(ctx, signature, static_indices(signature, site, row, settings), site, row)
    return _jitted(ctx, signatures, site, row, settings)


def static_indices(signature: CallableType, site: JitSite, row: JitFunction, settings: Settings) -> list[int]:
    """The static parameters: those the lists name and, where the function reads them, those that are marked."""
    indices = set(site.static_parameters(signature))
    if row.reads_markers:
        marked = (marker_of(typ, settings.static_markers) for typ in signature.arg_types)
        indices |= {index for index, marker in enumerate(marked) if marker is Marker.STATIC}
    return sorted(indices)


def _static_positions(
    context: Context,
    expression: Expression,
    signature: CallableType,
    site: JitSite,
    row: JitFunction,
    settings: Settings,
) -> Iterator[Position]:
    arguments = _decorated_arguments(context, expression, signature)
    for index in static_indices(signature, site, row, settings):
        name = arguments[index].variable.name if arguments else signature.arg_names[index] or str(index)
        place = arguments[index] if arguments else context
        yield Position(place, "Static argument", name, signature.arg_types[index])


def _decorated_arguments(context: Context, expression: Expression, signature: CallableType) -> list[Argument]:
    """The parameters as a decorated function declares them; a function jitted elsewhere is reported at the call.

    An inner decorator may have changed the signature: then they no longer fit.
    """
    if not isinstance(context, Decorator) or not isinstance(expression, TempNode):
        return []
    arguments = context.func.arguments
    fits = [argument.kind for argument in arguments] == signature.arg_kinds
    return arguments if fits else []


def _signatures(typ: Type) -> list[CallableType]:
    """The signatures of what is compiled; none for a class, or for what cannot be seen to be callable."""
    proper = get_proper_type(typ)
    called = get_proper_type(compat.call_method(proper)) if isinstance(proper, Instance) else proper
    items = called.items if isinstance(called, Overloaded) else [called]
    return [item for item in items if isinstance(item, CallableType) and not item.is_type_obj()]


def _jitted(
    ctx: FunctionContext, signatures: list[CallableType], site: JitSite, row: JitFunction, settings: Settings
) -> Type:
    default = get_proper_type(ctx.default_return_type)
    if not row.keeps_signature or not (row.reads_markers or isinstance(default, Instance)):
        return ctx.default_return_type
    items: list[CallableType] = []
    for signature in signatures:
        loose = _with_loose_arrays(signature, static_indices(signature, site, row, settings))
        if row.reads_markers:
            items.append(_with_view(ctx, signature, loose))
        elif isinstance(default, Instance):
            items.append(_plain_jitted(signature, loose, default, settings))
    return items[0] if len(items) == 1 else Overloaded(items)


def _with_loose_arrays(signature: CallableType, static: list[int]) -> list[Type]:
    """The parameters' types where dynamic ones take whatever can be traced: tracers, `ShapeDtypeStruct`, numbers."""
    anything = AnyType(TypeOfAny.special_form)
    return [typ if index in static else anything for index, typ in enumerate(signature.arg_types)]


def _with_view(ctx: FunctionContext, signature: CallableType, loose: list[Type]) -> CallableType:
    """The function's own type, with the attributes of `JitView`: `.lower` takes abstract values for arrays."""
    view = compat.lookup_class(ctx.api, JIT_VIEW)
    if view is None or len(view.type_vars) != 2:
        return signature
    return signature.copy_modified(fallback=Instance(view, [compat.parameters(signature, loose), signature.ret_type]))


def _plain_jitted(signature: CallableType, loose: list[Type], wrapped: Instance, settings: Settings) -> CallableType:
    """Existing code checks as before: dynamic parameters accept anything that can be traced, the result is `Any`."""
    if settings.typed_jax_jit:
        return signature.copy_modified(fallback=wrapped)
    return signature.copy_modified(arg_types=loose, ret_type=AnyType(TypeOfAny.special_form), fallback=wrapped)


def _named(typ: Type, site: JitSite, ctx: FunctionContext) -> Type:
    """Gives a decorator the name under which the hook for its application will be asked for.

    A variable's type loses the name, so the site is kept on the fallback as well, where `site_of` finds it.
    """
    proper = get_proper_type(typ)
    if not isinstance(proper, CallableType):
        return typ
    text = LiteralType(site.encode(), ctx.api.named_generic_type("builtins.str", []))
    fallback = proper.fallback.copy_with_extra_attr(_SITE, text)
    return proper.copy_modified(name=site.encode(), fallback=fallback)


def site_of(typ: Type | None) -> JitSite | None:
    """The site of a decorator that `jax.jit(static_argnames=...)` returned and a variable holds."""
    proper = get_proper_type(typ)
    if not isinstance(proper, CallableType) or proper.fallback.extra_attrs is None:
        return None
    text = get_proper_type(proper.fallback.extra_attrs.attrs.get(_SITE))
    return JitSite.decode(str(text.value)) if isinstance(text, LiteralType) else None


def _decorator_type(ctx: FunctionContext) -> CallableType:
    """What the jit function returns when it is called without a function."""
    proper = get_proper_type(ctx.arg_types[0][0])
    items = proper.items if isinstance(proper, Overloaded) else [proper]
    for item in items:
        returned = get_proper_type(item.ret_type) if isinstance(item, CallableType) else None
        if isinstance(returned, CallableType) and isinstance(proper, Overloaded):
            return returned
    return compat.any_decorator(ctx.api)


def _arguments(ctx: FunctionContext) -> Arguments:
    return [
        pair for names, values in zip(ctx.arg_names, ctx.args, strict=True) for pair in zip(names, values, strict=True)
    ]


def _function_argument(ctx: FunctionContext) -> tuple[Expression, Type] | None:
    """The function to compile: the first argument, or the one called `fun`."""
    if not ctx.args or not ctx.args[0] or ctx.arg_names[0][0] not in (None, "fun", "f"):
        return None
    return ctx.args[0][0], ctx.arg_types[0][0]
