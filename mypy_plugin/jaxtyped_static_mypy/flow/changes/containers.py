"""Code of a file that changes a list, dict or set in place: it raises once that is a tuple or the like."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    Argument,
    AssignmentStmt,
    CallExpr,
    Context,
    Decorator,
    DelStmt,
    Expression,
    FuncDef,
    IndexExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    RefExpr,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.types import CallableType

from ...knowledge.members import CHANGING_METHODS
from ...reach.callers import constructions
from ...source.bindings import UPDATED, Binding, bindings_of
from ...source.checked_file import CheckedFile, once_per_file
from ...source.expected import is_error_expected
from ...source.nested_functions import Outermost, Variables, all_outermost
from ...source.surroundings import surroundings
from ...syntax.arguments import argument
from ...syntax.changes import ChangeKind, changes, written
from ...syntax.trees import self_parameter
from .attributes import is_meant, names_of_others
from .refused import class_of, making_method

_MAX_DEPTH: Final = 8
_CHANGING_NODES: Final = (AssignmentStmt, OperatorAssignmentStmt, DelStmt, CallExpr)


class Holder(NamedTuple):
    """What holds a container: a variable, or an attribute of the objects of a class."""

    variable: SymbolNode | None = None
    info: TypeInfo | None = None
    name: str = ""


class ContainerChange(NamedTuple):
    """A change in place of a container, or of one inside it."""

    line: int
    node: Node
    holder: Holder
    depth: int  # how many containers are around the one that changes
    owner: str  # the object that has the attribute, as written; empty for a variable
    making: str | None = None  # the method that makes the object, if it is one that changes what `self` has


class PassedValue(NamedTuple):
    """What a call passes."""

    function: str
    written: str
    holder: Holder
    place: Node


def container_changes(holder: Holder, depth: int, file: CheckedFile) -> list[ContainerChange]:
    """The changes in a file of the container that this holds, at this depth or below."""
    return [found for found in _all_changes(file) if found.depth >= depth and _is_held(found, holder, file)]


def certain_changes(holder: Holder, file: CheckedFile) -> list[ContainerChange]:
    """The changes that raise if what this holds is immutable by its type, which mypy takes from the first binding."""
    if holder.variable is not None and not _is_bound_once(holder.variable, file):
        return []
    return [
        change
        for change in container_changes(holder, 0, file)
        if change.depth == 0
        and (holder.variable is not None or change.holder.info is not None)
        and not _is_update(change.node)
        and not is_error_expected(change.node, file)
    ]


def _is_update(node: Node) -> bool:
    """Whether a node is `+=`, which makes a new value of one that is immutable."""
    return isinstance(node, OperatorAssignmentStmt) and not isinstance(node.lvalue, IndexExpr)


def _is_bound_once(variable: SymbolNode, file: CheckedFile) -> bool:
    for outermost in all_outermost(file):
        if (found := outermost.variables.bindings.get(variable)) is not None:
            return len(found) == 1 and not found[0].is_parameter
    return len(_assigned(variable, file)) == 1


def _assigned(variable: SymbolNode, file: CheckedFile) -> list[Binding]:
    """What a file binds a variable to, without `+=`, which is one of the changes."""
    return [binding for binding in bindings_of(variable, file) if UPDATED not in binding.path]


@once_per_file
def names_changed(file: CheckedFile) -> frozenset[str]:
    """The last names of all containers that a file changes, by its syntax alone."""
    nodes = (node for node in file.nodes if isinstance(node, _CHANGING_NODES))
    roots = (_below_items(target)[0] for node in nodes for target in _changed(node))
    return frozenset(root.name for root in roots if isinstance(root, (NameExpr, MemberExpr)))


def _is_held(found: ContainerChange, holder: Holder, file: CheckedFile) -> bool:
    if holder.variable is not None or found.holder.variable is not None:
        return holder.variable is found.holder.variable
    if holder.name != found.holder.name:
        return False
    if holder.info is None:
        return found.holder.info is None
    return is_meant(found.holder.info, found.holder.name, found.owner, holder.info, names_of_others(holder.info, file))


def passed_at(place: Context, function: str, file: CheckedFile) -> list[PassedValue]:
    """What is passed at a place: an argument of a call of `function`, or all arguments for a declared parameter."""
    if isinstance(place, Argument):
        return _passed_for(place, file)
    outermost = _around(file).get(place)
    return [*_passed(place, function, outermost.variables)] if outermost is not None else []


def is_changed_after(passed: PassedValue, change: ContainerChange, file: CheckedFile) -> bool:
    """Whether a change comes after the value was passed: further down in the same function, or in another one."""
    changing = surroundings(change.node, file).function
    if changing is not surroundings(passed.place, file).function:
        return changing is not None and change.making is None
    return change.line > passed.place.line


@once_per_file
def _around(file: CheckedFile) -> dict[Context, Outermost]:
    return {node: outermost for outermost in all_outermost(file) for node, _ in outermost.nodes}


def _passed_for(parameter: Argument, file: CheckedFile) -> list[PassedValue]:
    function = next((function for function in file.functions if parameter in function.arguments), None)
    if function is None:
        return []
    index = function.arguments.index(parameter) - (self_parameter(function) is not None)
    found: dict[Holder, PassedValue] = {}
    for outermost in all_outermost(file):
        for node, _ in outermost.nodes:
            if isinstance(node, CallExpr) and _is_call_of(node, function):
                value = argument(node, index, parameter.variable.name)
                for passed in _passed(value, function.name, outermost.variables):
                    found.setdefault(passed.holder, passed)
    return list(found.values())


def passed_to_field(info: TypeInfo, name: str, file: CheckedFile) -> Iterator[PassedValue]:
    """What the file passes for one field where it makes objects of a class."""
    init = info.get_method("__init__")
    names = init.type.arg_names if init is not None and isinstance(init.type, CallableType) else ()
    if name in names:
        for call in constructions(info, file):
            if (outermost := _around(file).get(call)) is not None:
                value = argument(call, names.index(name) - 1, name)
                yield from _passed(value, info.name, outermost.variables)


def _is_call_of(call: CallExpr, function: FuncDef) -> bool:
    callee = call.callee
    if isinstance(callee, MemberExpr) and function.info:
        return callee.name == function.name
    named = callee.node if isinstance(callee, RefExpr) else None
    return (named.func if isinstance(named, Decorator) else named) is function


def _passed(value: Context | None, function: str, variables: Variables) -> Iterator[PassedValue]:
    if isinstance(value, (NameExpr, MemberExpr)) and (holder := _holder(value, variables)) is not None:
        yield PassedValue(function, written(value), holder, value)


def _holder(node: Expression, variables: Variables) -> Holder | None:
    """What holds the value of an expression, where that is a variable or an attribute."""
    for _ in range(_MAX_DEPTH):
        if (value := _other_name(node, variables)) is None:
            break
        node = value
    if isinstance(node, NameExpr):
        return Holder(node.node) if isinstance(node.node, Var) else None
    if not isinstance(node, MemberExpr):
        return None
    if isinstance(node.expr, RefExpr) and isinstance(node.expr.node, MypyFile):
        return Holder(node.node) if isinstance(node.node, Var) else None
    return Holder(None, class_of(node.expr, variables), node.name)


def _other_name(node: Expression, variables: Variables) -> Expression | None:
    """What a variable is another name for: `sizes` for `config.sizes`."""
    if not isinstance(node, NameExpr) or not isinstance(node.node, Var):
        return None
    bindings = variables.bindings.get(node.node)
    if bindings is None:
        bindings = _assigned(node.node, variables.file)
    only = bindings[0].whole if len(bindings) == 1 else None
    return only if isinstance(only, (NameExpr, MemberExpr)) else None


@once_per_file
def _all_changes(file: CheckedFile) -> tuple[ContainerChange, ...]:
    found = (change for outermost in all_outermost(file) for change in _inside(outermost))
    return tuple(sorted(found, key=lambda change: change.line))


def _inside(outermost: Outermost) -> Iterator[ContainerChange]:
    variables = outermost.variables
    for node, _ in outermost.nodes:
        for target in _changed(node):
            root, depth = _below_items(target)
            if (holder := _holder(root, variables)) is None:
                continue
            if isinstance(root, MemberExpr):
                owner, making = written(root.expr), making_method(root.expr, variables)
                yield ContainerChange(node.line, node, holder, depth, owner, making)
            else:
                yield ContainerChange(node.line, node, holder, depth, "")


def _changed(node: Node) -> Iterator[Expression]:
    """The containers that a node changes. `+=` changes a list, and a tuple does not take one."""
    for change in changes([node]):
        if change.kind is ChangeKind.ITEM:
            yield change.target
    if isinstance(node, OperatorAssignmentStmt) and node.op == "+" and isinstance(node.lvalue, (NameExpr, MemberExpr)):
        yield node.lvalue
    elif isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr) and node.callee.name in CHANGING_METHODS:
        yield node.callee.expr


def _below_items(node: Expression) -> tuple[Expression, int]:
    depth = 0
    while isinstance(node, IndexExpr):
        node, depth = node.base, depth + 1
    return node, depth
