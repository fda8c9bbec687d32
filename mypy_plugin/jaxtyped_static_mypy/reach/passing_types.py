"""Decorators that are known by their type to pass calls on: `F -> F`, or with a `ParamSpec`."""

from mypy.nodes import CallExpr, Decorator, FuncDef, OverloadedFuncDef, RefExpr, SymbolNode, Var
from mypy.types import CallableType, Instance, Overloaded, ProperType, Type, TypeVarType, get_proper_type

from ..compat import mypy_api


def passes_by_type(call: CallExpr) -> bool:
    """Whether a decorator, read as a call with the function first, has a declared type under which nothing changes."""
    node = call.callee.node if isinstance(call.callee, RefExpr) else None
    if not isinstance(node, (FuncDef, OverloadedFuncDef, Decorator, Var)):
        return False
    declared = _items(_declared(node))
    if len(call.args) == 1 and any(map(_keeps_callable, declared)):
        return True
    return any(_keeps_callable(item) for signature in declared for item in _items(signature.ret_type))


def _declared(node: SymbolNode) -> Type | None:
    if isinstance(node, Decorator):
        return node.var.type
    return node.type if isinstance(node, (FuncDef, OverloadedFuncDef, Var)) else None


def _items(typ: Type | None) -> list[CallableType]:
    proper: ProperType | None = get_proper_type(typ)
    if isinstance(proper, Instance):
        proper = get_proper_type(mypy_api.call_method(proper))
    items = proper.items if isinstance(proper, Overloaded) else [proper]
    return [item for item in items if isinstance(item, CallableType) and not item.is_type_obj()]


def _keeps_callable(typ: CallableType) -> bool:
    """`F -> F`, or `Callable[P, R] -> Callable[P, S]`."""
    taken = get_proper_type(typ.arg_types[0]) if typ.arg_types else None
    returned = get_proper_type(typ.ret_type)
    if isinstance(taken, TypeVarType):
        bound = get_proper_type(taken.upper_bound)
        return isinstance(returned, TypeVarType) and returned.id == taken.id and _may_be_callable(bound)
    if not isinstance(taken, CallableType) or not isinstance(returned, CallableType):
        return False
    given, kept = taken.param_spec(), returned.param_spec()
    is_whole = len(taken.arg_types) == len(returned.arg_types) == 2
    return given is not None and kept is not None and given.id == kept.id and is_whole


def _may_be_callable(bound: ProperType) -> bool:
    if isinstance(bound, CallableType):
        return True
    return isinstance(bound, Instance) and (bound.type.is_protocol or bound.type.fullname == "builtins.object")
