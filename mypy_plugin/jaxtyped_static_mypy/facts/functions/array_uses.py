"""Parameters that a function uses as arrays, whatever their annotations say."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    Argument,
    CallExpr,
    FuncDef,
    FuncItem,
    IndexExpr,
    MemberExpr,
    Node,
    OpExpr,
    UnaryExpr,
)
from mypy.types import UnboundType

from ...knowledge.jax_functions import TAKES_ARRAY, jax_name
from ...knowledge.members import ARRAY_ATTRIBUTES, CONCRETE_ATTRIBUTES, UNAMBIGUOUS_METHODS
from ...syntax.assignments import targets_of
from ...syntax.trees import dotted_name, is_named, nodes_below, parts_of
from .scope import ModuleNames
from .steps import FunctionFacts

# Annotations that such a use does not contradict, by the last part of their names.
_TRACED: Final = ("Array", "ArrayLike", "ndarray", "Any", "Key", "PRNGKey", "int", "float", "bool", "complex")
_ARITHMETIC: Final = frozenset({"+", "-", "*", "/", "//", "%", "**", "@"})
_OF_ARRAYS: Final = ARRAY_ATTRIBUTES | UNAMBIGUOUS_METHODS | (CONCRETE_ATTRIBUTES & {"dtype", "ndim", "shape"})


class ArrayUses(NamedTuple):
    """The parameters that a function uses as arrays."""

    handed: frozenset[str]  # to a function of JAX that takes an array there
    operated: frozenset[str]  # what no function or class allows: calculated with, or an item is taken


def read_array_uses(function: FuncDef, names: ModuleNames) -> FunctionFacts | None:
    """What is worth keeping of it: for parameters whose annotations may be wrong."""
    doubtful = [argument.variable.name for argument in function.arguments if _is_doubtful(argument)]
    found = array_uses(function, doubtful, names) if doubtful else ArrayUses(frozenset(), frozenset())
    if not found.handed and not found.operated:
        return None
    return {"arrays": sorted(found.handed), "operands": sorted(found.operated)}


def array_uses(function: FuncDef, parameters: Iterable[str], names: ModuleNames) -> ArrayUses:
    """How a function uses these parameters before it binds their names to something else."""
    used = {name: list(_used(function, name)) for name in parameters}
    handed = (name for name, found in used.items() if any(_is_handed(node, name, names) for node in found))
    operated = (name for name, found in used.items() if any(_is_operated(node, name) for node in found))
    return ArrayUses(frozenset(handed), frozenset(operated))


def _is_doubtful(argument: Argument) -> bool:
    declared = argument.type_annotation
    name = declared.name.rpartition(".")[2] if isinstance(declared, UnboundType) else ""
    return declared is not None and name not in _TRACED


def _used(function: FuncDef, name: str) -> Iterator[Node]:
    """The nodes up to the first that binds the name, which still sees the old value, as in `key, k = split(key)`."""
    pending: list[Node] = [function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, FuncItem) and any(argument.variable.name == name for argument in node.arguments):
            continue
        if any(is_named(target, name) for target in targets_of(node)):
            yield from nodes_below(node)
            return
        yield node
        pending += reversed(parts_of(node))


def _is_handed(node: Node, name: str, names: ModuleNames) -> bool:
    if not isinstance(node, CallExpr) or not node.args or node.arg_names[0] is not None:
        return False
    callee = dotted_name(node.callee)
    return is_named(node.args[0], name) and callee is not None and jax_name(names.full_name(callee)) in TAKES_ARRAY


def _is_operated(node: Node, name: str) -> bool:
    if isinstance(node, OpExpr):
        return node.op in _ARITHMETIC and (is_named(node.left, name) or is_named(node.right, name))
    if isinstance(node, UnaryExpr):
        return node.op == "-" and is_named(node.expr, name)
    if isinstance(node, IndexExpr):
        return is_named(node.base, name)
    return isinstance(node, MemberExpr) and is_named(node.expr, name) and node.name in _OF_ARRAYS
