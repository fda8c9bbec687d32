"""Handles calls of the program's own helpers: decorators that pass calls on, and functions that compile as jit does."""

from mypy.nodes import CallExpr, Decorator, NameExpr, RefExpr, TypeInfo
from mypy.plugin import FunctionContext
from mypy.types import AnyType, CallableType, Instance, Type, get_proper_type

from ..compat import mypy_api
from ..facts.functions.keeping import record_helpers
from ..jit.signatures import is_jitted
from ..jit.site_names import named
from ..jit.sites import JitSite, read_site
from ..libraries.jaxtyped_static import WRAPPER
from ..reach.layers import UNREADABLE, LayerKind, Layers, Program, layers_of, subject_of
from ..reach.underneath import program_of, shows_parameters, without_lists
from ..syntax.decorators import applied, decorator_at
from ..syntax.written import call_of
from .bodies import check_bodies
from .jitted import apply_site
from .jitted_types import is_never_bound, with_fallback
from .requests import Request, Rows

PASSES: JitSite = JitSite("<passes on>")


def is_helper(request: Request, fullname: str) -> bool:
    """Whether a function of the program passes calls on, or compiles what it is given."""
    modules = mypy_api.modules_of(request.plugin)
    file = modules.get(fullname.rpartition(".")[0])
    if file is None:
        return False
    program = Program(file, modules, request.settings)
    if not program.is_helper(fullname):
        return False
    layers = layers_of(call_of(fullname, [NameExpr("")], {}), program)
    return bool(layers.helpers) and layers.kinds.isdisjoint(UNREADABLE)


def call_helper(ctx: FunctionContext, request: Request, *, is_partial: bool = False) -> Type:
    """Called for `my_jit(f)`, `@my_jit`, `@logged`, and for `my_jit(...)`, which returns a decorator.

    `is_partial`: for `partial(my_jit, ...)`, which is one.
    """
    call = _call(ctx)
    call = applied(call) if is_partial and call is not None else call
    if call is None:
        return ctx.default_return_type
    program = program_of(ctx, request.settings)
    layers = layers_of(call, program)
    record_helpers(ctx.api, layers.helpers)
    if not layers.kinds.isdisjoint(UNREADABLE):
        return ctx.default_return_type
    site = _site(layers, request.rows)
    if is_partial and site is None:
        return ctx.default_return_type
    if isinstance(ctx.context, CallExpr) and (is_partial or subject_of(call, program) is None):
        return _decorator(ctx, site or PASSES)
    made = call.callee.node if isinstance(call.callee, RefExpr) else None
    if isinstance(made, TypeInfo) and is_never_bound(ctx, made):
        return ctx.default_return_type
    if site is None:
        return pass_on(ctx, request)
    return apply_site(ctx, site, request.rows[site.function], request.settings)


def pass_on(ctx: FunctionContext, request: Request) -> Type:
    """Called where a wrapper of the program is applied: what is jitted below it is still jitted."""
    check_bodies(ctx, request.settings)
    typ = ctx.arg_types[0][0] if ctx.arg_types and ctx.arg_types[0] else None
    default = get_proper_type(ctx.default_return_type)
    if typ is None or not is_jitted(typ):
        return ctx.default_return_type
    if isinstance(default, CallableType):
        return typ
    info = mypy_api.lookup_class(ctx.api, WRAPPER) if isinstance(default, AnyType) else None
    fallback = default if isinstance(default, Instance) else Instance(info, []) if info is not None else None
    return with_fallback(typ, fallback) if fallback is not None else ctx.default_return_type


def _call(ctx: FunctionContext) -> CallExpr | None:
    """The call of the helper, or its use as a decorator, read as a call."""
    if isinstance(ctx.context, CallExpr):
        return ctx.context
    place = ctx.args[0][0] if ctx.args and ctx.args[0] else None
    if not isinstance(ctx.context, Decorator) or place is None:
        return None
    decorator = decorator_at(ctx.context, place)
    return applied(decorator) if decorator is not None else None


def _site(layers: Layers, rows: Rows) -> JitSite | None:
    """The jit call of a helper, the outermost one."""
    compiling = [index for index, layer in enumerate(layers.layers) if layer.kind is LayerKind.JIT]
    if not compiling:
        return None
    index = compiling[-1]
    layer = layers.layers[index]
    row = rows.get(layer.function)
    if row is None:
        return None
    given = list(zip(layer.call.arg_names, layer.call.args, strict=True))
    site = read_site(layer.function, row, given, layers.file)
    hides = any(below.kind is LayerKind.HIDES for below in layers.layers[:index])
    return without_lists(site) if hides else site


def _decorator(ctx: FunctionContext, site: JitSite) -> Type:
    """The type of a decorator, with its jit site: the hook that is called where it is applied reads that."""
    default = get_proper_type(ctx.default_return_type)
    is_decorator = isinstance(default, CallableType) and len(default.arg_types) == 1 and shows_parameters(default)
    return named(default if is_decorator else mypy_api.any_decorator(ctx.api), site)
