"""jit-self: `@jit` on a method whose `self` is neither a pytree nor static: every call raises."""

from mypy.nodes import ClassDef, Decorator, ExpressionStmt, ForStmt, MypyFile, Statement, TypeInfo
from mypy.plugin import FunctionContext
from mypy.types import CallableType

from .. import compat
from ..classes import class_model
from ..codes import JIT_SELF
from ..jit_sites import JitFunction, JitSite
from ..known_types import KNOWN_TYPES
from ..syntax import mentioned_names, statements


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
    if "__init_subclass__" in info.names or any(base.fullname in KNOWN_TYPES for base in info.mro[:-1]):
        return False
    if class_model.is_registered_elsewhere(info):
        return False
    compat.record_dependency(ctx.api, class_model.user_bases(info))
    return not _may_be_registered(info, compat.checked_file(ctx))


def _may_be_registered(info: TypeInfo, file: MypyFile) -> bool:
    """Whether the file registers the class or one derived from it, or hands one to what might."""
    classes = [node for node in statements(file.defs) if isinstance(node, ClassDef) and node.info]
    below = [node for node in classes if info in node.info.mro]
    if any(class_model.is_pytree(node.info) or not class_model.is_readable(node.info) for node in below):
        return True
    names = {node.name for node in below}
    return any(not names.isdisjoint(mentioned_names(node)) for node in statements(file.defs) if _may_register(node))


def _may_register(node: Statement) -> bool:
    """A bare call, `register(Cls, ...)`, or what a loop runs over, `for cls in (A, B): register(cls, ...)`."""
    return isinstance(node, (ExpressionStmt, ForStmt))
