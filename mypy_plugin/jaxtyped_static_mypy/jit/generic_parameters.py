"""Parameters whose types hold type variables: what a call passes decides what these are, so it is judged by itself."""

from collections.abc import Mapping

from mypy.nodes import CallExpr, Decorator, MemberExpr, RefExpr, SymbolNode
from mypy.plugin import FunctionContext
from mypy.types import CallableType, Instance, Type, TypeVarType, get_proper_type

from ..compat import mypy_api
from ..markers.marker import without_marker


def types_as_written(ctx: FunctionContext, called: CallableType) -> Mapping[str, Type]:
    """The types of the parameters with type variables, by name, with `Any` for each; those of the others are not in it.

    `called`: the signature that mypy has fitted to the call, with types for the variables.
    """
    written = get_proper_type(_type_as_written(ctx))
    if not isinstance(written, CallableType) or any(isinstance(v, TypeVarType) and v.values for v in written.variables):
        return {}
    types = zip(written.arg_names, written.arg_types, strict=True)
    own = {name: without_marker(typ) for name, typ in types if name is not None and name in called.arg_names}
    return {name: mypy_api.erase_typevars(typ) for name, typ in own.items() if mypy_api.has_type_vars(typ)}


def _type_as_written(ctx: FunctionContext) -> Type | None:
    """The type of what is called as it is declared: that of a method as its class has it."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    node = callee.node if isinstance(callee, RefExpr) else None
    if node is None and isinstance(callee, MemberExpr):
        owner = mypy_api.type_of_expression(ctx.api, callee.expr)
        symbol = owner.type.get(callee.name) if isinstance(owner, Instance) else None
        node = symbol.node if symbol is not None else None
    return _type_of(node)


def _type_of(node: SymbolNode | None) -> Type | None:
    if isinstance(node, Decorator):
        return node.var.type
    typ = getattr(node, "type", None)
    return typ if isinstance(typ, Type) else None
