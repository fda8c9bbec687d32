"""Which function or method of the project a call in a traced body runs, and what the call passes to it."""

from collections.abc import Iterator, Mapping, Sequence
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
    Var,
)

from ...source.checked_file import CheckedFile, once_per_file
from ...source.functions import functions_around
from ...syntax.trees import function_of, self_parameter
from .flags import passed_flags
from .frame import Frame, FunctionWalk, PassedValues
from .parameters import passed_values
from .results import has_plain_body, is_replaced
from .values import Value

_STATIC: Final = "builtins.staticmethod"


def helper_called(call: CallExpr, walk: FunctionWalk) -> FuncDef | None:
    """The function of the module, or the method of whatever object `self` is, that a call runs; it is in the file."""
    return helper_named(call.callee, walk)


def helper_named(named: Expression, walk: FunctionWalk) -> FuncDef | None:
    """The same, by what names it."""
    function = function_of(named)
    if isinstance(function, FuncDef):
        is_of_module = function.name in walk.file.tree.names and not function.is_decorated
        return function if is_of_module and has_plain_body(function, walk.file) else None
    method = method_of_self(named, walk)
    if method is None or not has_plain_body(method, walk.file) or is_replaced(method, walk.file):
        return None
    return method


def overrides_called(call: CallExpr, walk: FunctionWalk) -> Iterator[FuncDef]:
    """The methods of subclasses that `self.method(...)` runs for their objects, which inherit the caller."""
    callee = call.callee
    if not isinstance(callee, MemberExpr) or not isinstance(callee.expr, NameExpr):
        return
    info = _classes_of_objects(walk.file).get(callee.expr.node) if callee.expr.node is not None else None
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


def method_of_self(callee: Expression, walk: FunctionWalk) -> FuncDef | None:
    """The method that `self.method` names, without a decorator or static; None if `self` may be the class."""
    if not isinstance(callee, MemberExpr) or not isinstance(callee.expr, NameExpr):
        return None
    info = _classes_of_objects(walk.file).get(callee.expr.node) if callee.expr.node is not None else None
    if info is None:
        return None
    walk.consulted.update(info.mro)
    symbol = info.get(callee.name)
    return plain_method(symbol.node) if symbol is not None else None


def use_of_helper(function: FuncDef, call: CallExpr, values: Sequence[Value], frame: Frame) -> PassedValues:
    """How a call uses a helper, its flags included."""
    return PassedValues(passed_to(function, call, values), frame.staged, flags=flags_for(function, call, frame))


def flags_for(function: FuncDef, call: CallExpr, frame: Frame) -> dict[str, bool]:
    """The parameters for which a call of a function, or of a method on an object, passes `True` or `False`."""
    own = self_parameter(function) if isinstance(call.callee, MemberExpr) else None
    return passed_flags(function, call, frame.flags, bound=own.name if own is not None else None)


def passed_to(function: FuncDef, call: CallExpr, values: Sequence[Value]) -> dict[str, Value]:
    """What a call passes to a helper; nothing is said of `self`, which is bound."""
    own = self_parameter(function) if isinstance(call.callee, MemberExpr) else None
    return passed_values(function, call, values, bound=own.name if own is not None else None)


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


@once_per_file
def _classes_of_objects(file: CheckedFile) -> Mapping[SymbolNode, TypeInfo]:
    """The class of each `self` of the file."""
    functions = (function for named in file.functions_named.values() for function in named if not function.is_class)
    found: dict[SymbolNode, TypeInfo] = {}
    for function in functions:
        own: Var | None = self_parameter(function)
        if own is not None:
            found[own] = function.info
    return found
