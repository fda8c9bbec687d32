"""Handles calls of the program's own helpers: decorators that pass calls on, and functions that compile as jit does."""

from mypy.nodes import CallExpr, Decorator, MypyFile, NameExpr, RefExpr, TypeInfo
from mypy.plugin import FunctionContext
from mypy.types import AnyType, CallableType, Instance, Type, get_proper_type

from ..compat import mypy_api
from ..config.settings import Settings
from ..facts.functions.keeping import record_helpers
from ..jit.signatures import is_jitted
from ..jit.site_names import named
from ..jit.sites import JitSite, read_site
from ..libraries import jit_function
from ..libraries.jaxtyped_static import WRAPPER
from ..reach.compiled import shows_parameters, with_unknown_lists
from ..reach.layers import UNREADABLE, LayerKind, Layers, Names, layers_of, subject_of, takes_options
from ..source.checked_file import CheckedFile
from ..syntax.decorators import applied, decorator_at
from ..syntax.written import call_of
from .bodies import check_bodies
from .jitted import apply_site
from .jitted_types import first_argument, is_never_bound, with_fallback

PASSES: JitSite = JitSite("<passes on>")


def is_helper(fullname: str, modules: dict[str, MypyFile], settings: Settings) -> bool:
    """Whether a function of the program passes calls on, or compiles what it is given."""
    file = modules.get(fullname.rpartition(".")[0])
    if file is None:
        return False
    names = Names(file, modules, settings)
    if not names.is_helper(fullname):
        return False
    layers = layers_of(call_of(fullname, [NameExpr("")], {}), names)
    return bool(layers.helpers) and layers.kinds.isdisjoint(UNREADABLE)


def call_helper(ctx: FunctionContext, file: CheckedFile, fullname: str, *, is_partial: bool = False) -> Type:
    """Called for `my_jit(f)`, `@my_jit`, `@logged`, and for `my_jit(...)`, which returns a decorator.

    `is_partial`: for `partial(my_jit, ...)`, which is one.
    """
    call = _call(ctx)
    call = applied(call) if is_partial and call is not None else call
    if call is None:
        return ctx.default_return_type
    names = Names.of(file)
    layers = layers_of(call, names)
    record_helpers(file.api, layers.helpers)
    if not layers.kinds.isdisjoint(UNREADABLE):
        return ctx.default_return_type
    site = _site(layers, file)
    if is_partial and site is None:
        return ctx.default_return_type
    if isinstance(ctx.context, CallExpr) and (is_partial or subject_of(call, names) is None):
        returns_decorator = site is not None or takes_options(call, names)
        return _decorator(ctx, site or PASSES) if returns_decorator else ctx.default_return_type
    made = call.callee.node if isinstance(call.callee, RefExpr) else None
    if isinstance(made, TypeInfo) and is_never_bound(ctx, made):
        return ctx.default_return_type
    return apply_site(ctx, site, file) if site is not None else pass_on(ctx, file, fullname)


def pass_on(ctx: FunctionContext, file: CheckedFile, fullname: str) -> Type:
    """Called where a wrapper of the program is applied: what is jitted below it is still jitted."""
    check_bodies(ctx.context, file)
    _, typ = first_argument(ctx) or (None, None)
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
    place, _ = first_argument(ctx) or (None, None)
    if not isinstance(ctx.context, Decorator) or place is None:
        return None
    decorator = decorator_at(ctx.context, place)
    return applied(decorator) if decorator is not None else None


def _site(layers: Layers, file: CheckedFile) -> JitSite | None:
    """The jit call of a helper, the outermost one."""
    compiling = [index for index, layer in enumerate(layers.layers) if layer.kind is LayerKind.JIT]
    if not compiling:
        return None
    index = compiling[-1]
    layer = layers.layers[index]
    row = jit_function(layer.function, file.settings.jit_functions)
    if row is None:
        return None
    given = list(zip(layer.call.arg_names, layer.call.args, strict=True))
    site = read_site(layer.function, row, given, file.tree)
    hides = any(below.kind is LayerKind.HIDES for below in layers.layers[:index])
    return with_unknown_lists(site) if hides else site


def _decorator(ctx: FunctionContext, site: JitSite) -> Type:
    """The type of a decorator, with its jit site: the hook that is called where it is applied reads that."""
    default = get_proper_type(ctx.default_return_type)
    is_decorator = isinstance(default, CallableType) and len(default.arg_types) == 1 and shows_parameters(default)
    return named(default if is_decorator else mypy_api.any_decorator(ctx.api), site)
