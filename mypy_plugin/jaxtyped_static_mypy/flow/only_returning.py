"""Methods that do nothing but return a value: a call that drops it does nothing."""

from typing import Final

from mypy.nodes import (
    AssertStmt,
    AssignmentExpr,
    AwaitExpr,
    CallExpr,
    DelStmt,
    Expression,
    ExpressionStmt,
    FuncDef,
    FuncItem,
    GlobalDecl,
    IndexExpr,
    MemberExpr,
    NameExpr,
    Node,
    NonlocalDecl,
    OperatorAssignmentStmt,
    OpExpr,
    RaiseStmt,
    ReturnStmt,
    StrExpr,
    TryStmt,
    WithStmt,
    YieldExpr,
    YieldFromExpr,
)

from ..knowledge.full_names import JAX_NUMPY, NUMPY
from ..knowledge.jax_functions import VALUE_AREAS, jax_name
from ..knowledge.members import ARRAY_METHODS
from ..knowledge.pure_functions import COPYING_DEEPLY, PURE_BUILTINS, PURE_OF_CONTAINERS
from ..source.checked_file import CheckedFile, once_per_file
from ..source.local_bindings import reaching_bindings
from ..syntax.assignments import targets_of
from ..syntax.imports import full_name
from ..syntax.literals import is_none
from ..syntax.names import base_of, function_of, is_self
from ..syntax.trees import nodes_below

# What does more, or may raise on purpose: such a method may be there to check its arguments.
_DOING: Final = (
    *(AssertStmt, AwaitExpr, DelStmt, FuncDef, GlobalDecl, NonlocalDecl, RaiseStmt, TryStmt, WithStmt),
    *(YieldExpr, YieldFromExpr, AssignmentExpr, OperatorAssignmentStmt),
)
_IN_PLACE: Final = frozenset({"add", "set", "sort"})  # NumPy's arrays change by these
_LOGGING: Final = "logging"


@once_per_file
def only_returns(file: CheckedFile, function: FuncDef) -> bool:
    """Whether a function of the file returns a value on each way out, and does nothing else that anybody sees."""
    return _only_returns(function, file, frozenset())


def _only_returns(function: FuncDef, file: CheckedFile, around: frozenset[FuncDef]) -> bool:
    """`around`: the functions that call it, which are being asked."""
    if function in around or not file.defines(function) or function.is_generator or function.is_coroutine:
        return False
    nodes = nodes_below(function.body)
    returned = [node.expr for node in nodes if isinstance(node, ReturnStmt)]
    if not returned or any(value is None or is_none(value) for value in returned):
        return False
    if not any(isinstance(node, (CallExpr, OpExpr)) for node in nodes):
        return False  # what a subclass may have more of
    inside = around | {function}
    return not any(isinstance(node, _DOING) for node in nodes) and all(_is_unseen(node, file, inside) for node in nodes)


def _is_unseen(node: Node, file: CheckedFile, around: frozenset[FuncDef]) -> bool:
    """Whether nobody but the function itself sees what one of its nodes does."""
    if isinstance(node, ExpressionStmt):
        return isinstance(node.expr, StrExpr) or (isinstance(node.expr, CallExpr) and _logs(node.expr, file))
    if isinstance(node, CallExpr):
        return _logs(node, file) or _is_pure(node, file, around)
    return all(_is_own(target, file) for target in targets_of(node))


def _is_own(target: Expression, file: CheckedFile) -> bool:
    """Whether an assignment changes a variable, or an item of what the function has copied, at any depth."""
    if not isinstance(target, (IndexExpr, MemberExpr)):
        return True
    root = base_of(target)
    if not isinstance(root, NameExpr) or root.node is None:
        return False
    values = [binding.value for binding in reaching_bindings(file, root, root.node)]
    return bool(values) and all(_is_copy(value, file) for value in values)


def _is_copy(value: Expression | None, file: CheckedFile) -> bool:
    return isinstance(value, CallExpr) and full_name(value.callee, file.tree) in COPYING_DEEPLY


def _is_pure(call: CallExpr, file: CheckedFile, around: frozenset[FuncDef]) -> bool:
    callee = call.callee
    name = full_name(callee, file.tree)
    if name in COPYING_DEEPLY or name.removeprefix("builtins.") in PURE_BUILTINS or _computes(name):
        return True
    if isinstance(callee, MemberExpr) and is_self(callee.expr):
        methods = [own_method(callee, caller, file) for caller in around]
        return any(method is not None and _only_returns(method, file, around) for method in methods)
    if isinstance(callee, MemberExpr):
        return callee.name in (ARRAY_METHODS | PURE_OF_CONTAINERS) - _IN_PLACE
    function = function_of(callee)
    return isinstance(function, FuncDef) and not function.is_decorated and _only_returns(function, file, around)


def own_method(callee: MemberExpr, caller: FuncItem | None, file: CheckedFile) -> FuncDef | None:
    """The method that `self.method(...)` runs in a method; None if an object may have another one."""
    info = caller.info if isinstance(caller, FuncDef) else None
    symbol = info.get(callee.name) if info else None
    method = symbol.node if symbol is not None else None
    if not isinstance(method, FuncDef) or not file.defines(method) or callee.name in file.replaced_methods:
        return None
    return method if not file.overriding(method) else None


def _computes(name: str) -> bool:
    """Whether a function of JAX, or of NumPy's with the same name, computes an array."""
    package, _, last = name.rpartition(".")
    known = jax_name(f"{JAX_NUMPY}{last}" if package == NUMPY else name) or ""
    return known.partition(".")[0] in VALUE_AREAS - {"api"}


def _logs(call: CallExpr, file: CheckedFile) -> bool:
    return _LOGGING in full_name(call.callee, file.tree).split(".")
