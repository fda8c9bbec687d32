"""Handles jit calls: runs the checks of what they compile, and gives mypy the type of the jitted callable."""

from collections.abc import Iterator

from mypy.nodes import ARG_STAR2, CallExpr, Decorator, Expression, NameExpr, RefExpr, TypeInfo, Var
from mypy.plugin import FunctionContext
from mypy.types import AnyType, CallableType, Instance, Overloaded, Type, TypeOfAny, get_proper_type

from ..compat import mypy_api
from ..config.settings import Settings
from ..flow.unpacked import unpacked_items
from ..jit.application import Application
from ..jit.signatures import called_signatures, is_jitted
from ..jit.sites import JitSite, read_site, site_of
from ..knowledge.function_rows import JitFunction
from ..knowledge.jax_types import COMPILED_BY_JAX
from ..libraries import COMPILED_TYPES
from ..libraries.jaxtyped_static import JIT_VIEWS
from ..markers.marker import Marker, marker_of, without_marker
from ..reach.underneath import shows_parameters, underneath, without_lists
from ..reporting.contract import check_position
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
from ..source.checked_file import checked_file
from ..syntax.partials import is_open_partial, names_bound, partial_function
from .bodies import check_bodies

Arguments = list[tuple[str | None, Expression]]


def call_jit(ctx: FunctionContext, function: str, row: JitFunction, settings: Settings) -> Type:
    """Called for `jit(f, ...)`, for `@jit`, and for `jit(...)`, which returns a decorator."""
    site = read_site(function, row, _arguments(ctx, settings), mypy_api.checked_file(ctx))
    if _function_argument(ctx) is None:
        return named(ctx.default_return_type, site)
    return apply_site(ctx, site, row, settings)


def call_partial(ctx: FunctionContext, function: str, row: JitFunction, settings: Settings) -> Type:
    """Called for `functools.partial(jax.jit, ...)`: the same decorator as from `jax.jit(...)`."""
    site = read_site(function, row, _arguments(ctx, settings), mypy_api.checked_file(ctx))
    decorator = _decorator_type(ctx)
    fallback = get_proper_type(ctx.default_return_type)
    if isinstance(fallback, Instance):
        decorator = decorator.copy_modified(fallback=fallback)
    return named(decorator, site)


def partial_has_function(ctx: FunctionContext) -> bool:
    """Whether a call is `partial(jax.jit, f)`, which is not a decorator."""
    return len(ctx.args) > 1 and bool(ctx.args[1])


def partial_of(ctx: FunctionContext) -> str | None:
    """The full name of the function passed to `functools.partial`."""
    function = partial_function(ctx.context if isinstance(ctx.context, CallExpr) else None)
    return function.fullname if isinstance(function, RefExpr) else None


def apply_site(ctx: FunctionContext, site: JitSite, row: JitFunction, settings: Settings) -> Type:
    """Called where a jit call compiles a function: checks it, and returns the type of the jitted callable."""
    argument = _function_argument(ctx)
    if argument is None:
        return ctx.default_return_type
    check_bodies(ctx, settings)
    expression, typ = argument
    is_read = not mypy_api.errors_are_hidden(ctx.api)
    is_rewritten = False
    if is_read:
        typ, shows_parameters, hidden_by, is_rewritten = underneath(ctx, expression, typ, settings)
        site = site if shows_parameters else without_lists(site)
        if hidden_by is not None:
            check_hidden(ctx, hidden_by, settings)
    lists_fit = is_read and _check_call(ctx, expression, typ, site, row, settings)
    signatures = [] if is_open_partial(expression) else called_signatures(typ, ctx.context)
    if not signatures:
        return ctx.default_return_type
    compiled = [(signature, static_indices(signature, site, row, settings)) for signature in signatures]
    if is_read:
        for signature, static in compiled:
            application = Application(ctx.context, expression, signature, static, site, row)
            if lists_fit:
                check_self(ctx, application, settings)
            is_traced = lists_fit and not is_rewritten
            _check_parameters(ctx, application, settings, is_overloaded=len(compiled) > 1, is_traced=is_traced)
    if is_rewritten and typ is not argument[1]:
        return ctx.default_return_type  # callers may pass more than the function takes, or less
    return _jitted(ctx, compiled, row, settings)


def _check_parameters(
    ctx: FunctionContext, application: Application, settings: Settings, *, is_overloaded: bool, is_traced: bool
) -> None:
    """Checks one signature; not an overloaded one: another overload may accept what this one cannot.

    `is_traced`: whether its dynamic parameters are certain to get what JAX traces.
    """
    rules = CONTRACT_RULES if application.row.is_key else TRACE_RULES
    if not is_overloaded:
        for position in _static_positions(application):
            check_position(position, rules, settings, ctx.api)
    is_read = not application.row.reads_markers or is_overloaded or check_parameters(ctx, application)
    if is_traced and is_read and not is_overloaded:
        check_traceable(ctx, application, settings)


def _check_call(
    ctx: FunctionContext, expression: Expression, typ: Type, site: JitSite, row: JitFunction, settings: Settings
) -> bool:
    """Checks what does not depend on the signature; returns whether the lists fit the function."""
    if row.compiles and not (
        check_bound_method(ctx, expression, site.function, settings) or check_function(ctx, expression, row)
    ):
        check_retrace(ctx, expression, site.function, settings)
    return check_lists(ctx, expression, typ, site, row, settings)


def static_indices(signature: CallableType, site: JitSite, row: JitFunction, settings: Settings) -> list[int]:
    """The static parameters: those that are listed and, if the jit function reads markers, those that are marked."""
    indices = set(site.static_parameters(signature))
    if row.reads_markers:
        marked = (marker_of(typ, settings.static_markers) for typ in signature.arg_types)
        indices |= {index for index, marker in enumerate(marked) if marker is Marker.STATIC}
    return sorted(indices)


def _static_positions(application: Application) -> Iterator[Position]:
    """Leaves out what a `partial` binds: JAX looks only at what a call passes."""
    signature, arguments = application.signature, application.arguments
    bound = names_bound(application.expression)
    for index in application.static:
        if signature.arg_names[index] in bound:
            continue
        name = arguments[index].variable.name if arguments else signature.arg_names[index] or str(index)
        place = arguments[index] if arguments else application.context
        undo = traced_instead(application, index)
        yield Position(place, STATIC_ARGUMENT, name, signature.arg_types[index], undo=undo)


def _jitted(
    ctx: FunctionContext, compiled: list[tuple[CallableType, list[int]]], row: JitFunction, settings: Settings
) -> Type:
    default = get_proper_type(ctx.default_return_type)
    if isinstance(default, Instance) and default.type.is_metaclass():
        return ctx.default_return_type  # mypy treats a callable whose fallback is a metaclass as a class
    wrapped = default if isinstance(default, Instance) else compiled_type(ctx)
    if not row.keeps_signature:
        return keep_jitted(ctx)
    if wrapped is None and not row.reads_markers:
        return ctx.default_return_type
    if not row.reads_markers and mypy_api.errors_are_hidden(ctx.api):
        return ctx.default_return_type  # in an installed package such as jax itself: nothing changes
    items: list[CallableType] = []
    for unmarked, static in compiled:
        signature = _with_markers(ctx, unmarked, static)
        if row.reads_markers:
            items.append(_with_view(ctx, signature, _with_loose_arrays(signature, static)))
        elif wrapped is not None:
            is_typed = isinstance(default, CallableType) and shows_parameters(default)  # `def my_jit(f: F) -> F`
            kept = signature.copy_modified(fallback=wrapped)
            items.append(kept if is_typed else _plain_jitted(signature, static, wrapped, settings))
    return items[0] if len(items) == 1 else Overloaded(items)


def keep_jitted(ctx: FunctionContext) -> Type:
    """`grad(jitted)`, `checkpoint(jitted)`, `custom_jvp(jitted)`: takes what the jitted function takes."""
    default = get_proper_type(ctx.default_return_type)
    typ = ctx.arg_types[0][0] if ctx.arg_types and ctx.arg_types[0] else None
    proper = get_proper_type(typ)
    if typ is None or not is_jitted(typ) or shows_parameters(default):
        return ctx.default_return_type
    if isinstance(default, Instance):
        return ctx.default_return_type if is_never_bound(ctx, default.type) else with_fallback(typ, default)
    if isinstance(proper, CallableType) and isinstance(default, CallableType):
        return proper.copy_modified(ret_type=default.ret_type)
    return ctx.default_return_type


def with_fallback(typ: Type, fallback: Instance) -> Type:
    """The signature of a jitted function, as an object of another class."""
    proper = get_proper_type(typ)
    if isinstance(proper, Overloaded):
        return Overloaded([item.copy_modified(fallback=fallback) for item in proper.items])
    return proper.copy_modified(fallback=fallback) if isinstance(proper, CallableType) else typ


def is_never_bound(ctx: FunctionContext, wrapper: TypeInfo) -> bool:
    """Whether the wrapper of a method is an object that Python does not bind: then it gets no `self`."""
    is_method = isinstance(ctx.context, Decorator) and bool(ctx.context.func.info) and not ctx.context.func.is_static
    return is_method and wrapper.get("__get__") is None


def compiled_type(ctx: FunctionContext) -> Instance | None:
    """The class of what `jax.jit` returns, where a function of the program that calls it does not say so."""
    found = (mypy_api.lookup_class(ctx.api, name) for name in COMPILED_BY_JAX)
    info = next((info for info in found if info is not None), None)
    return Instance(info, []) if info is not None and not info.type_vars else None


def _with_loose_arrays(signature: CallableType, static: list[int]) -> list[Type]:
    """The parameter types, with `Any` for dynamic ones: they take tracers, `ShapeDtypeStruct`s and numbers."""
    kept = {*static, len(signature.arg_types) - 1} if signature.unpack_kwargs else set(static)
    anything = AnyType(TypeOfAny.special_form)
    return [typ if index in kept else anything for index, typ in enumerate(signature.arg_types)]


def _with_view(ctx: FunctionContext, signature: CallableType, loose: list[Type]) -> CallableType:
    """The function's own type, with the attributes of `JitView`: `.lower` also takes abstract arrays."""
    found = (mypy_api.lookup_class(ctx.api, name) for name in JIT_VIEWS)
    view = next((info for info in found if info is not None), None)
    if view is None or len(view.type_vars) != 2:
        return signature
    return signature.copy_modified(fallback=Instance(view, [mypy_api.parameters(signature, loose), signature.ret_type]))


def _with_markers(ctx: FunctionContext, signature: CallableType, static: list[int]) -> CallableType:
    """Marks exactly the static parameters, as annotations do. Plain `jax.jit` ignores a marker that is not listed."""
    types = [
        _with_marker(ctx, typ) if index in static else _without_marker(typ)
        for index, typ in enumerate(signature.arg_types)
    ]
    return signature.copy_modified(arg_types=types)


def _with_marker(ctx: FunctionContext, typ: Type) -> Type:
    return typ if marker_of(typ) is Marker.STATIC else mypy_api.static_of(ctx.api, without_marker(typ))


def _without_marker(typ: Type) -> Type:
    return without_marker(typ) if marker_of(typ) is Marker.STATIC else typ


def _plain_jitted(signature: CallableType, static: list[int], wrapped: Instance, settings: Settings) -> CallableType:
    """Keeps existing code valid: without `typed_jax_jit`, dynamic parameters and the result are `Any`."""
    if settings.typed_jax_jit:
        return signature.copy_modified(fallback=wrapped)
    loose = _with_loose_arrays(signature, static)
    return signature.copy_modified(arg_types=loose, ret_type=AnyType(TypeOfAny.special_form), fallback=wrapped)


def named(typ: Type, site: JitSite) -> Type:
    """Names a decorator type after its site, so that mypy asks for a hook by that name when it is applied.

    mypy drops the name from the type of a variable, so the parameter is given it too. The daemon compares parameter
    names, so it notices a change.
    """
    proper = get_proper_type(typ)
    if not isinstance(proper, CallableType) or len(proper.arg_names) != 1:
        return typ
    return proper.copy_modified(name=site.encode(), arg_names=[site.encode()])


def site_of_local(ctx: FunctionContext) -> JitSite | None:
    """The site of a decorator that is called, or applied, through a local name."""
    node = ctx.context
    called = node.decorators if isinstance(node, Decorator) else [node.callee] if isinstance(node, CallExpr) else []
    for name in called:
        if isinstance(name, NameExpr) and isinstance(name.node, Var) and (site := site_of(name.node.type)) is not None:
            return site
    return None


def _decorator_type(ctx: FunctionContext) -> CallableType:
    """The decorator that a jit function returns when it is called without a function."""
    proper = get_proper_type(ctx.arg_types[0][0])
    if isinstance(proper, Overloaded):
        returned = (get_proper_type(item.ret_type) for item in proper.items)
        decorator = next((typ for typ in returned if isinstance(typ, CallableType)), None)
        if decorator is not None:
            return decorator
    is_known = isinstance(proper, CallableType) and (proper.is_type_obj() or _is_compiled(proper.ret_type))
    return mypy_api.any_decorator(ctx.api, proper.ret_type if is_known and isinstance(proper, CallableType) else None)


def _is_compiled(typ: Type) -> bool:
    """Whether a type is what `jax.jit` returns. In an older JAX, no overload returns a decorator."""
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.fullname in COMPILED_TYPES


def _arguments(ctx: FunctionContext, settings: Settings) -> Arguments:
    """The arguments with their names; `**` is one that unpacks what the file does not show."""
    found: Arguments = []
    for names, kinds, values in zip(ctx.arg_names, ctx.arg_kinds, ctx.args, strict=True):
        for name, kind, value in zip(names, kinds, values, strict=True):
            items = unpacked_items(checked_file(ctx.api, settings), value) if kind is ARG_STAR2 else {}
            found += items.items() or [("**" if kind is ARG_STAR2 else name, value)]
    return found


def _function_argument(ctx: FunctionContext) -> tuple[Expression, Type] | None:
    """The function to compile: the first argument, or the one called `fun`."""
    if not ctx.args or not ctx.args[0] or ctx.arg_names[0][0] not in (None, "fun", "f"):
        return None
    return ctx.args[0][0], ctx.arg_types[0][0]
