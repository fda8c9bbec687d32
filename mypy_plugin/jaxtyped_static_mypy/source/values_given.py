"""What code gives to names and to functions, by its syntax: values, sizes, and data that JAX computes with."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    ListComprehension,
    ListExpr,
    NameExpr,
    Node,
    OpExpr,
    TupleExpr,
)
from mypy.types import UnboundType

from ..knowledge.sizes import DIMENSIONS, SIZE_NAMES, SIZES, SPANS
from ..syntax.arguments import argument
from ..syntax.assignments import loops_of, targets_of
from ..syntax.names import last_name
from ..syntax.trees import nodes_below

Values = Mapping[str, list[Expression]]  # what each name is given, by assignments and loops

_DEEPEST: Final = 9  # steps back
_DATA: Final = frozenset({"Array", "ArrayLike", "complex", "float", "ndarray"})


def sizes_given(call: CallExpr, name: str) -> Iterator[Expression]:
    """The arguments of a function of JAX or NumPy that say how large its result is."""
    if name in DIMENSIONS:
        yield from call.args
    given = (argument(call, *place) for place in (*SIZES.get(name, ()), *SPANS.get(name, ())))
    yield from (size for size in given if size is not None)
    yield from (value for key, value in zip(call.arg_names, call.args, strict=True) if key and _is_size(key))
    if name == "reshape":
        yield from call.args[1:]
    if name == "arange" and len(call.args) == 1:
        yield call.args[0]


def _is_size(key: str) -> bool:
    """Whether an argument is a size by its name: `shape`, `fixed_target_shape`."""
    return key.rpartition("_")[2] in SIZE_NAMES


def counts_of(
    items: Expression, values: Values, depth: int = _DEEPEST, seen: frozenset[str] = frozenset()
) -> Iterator[Expression]:
    """What says how many items a value has, as far as the source shows: `n`, of `jnp.sin(jnp.arange(n) * dt)`.

    `values`: what the names of the function are given. `depth`: how far to look back. `seen`: names on the way.
    """
    parts: Iterable[Expression] = ()
    match items:
        case NameExpr():
            parts = values.get(items.name, ()) if items.name not in seen else ()
            seen |= {items.name}
        case CallExpr():
            counts = list(sizes_given(items, last_name(items.callee)))
            yield from counts
            parts = () if counts else items.args
        case ListComprehension():
            parts = items.generator.sequences
        case OpExpr():
            parts = (items.left, items.right)
        case TupleExpr() | ListExpr():
            parts = items.items
    if depth > 0:
        yield from (count for part in parts for count in counts_of(part, values, depth - 1, seen))


def values_bound(nodes: Iterable[Node]) -> Values:
    """What each name is given, by assignments and loops."""
    found: dict[str, list[Expression]] = {}
    for node in nodes:
        pairs = [(node, node.rvalue)] if isinstance(node, AssignmentStmt) else []
        for target in (name for part, _ in pairs for name in targets_of(part)):
            if isinstance(target, NameExpr):
                found.setdefault(target.name, []).append(pairs[0][1])
        for targets, value in loops_of(node):
            for name in (part for part in nodes_below(targets) if isinstance(part, NameExpr)):
                found.setdefault(name.name, []).append(value)
    return found


def is_data(annotation: object) -> bool:
    """Whether a parameter is declared to be an array, or a number that JAX computes with."""
    return isinstance(annotation, UnboundType) and annotation.name.rpartition(".")[2] in _DATA


def all_but_data(function: FuncItem) -> frozenset[str]:
    """The parameters of a function that are not declared to be data."""
    plain = (argument for argument in function.arguments if not is_data(argument.type_annotation))
    return frozenset(argument.variable.name for argument in plain)


def functions_in(body: Iterable[Node]) -> dict[str, FuncDef]:
    """The functions that a body defines, by name."""
    defined = (node.func if isinstance(node, Decorator) else node for node in body)
    return {node.name: node for node in defined if isinstance(node, FuncDef)}
