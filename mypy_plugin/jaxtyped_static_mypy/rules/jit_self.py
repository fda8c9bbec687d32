"""jit-self: `@jit` on a method whose `self` is neither a pytree nor static: every call raises."""

from mypy.nodes import CallExpr, Decorator, ExpressionStmt, MypyFile, NameExpr, TypeInfo
from mypy.plugin import FunctionContext
from mypy.types import CallableType

from .. import class_model, compat
from ..codes import JIT_SELF
from ..jit_sites import JitFunction, JitSite
from ..known_types import KNOWN_TYPES


def check_self(
    ctx: FunctionContext, signature: CallableType, static: list[int], site: JitSite, row: JitFunction
) -> None:
    """Reports on the line of `self`. Silent where the class may be a pytree for a reason that cannot be seen."""
    node = ctx.context
    if not isinstance(node, Decorator) or not row.keeps_signature or not site.known:
        return
    function = node.func
    is_method = function.info and not function.is_static and not function.is_class and function.name != "__new__"
    if not is_method or 0 in static or not function.arguments or not _cannot_be_traced(function.info, ctx):
        return
    name = function.arguments[0].variable.name
    ctx.api.fail(
        f'"{function.info.name}" is neither a pytree nor static, so every call of "{function.name}" raises; '
        f"register the class as a pytree, make {name} static ({name}: Static[{function.info.name}], with a frozen "
        "class), or take the state as an argument",
        function.arguments[0],
        code=JIT_SELF,
    )


def _cannot_be_traced(info: TypeInfo, ctx: FunctionContext) -> bool:
    if class_model.is_pytree(info) or not class_model.is_readable(info) or info.is_named_tuple or info.is_protocol:
        return False
    if any(base.fullname in KNOWN_TYPES for base in info.mro[:-1]):
        return False
    compat.record_dependency(ctx.api, class_model.user_bases(info))
    return not _is_registered(info, compat.checked_file(ctx))


def _is_registered(info: TypeInfo, file: MypyFile) -> bool:
    """`register_pytree_node(Cls, ...)` at the top level of the module."""
    calls = (node.expr for node in file.defs if isinstance(node, ExpressionStmt) and isinstance(node.expr, CallExpr))
    arguments = (argument for call in calls for argument in call.args)
    return any(isinstance(argument, NameExpr) and argument.name == info.name for argument in arguments)
