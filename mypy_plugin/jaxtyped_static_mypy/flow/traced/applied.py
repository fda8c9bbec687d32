"""What `model.apply(...)` and `Block(...)(...)` of Flax Linen run in a trace: `__call__` of the module."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, MemberExpr, TypeInfo

from ...knowledge.full_names import LINEN_MODULE
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...source.parameters import parameters
from ...syntax.arguments import unpacks
from ..made import constructed
from .values import Value

_APPLY: Final = "apply"
_CALL: Final = "__call__"
_VARIABLES: Final = 1  # how many arguments of `apply` stand in front of those of `__call__`
_OPTIONS: Final = frozenset({"capture_intermediates", "mutable", "rngs", "variables"})
_METHOD: Final = "method"  # the option that runs another one


class Applied(NamedTuple):
    """A method that a call runs, with what it passes for each parameter."""

    method: FuncDef
    values: Mapping[str, Value]


def module_applied(call: CallExpr, values: Sequence[Value], file: CheckedFile) -> Applied | None:
    """`__call__` of a module whose class the file defines, if the call shows all that it passes."""
    if unpacks(call) or _METHOD in call.arg_names:
        return None
    callee = call.callee
    is_applied = isinstance(callee, MemberExpr) and callee.name == _APPLY
    method = _call_of(callee.expr if is_applied and isinstance(callee, MemberExpr) else callee, file)
    if method is None or (isinstance(callee, MemberExpr) and not is_applied):
        return None
    names = [parameter.name for parameter in parameters(method) if not parameter.is_star and not parameter.is_star2]
    given = [value for name, value in zip(call.arg_names, values, strict=True) if name is None]
    named = zip(call.arg_names, values, strict=True)
    passed = dict(zip(names[1:], given[_VARIABLES:] if is_applied else given, strict=False))
    passed.update({name: value for name, value in named if name is not None and name not in _OPTIONS})
    return Applied(method, passed)


def _call_of(node: Expression, file: CheckedFile) -> FuncDef | None:
    """`__call__` of the class of which an expression makes an object, or a name holds one."""
    made = made_by(node, file)
    info = constructed(made) if isinstance(made, CallExpr) else None
    if info is None or not _is_module(info) or info.module_name != file.tree.fullname:
        return None
    symbol = info.names.get(_CALL)
    found = symbol.node.func if symbol is not None and isinstance(symbol.node, Decorator) else symbol and symbol.node
    return found if isinstance(found, FuncDef) else None


def _is_module(info: TypeInfo) -> bool:
    return any(base.fullname == LINEN_MODULE for base in info.mro)
