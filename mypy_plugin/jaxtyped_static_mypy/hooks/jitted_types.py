"""The type of a jitted callable, for mypy: the signature, with the static parameters marked."""

from collections.abc import Iterable, Sequence

from mypy.nodes import Decorator, Expression, TypeInfo
from mypy.plugin import FunctionContext
from mypy.types import AnyType, CallableType, Instance, Overloaded, Type, TypeOfAny, get_proper_type

from ..compat import mypy_api
from ..config.settings import Settings
from ..jit.application import Application
from ..jit.signatures import is_jitted
from ..knowledge.jax_types import COMPILED_BY_JAX
from ..libraries import FILTERED_TYPES
from ..libraries.jaxtyped_static import JIT_VIEWS
from ..markers.marker import Marker, marker_of, without_marker
from ..reach.compiled import shows_parameters


def jitted_type(ctx: FunctionContext, applications: Sequence[Application]) -> Type:
    """What a jit call returns. `applications`: one for each overload; none if the parameters are unknown."""
    if not applications:
        return ctx.default_return_type
    row, settings = applications[0].call.row, applications[0].call.file.settings
    default = get_proper_type(ctx.default_return_type)
    if isinstance(default, Instance) and default.type.is_metaclass():
        return ctx.default_return_type  # a callable whose fallback is a metaclass is a class (`is_type_obj`)
    if row.filters:
        return _filtered_type(ctx)
    wrapped = default if isinstance(default, Instance) else _compiled_type(ctx)
    if not row.keeps_signature:
        return keep_jitted(ctx)
    if wrapped is None and not row.reads_markers:
        return ctx.default_return_type
    if not row.reads_markers and mypy_api.errors_are_hidden(ctx.api):
        return ctx.default_return_type  # in an installed package such as jax itself: nothing changes
    items: list[CallableType] = []
    for application in applications:
        static = application.static
        signature = _with_markers(ctx, application.signature, static)
        if row.reads_markers:
            items.append(_with_view(ctx, signature, _with_loose_arrays(signature, static)))
        elif wrapped is not None:
            # `def my_jit(f: F) -> F`, or `-> Wrapped[P, R]`
            is_typed = (isinstance(default, CallableType) and shows_parameters(default)) or bool(wrapped.args)
            kept = signature.copy_modified(fallback=wrapped)
            items.append(kept if is_typed else _plain_jitted(signature, static, wrapped, settings))
    return items[0] if len(items) == 1 else Overloaded(items)


def _filtered_type(ctx: FunctionContext) -> Type:
    """The type that the library declares, which is the function's own, as what the library really returns."""
    default, wrapper = get_proper_type(ctx.default_return_type), _first_class(ctx, FILTERED_TYPES)
    if wrapper is None or not isinstance(default, CallableType):
        return ctx.default_return_type
    is_known = shows_parameters(default) and not default.is_type_obj()
    return default.copy_modified(fallback=Instance(wrapper, [])) if is_known else ctx.default_return_type


def keep_jitted(ctx: FunctionContext) -> Type:
    """`grad(jitted)`, `checkpoint(jitted)`, `custom_jvp(jitted)`: takes what the jitted function takes."""
    default = get_proper_type(ctx.default_return_type)
    _, typ = first_argument(ctx) or (None, None)
    proper = get_proper_type(typ)
    if typ is None or not is_jitted(typ) or shows_parameters(default):
        return ctx.default_return_type
    if isinstance(default, Instance):
        return ctx.default_return_type if is_never_bound(ctx, default.type) else with_fallback(typ, default)
    if isinstance(proper, CallableType) and isinstance(default, CallableType):
        return proper.copy_modified(ret_type=default.ret_type)
    return ctx.default_return_type


def first_argument(ctx: FunctionContext) -> tuple[Expression, Type] | None:
    """What a call passes for the first parameter, with its type; None if it passes nothing."""
    return (ctx.args[0][0], ctx.arg_types[0][0]) if ctx.args and ctx.args[0] else None


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


def _compiled_type(ctx: FunctionContext) -> Instance | None:
    """The class of what `jax.jit` returns, where a function of the program that calls it does not say so."""
    info = _first_class(ctx, COMPILED_BY_JAX)
    return Instance(info, []) if info is not None and not info.type_vars else None


def _first_class(ctx: FunctionContext, fullnames: Iterable[str]) -> TypeInfo | None:
    """The first of these classes that the build has."""
    found = (mypy_api.lookup_class(ctx.api, name) for name in fullnames)
    return next((info for info in found if info is not None), None)


def _with_loose_arrays(signature: CallableType, static: list[int]) -> list[Type]:
    """The parameter types, with `Any` for dynamic ones: they take tracers, `ShapeDtypeStruct`s and numbers."""
    kept = {*static, len(signature.arg_types) - 1} if signature.unpack_kwargs else set(static)
    anything = AnyType(TypeOfAny.special_form)
    return [typ if index in kept else anything for index, typ in enumerate(signature.arg_types)]


def _with_view(ctx: FunctionContext, signature: CallableType, loose: list[Type]) -> CallableType:
    """The function's own type, with the attributes of `JitView`: `.lower` also takes abstract arrays."""
    view = _first_class(ctx, JIT_VIEWS)
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
