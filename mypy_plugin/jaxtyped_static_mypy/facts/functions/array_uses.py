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
    NameExpr,
    Node,
    OpExpr,
    UnaryExpr,
)
from mypy.types import UnboundType

from ...knowledge.jax_functions import TAKES_ARRAY, TAKES_LIST, jax_name
from ...knowledge.members import ARRAY_ATTRIBUTES, CONCRETE_ATTRIBUTES, UNAMBIGUOUS_METHODS
from ...syntax.assignments import TARGETING, targets_of
from ...syntax.names import dotted_name
from ...syntax.node_parts import BELOW, OF_OTHERS
from ...syntax.trees import nodes_below
from .scope import ModuleNames
from .steps import FunctionFacts

# Annotations that such a use does not contradict, by the last part of their names.
_TRACED: Final = ("Array", "ArrayLike", "ndarray", "Any", "Key", "PRNGKey", "int", "float", "bool", "complex")
_ARITHMETIC: Final = frozenset({"+", "-", "*", "/", "//", "%", "**", "@"})
_USING: Final = frozenset({CallExpr, IndexExpr, MemberExpr, OpExpr, UnaryExpr})
_OF_ARRAYS: Final = ARRAY_ATTRIBUTES | UNAMBIGUOUS_METHODS | (CONCRETE_ATTRIBUTES & {"dtype", "ndim", "shape"})


class ArrayUses(NamedTuple):
    """The parameters that a function uses as arrays."""

    handed: frozenset[str]  # to a function of JAX that takes an array there
    operated: frozenset[str]  # what no function or class allows: calculated with, or an item is taken
    single: frozenset[str] = frozenset()  # handed to one that takes no list of arrays, either


def read_array_uses(function: FuncDef, names: ModuleNames) -> FunctionFacts | None:
    """What is worth keeping of it: for parameters whose annotations may be wrong."""
    doubtful = [argument.variable.name for argument in function.arguments if _is_doubtful(argument)]
    found = array_uses(function, doubtful, names) if doubtful else ArrayUses(frozenset(), frozenset())
    if not found.handed and not found.operated:
        return None
    return {"arrays": sorted(found.handed), "operands": sorted(found.operated)}


def array_uses(function: FuncDef, parameters: Iterable[str], names: ModuleNames) -> ArrayUses:
    """How a function uses these parameters before it binds their names to something else."""
    found = list(_uses(function, parameters, names))
    return ArrayUses(
        frozenset(name for name, taker in found if taker),
        frozenset(name for name, taker in found if not taker),
        frozenset(name for name, taker in found if taker and taker not in TAKES_LIST),
    )


def _is_doubtful(argument: Argument) -> bool:
    declared = argument.type_annotation
    name = declared.name.rpartition(".")[2] if isinstance(declared, UnboundType) else ""
    return declared is not None and name not in _TRACED


_Used = tuple[str, str]  # the name of a variable, and the function of JAX that the node hands it to, if any


def _uses(function: FuncDef, parameters: Iterable[str], names: ModuleNames) -> Iterator[_Used]:
    """The uses up to the first node that binds a name, which still sees the old value, as in `key, k = split(key)`."""
    unbound = set(parameters)
    pending: list[tuple[Node, frozenset[str]]] = [(function.body, frozenset())]
    while pending and unbound:
        node, hidden = pending.pop()
        if isinstance(node, FuncItem):
            hidden = hidden.union(argument.variable.name for argument in node.arguments)
        targets = targets_of(node) if type(node) in TARGETING else ()
        bound = {target.name for target in targets if isinstance(target, NameExpr)} & unbound - hidden
        if bound:
            below = (use for part in nodes_below(node) for use in _used_as_arrays(part, names))
            yield from (use for use in below if use[0] in bound)
            unbound -= bound
        seen = unbound - hidden if hidden else unbound
        if type(node) in _USING:
            yield from (use for use in _used_as_arrays(node, names) if use[0] in seen)
        if (inner := BELOW.get(type(node), OF_OTHERS)) is not None:
            pending += [(part, hidden) for part in inner(node)[::-1]]


def _used_as_arrays(node: Node, names: ModuleNames) -> list[_Used]:
    """The variables that a node itself uses as arrays."""
    if isinstance(node, MemberExpr):
        return _operands(node.expr) if node.name in _OF_ARRAYS else []
    if isinstance(node, CallExpr):
        return _handed(node, names)
    if isinstance(node, OpExpr):
        return [*_operands(node.left), *_operands(node.right)] if node.op in _ARITHMETIC else []
    if isinstance(node, IndexExpr):
        return _operands(node.base)
    return _operands(node.expr) if isinstance(node, UnaryExpr) and node.op == "-" else []


def _operands(node: Node) -> list[_Used]:
    return [(node.name, "")] if isinstance(node, NameExpr) else []


def _handed(call: CallExpr, names: ModuleNames) -> list[_Used]:
    first = call.args[0] if call.args and call.arg_names[0] is None else None
    if not isinstance(first, NameExpr):
        return []
    callee = dotted_name(call.callee)
    taker = jax_name(names.full_name(callee)) if callee is not None else None
    return [(first.name, taker)] if taker in TAKES_ARRAY else []
