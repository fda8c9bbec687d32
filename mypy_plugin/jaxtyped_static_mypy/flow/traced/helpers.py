"""Which function or method of the project a call in a traced body runs, and what the call passes to it."""

from collections.abc import Iterator, Sequence
from typing import Final

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    MemberExpr,
    NameExpr,
    RefExpr,
    SymbolNode,
    TypeInfo,
)

from ...knowledge.full_names import CALL_METHOD
from ...source.checked_file import CheckedFile
from ...source.functions import functions_around
from ...source.selves import classes_of_selves
from ...syntax.names import function_of
from ...syntax.trees import self_parameter
from .flags import passed_flags
from .frame import Frame, FunctionWalk, PassedValues
from .objects import class_of
from .parameters import passed_values
from .results import has_plain_body, is_replaced
from .values import Value

_STATIC: Final = "builtins.staticmethod"


def helper_called(call: CallExpr, walk: FunctionWalk) -> FuncDef | None:
    """The function of the module, or the method of an object of a known class, that a call runs; it is in the file."""
    return helper_named(call.callee, walk)


def helper_named(named: Expression, walk: FunctionWalk) -> FuncDef | None:
    """The same, by what names it."""
    function = function_of(named)
    if isinstance(function, FuncDef):
        is_of_module = function.name in walk.file.tree.names and not function.is_decorated
        return function if is_of_module and has_plain_body(function, walk.file) else None
    method = method_of_object(named, walk)
    return method if method is not None and has_plain_body(method, walk.file) else None


def overrides_called(call: CallExpr, walk: FunctionWalk) -> Iterator[FuncDef]:
    """The methods of subclasses that `self.method(...)` runs for their objects, which inherit the caller."""
    callee = call.callee
    if not isinstance(callee, MemberExpr) or not isinstance(callee.expr, NameExpr):
        return
    info = classes_of_selves(walk.file).get(callee.expr.node) if callee.expr.node is not None else None
    caller = next((part.node for part in functions_around(call.line, walk.file) if part.node.info), None)
    if info is None or caller is None or callee.name in walk.file.replaced_methods:
        return
    for method in walk.file.functions_named.get(callee.name, ()):
        if method.info and method.info is not info and info in method.info.mro and not method.is_decorated:
            walk.consulted.update(method.info.mro)
            inherited = method.info.get(caller.name)
            runs = inherited is not None and inherited.node in (caller, walk.file.decorators.get(caller))
            if runs and has_plain_body(method, walk.file):
                yield method


def method_of_object(callee: Expression, walk: FunctionWalk) -> FuncDef | None:
    """The method that a call runs, without a decorator or static: `obj.method`, or `__call__` of what is called.

    None if the object may have another one: it may be of a subclass, or a class.
    """
    found = _method_of(callee.expr, callee.name, walk) if isinstance(callee, MemberExpr) else None
    if found is None:
        is_named = isinstance(callee, RefExpr) and isinstance(callee.node, (FuncDef, Decorator, TypeInfo))
        found = _method_of(callee, CALL_METHOD, walk) if not is_named else None
    return found


def _method_of(owner: Expression, name: str, walk: FunctionWalk) -> FuncDef | None:
    cls = class_of(owner, walk.file)
    if cls is None:
        return None
    walk.consulted.update(cls.info.mro)
    symbol = cls.info.get(name)
    method = plain_method(symbol.node) if symbol is not None else None
    return method if method is not None and not is_replaced(method, walk.file, cls) else None


def use_of_helper(function: FuncDef, call: CallExpr, values: Sequence[Value], frame: Frame) -> PassedValues:
    """How a call uses a helper, its flags included."""
    return PassedValues(passed_to(function, call, values), frame.staged, flags=flags_for(function, call, frame))


def flags_for(function: FuncDef, call: CallExpr, frame: Frame) -> dict[str, bool]:
    """The parameters for which a call of a function, or of a method on an object, passes `True` or `False`."""
    return passed_flags(function, call, frame.flags, bound=_bound(function, call))


def passed_to(function: FuncDef, call: CallExpr, values: Sequence[Value]) -> dict[str, Value]:
    """What a call passes to a helper; nothing is said of `self`, which is bound."""
    return passed_values(function, call, values, bound=_bound(function, call))


def _bound(function: FuncDef, call: CallExpr) -> str | None:
    """The parameter that the object fills."""
    is_of_object = isinstance(call.callee, MemberExpr) or function.name == CALL_METHOD
    own = self_parameter(function) if is_of_object else None
    return own.name if own is not None else None


def method_arguments(
    method: SymbolNode | None, call: CallExpr, values: Sequence[Value], file: CheckedFile
) -> dict[str, Value]:
    """What a call of a method passes to it, if the file has the method."""
    return passed_to(method, call, values) if isinstance(method, FuncDef) and has_plain_body(method, file) else {}


def plain_method(symbol: SymbolNode | None) -> FuncDef | None:
    """A method without a decorator, or a static one."""
    if isinstance(symbol, Decorator):
        is_static = all(isinstance(one, RefExpr) and one.fullname == _STATIC for one in symbol.original_decorators)
        return symbol.func if is_static else None
    return symbol if isinstance(symbol, FuncDef) and not symbol.is_class else None
