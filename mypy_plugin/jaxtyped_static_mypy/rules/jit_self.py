"""jit-self: `@jit` on a method whose `self` is neither a pytree nor static: every call raises. The same of `cls`."""

from mypy.nodes import Decorator, FuncDef, RefExpr
from mypy.plugin import FunctionContext

from .. import compat
from ..application import Application
from ..classes import class_model
from ..classes.hashing import hashing
from ..classes.registering import registration
from ..classes.untraced import classes_of, is_unread, is_untraceable
from ..codes import JIT_SELF, STATIC_UNVERIFIED
from ..compat_dependencies import record_dependency
from ..config import Settings
from ._replacing import static_lists


def check_self(ctx: FunctionContext, application: Application, settings: Settings) -> None:
    """Reports on the line of `self`. Silent where the class may be a pytree for a reason that cannot be seen."""
    function = application.function
    if function is None or not application.row.traces_all or not application.site.known:
        return
    if not function.info or function.is_static or 0 in application.static or not function.arguments:
        return
    if function.is_class:
        _check_cls(ctx, application, function)
        return
    info, file = function.info, compat.checked_file(ctx)
    record_dependency(ctx.api, class_model.user_bases(info))
    if is_untraceable(info, classes_of(file), file):
        _report(ctx, application, function)
    elif settings.strict and is_unread(info):
        ctx.api.fail(
            f'The checker cannot see whether "{info.name}" is a pytree, as "{function.name}" needs; name it in '
            "pytree_types, or make self static",
            function.arguments[0],
            code=STATIC_UNVERIFIED,
        )


def _report(ctx: FunctionContext, application: Application, function: FuncDef) -> None:
    info, name = function.info, function.arguments[0].variable.name
    is_frozen = class_model.mutability(info) is None and hashing(info) is None
    static = _static(application, name, f'"{info.name}"')
    condition = "" if is_frozen else ", with a frozen class"
    decorator = registration(info, compat.checked_file(ctx))
    ctx.api.fail(
        f'"{info.name}" is neither a pytree nor static, so every call of "{function.name}" raises; make it a pytree '
        f"({decorator}), make {name} static ({static}{condition}), or take the state as an argument",
        function.arguments[0],
        code=JIT_SELF,
    )


def _check_cls(ctx: FunctionContext, application: Application, function: FuncDef) -> None:
    """Below `@classmethod`. Above it, jit fails when the class statement runs."""
    outermost = ctx.context.original_decorators[0] if isinstance(ctx.context, Decorator) else None
    if not isinstance(outermost, RefExpr) or outermost.fullname != "builtins.classmethod":
        return
    name, written = function.arguments[0].variable.name, f'"type[{function.info.name}]"'
    ctx.api.fail(
        f'"{name}" is a class, which cannot be traced, so every call of "{function.name}" raises; make it static '
        f"({_static(application, name, written)}), or use a staticmethod",
        function.arguments[0],
        code=JIT_SELF,
    )


def _static(application: Application, name: str, written: str) -> str | None:
    if application.row.reads_markers:
        return f"{name}: Static[{written}]"
    return static_lists(application, [0])
