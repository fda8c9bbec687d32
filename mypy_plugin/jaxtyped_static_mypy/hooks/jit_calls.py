"""Handles jit calls: `jit(f, ...)`, `@jit`, and `jit(...)` or `partial(jit, ...)`, which return a decorator."""

from mypy.nodes import ARG_STAR2, CallExpr, Context, Decorator, Expression, NameExpr, RefExpr, Var
from mypy.plugin import FunctionContext, FunctionSigContext
from mypy.types import CallableType, Instance, Overloaded, Type, get_proper_type

from ..compat import mypy_api
from ..flow.unpacked import unpacked_items
from ..jit.site_names import named, site_named, site_of
from ..jit.sites import JitSite, read_site
from ..knowledge.full_names import PARTIAL
from ..knowledge.function_rows import JitFunction
from ..libraries import COMPILED_TYPES, jit_function, known_function
from ..rules._jit_options import check_options, given_by
from ..source.checked_file import CheckedFile
from .bodies import check_bodies
from .helper_calls import PASSES, call_helper, is_helper, pass_on
from .jitted import apply_site, function_argument
from .jitted_types import first_argument


def call_jit(ctx: FunctionContext, file: CheckedFile, fullname: str) -> Type:
    """Called for `jit(f, ...)`, for `@jit`, and for `jit(...)`, which returns a decorator."""
    row = jit_function(fullname, file.settings.jit_functions)
    if row is None:
        return ctx.default_return_type
    site = read_site(fullname, row, _arguments(ctx, file), file.tree)
    if function_argument(ctx) is None:
        return named(ctx.default_return_type, site)
    return apply_site(ctx, site, file)


def check_call_of_jit(ctx: FunctionSigContext, file: CheckedFile, fullname: str) -> None:
    """Called before mypy looks for the signature that fits a call of `jit`: it asks no hook if none does."""
    row, call = jit_function(fullname, file.settings.jit_functions), ctx.context
    if row is not None and isinstance(call, CallExpr):
        check_options(call.callee, row, given_by(call), file, is_seen_by_mypy=True)


def apply_decorator(ctx: FunctionContext, file: CheckedFile, fullname: str) -> Type:
    """Called where the decorator is applied that `jit(...)` returned, or a helper of the program."""
    site = _site_applied(ctx, file, fullname)
    if site == PASSES:
        return pass_on(ctx, file, fullname)
    return apply_site(ctx, site, file) if site is not None else ctx.default_return_type


def _site_applied(ctx: FunctionContext, file: CheckedFile, fullname: str) -> JitSite | None:
    """The site in the name that mypy asks for, in the type of a local name, or in that of a name of a module."""
    if fullname.isidentifier():
        return site_of_local(ctx)
    if (site := site_named(fullname)) is not None:
        return site
    node = mypy_api.node_named(fullname, file.modules)
    return site_of(node.type) if isinstance(node, Var) else None


def site_of_local(ctx: FunctionContext) -> JitSite | None:
    """The site of a decorator that is called, or applied, through a local name."""
    node = ctx.context
    called = node.decorators if isinstance(node, Decorator) else [node.callee] if isinstance(node, CallExpr) else []
    for name in called:
        if isinstance(name, NameExpr) and isinstance(name.node, Var) and (site := site_of(name.node.type)) is not None:
            return site
    return None


def _arguments(ctx: FunctionContext, file: CheckedFile) -> list[tuple[str | None, Expression]]:
    """The arguments with their names; `**` is one that unpacks what the file does not show."""
    found: list[tuple[str | None, Expression]] = []
    for names, kinds, values in zip(ctx.arg_names, ctx.arg_kinds, ctx.args, strict=True):
        for name, kind, value in zip(names, kinds, values, strict=True):
            items = unpacked_items(file, value) if kind is ARG_STAR2 else {}
            found += items.items() or [("**" if kind is ARG_STAR2 else name, value)]
    return found


# Partials


def call_partial(ctx: FunctionContext, file: CheckedFile, fullname: str) -> Type:
    """Called for `functools.partial(...)`."""
    function = _decorator_function(ctx)
    if function is not None:
        _check_decorated(ctx, file, function)
        row = jit_function(function, file.settings.jit_functions)
        if row is not None:
            if _raises(ctx.context, row, file):
                return ctx.default_return_type
            return _partial_of_jit(ctx, read_site(function, row, _arguments(ctx, file), file.tree))
        if is_helper(function, file.modules, file.settings):
            made = call_helper(ctx, file, function, is_partial=True)
            if made is not ctx.default_return_type:
                return made
    default = mypy_api.default_function_hook(file.options, PARTIAL)
    return default(ctx) if default is not None else ctx.default_return_type


def _raises(call: Context, row: JitFunction, file: CheckedFile) -> bool:
    """mypy asks this hook instead of its own, which would compare the options with the signature."""
    if not isinstance(call, CallExpr) or not call.args or mypy_api.errors_are_hidden(file.api):
        return False
    return check_options(call.args[0], row, given_by(call)[1:], file, is_seen_by_mypy=False)


def _check_decorated(ctx: FunctionContext, file: CheckedFile, function: str) -> None:
    """`@partial(jax.shard_map, ...)`: mypy calls no other hook where it is applied."""
    if known_function(function).calls is not None:
        for decorator in file.decorators.values():
            if ctx.context in decorator.original_decorators:
                check_bodies(decorator, file)


def _decorator_function(ctx: FunctionContext) -> str | None:
    """The full name of `jax.jit` in `partial(jax.jit, ...)`; none in `partial(jax.jit, f)`, which is no decorator."""
    if len(ctx.args) > 1 and ctx.args[1]:
        return None
    first = first_argument(ctx)
    return first[0].fullname if first is not None and isinstance(first[0], RefExpr) else None


def _partial_of_jit(ctx: FunctionContext, site: JitSite) -> Type:
    """The type of `partial(jax.jit, ...)`: that of the decorator that `jax.jit(...)` returns."""
    decorator = _decorator_type(ctx)
    fallback = get_proper_type(ctx.default_return_type)
    if isinstance(fallback, Instance):
        decorator = decorator.copy_modified(fallback=fallback)
    return named(decorator, site)


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
