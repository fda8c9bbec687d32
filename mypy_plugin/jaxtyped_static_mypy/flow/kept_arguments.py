"""Compiled functions that a method makes once and keeps, though they capture an argument of that first call.

`if self._step is None: self._step = jax.jit(lambda x: x[:size])`: later calls with another `size` get the program of
the first one. The guard asks for nothing but the object.
"""

from collections.abc import Iterator
from typing import NamedTuple

from mypy.nodes import (
    Argument,
    AssignmentStmt,
    CallExpr,
    Expression,
    FloatExpr,
    FuncDef,
    FuncItem,
    IfStmt,
    MemberExpr,
    NameExpr,
    Node,
    StrExpr,
    Var,
)

from ..reach.roots import Root, find_roots
from ..source.bindings import made_by
from ..source.nested_functions import Functions
from ..syntax.arguments import argument, unpacks
from ..syntax.assignments import targets_of
from ..syntax.literals import text_or_number
from ..syntax.names import attribute_of, dotted_name
from ..syntax.trees import nodes_below, self_parameter
from .fresh.captures import captured_variables


class KeptArgument(NamedTuple):
    """An argument that a kept function captures, where it reads it. `is_optional`: it has a default."""

    read: NameExpr
    method: str
    kept: str  # `self._step`
    root: Root
    is_optional: bool


def kept_arguments(functions: Functions) -> Iterator[KeptArgument]:
    """Those of a method, the first one of each function that it keeps."""
    method = functions.outermost
    own = self_parameter(method) if isinstance(method, FuncDef) else None
    if own is None or not isinstance(method, FuncDef) or method.name.startswith("__"):
        return
    roots = [root for inner, root in find_roots(functions).items() if root.is_compiled and root.transformation is None]
    guards = [node for node in functions.nodes[method] if isinstance(node, IfStmt) and not _has_else(node)]
    for root in roots if guards else ():
        guard = next((node for node in guards if _encloses(node, root.function)), None)
        kept = _kept_in(guard, root.function, own.name, functions) if guard is not None else None
        if guard is None or kept is None or not _asks_for_object(guard, own.name):
            continue
        if not _is_called_behind(kept, guard, functions.nodes[method]):
            continue
        read = next((use for use in _captured(root, functions) if _may_differ(use, method, functions)), None)
        if read is not None:
            is_optional = any(one.variable is read.node and one.initializer is not None for one in method.arguments)
            yield KeptArgument(read, method.name, kept, root, is_optional)


def _has_else(node: IfStmt) -> bool:
    return node.else_body is not None or len(node.expr) != 1


def _encloses(guard: IfStmt, function: FuncItem) -> bool:
    return any(node is function for node in nodes_below(guard.body[0]))


def _kept_in(guard: IfStmt, function: FuncItem, own: str, functions: Functions) -> str | None:
    """The attribute that the guarded code gives the compiled function to."""
    decorator = functions.decorators.get(function)
    for node in nodes_below(guard.body[0]):
        if not isinstance(node, AssignmentStmt):
            continue
        value = made_by(node.rvalue, functions.file)
        is_it = any(part is function or part is decorator for part in nodes_below(value))
        is_it = is_it or (isinstance(value, CallExpr) and any(_names(part, function) for part in value.args))
        is_it = is_it or (decorator is not None and _names(node.rvalue, function))
        for target in targets_of(node) if is_it else ():
            if (name := attribute_of(target, own)) is not None:
                return f"{own}.{name}"
    return None


def _names(node: Expression, function: FuncItem) -> bool:
    return isinstance(node, NameExpr) and isinstance(function, FuncDef) and node.name == function.name


def _asks_for_object(guard: IfStmt, own: str) -> bool:
    """Whether the condition asks for an attribute that the guarded code sets, and for nothing else."""
    asked = nodes_below(guard.expr[0])
    names = {node.name for node in asked if isinstance(node, NameExpr)}
    texts = {node.value for node in asked if isinstance(node, StrExpr)}
    attributes = {name for node in asked if (name := attribute_of(node, own)) is not None}
    set_here = {
        name
        for node in nodes_below(guard.body[0])
        if isinstance(node, AssignmentStmt)
        for target in targets_of(node)
        if (name := attribute_of(target, own)) is not None
    }
    is_alone = names <= {own, "hasattr", "getattr", "None"}
    return is_alone and len(attributes | texts) == 1 and (attributes | texts) <= set_here


def _is_called_behind(kept: str, guard: IfStmt, nodes: list[Node]) -> bool:
    inside = {id(node) for node in nodes_below(guard)}
    calls = (node for node in nodes if isinstance(node, CallExpr) and id(node) not in inside)
    return any(dotted_name(call.callee) == kept for call in calls)


def _captured(root: Root, functions: Functions) -> Iterator[NameExpr]:
    yield from captured_variables(root.function, functions.file)


def _may_differ(use: NameExpr, method: FuncDef, functions: Functions) -> bool:
    """Whether a name is a parameter of the method as it was passed, which calls of the file may give other values."""
    variable = use.node
    parameter = next((one for one in method.arguments if one.variable is variable), None)
    if not isinstance(variable, Var) or parameter is None or variable.is_self or parameter.kind.is_star():
        return False
    if len(functions.bindings.get(variable, ())) != 1:
        return False
    calls = functions.file.calls_by_name.get(method.name, ())
    given = [_given(call, parameter, method) for call in calls if isinstance(call.callee, MemberExpr)]
    return not given or None in given or len(set(given)) > 1


def _given(call: CallExpr, parameter: Argument, method: FuncDef) -> str | None:
    """What a call gives, if that is written out or an attribute of `self`: the same in all calls."""
    if unpacks(call):
        return None
    value = argument(call, method.arguments.index(parameter) - 1, parameter.variable.name)
    if value is None:
        return "" if parameter.initializer is not None else None
    known = value.value if isinstance(value, FloatExpr) else text_or_number(value)
    if known is not None:
        return repr(known)
    name = dotted_name(value)
    return name if name is not None and name.startswith("self.") else None
