"""What code gives to names and to functions, by its syntax: values, sizes, and data that JAX computes with."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ClassDef,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    IndexExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    SliceExpr,
    StrExpr,
    TupleExpr,
)
from mypy.types import UnboundType

from ..knowledge.sizes import DIMENSIONS, DRAWS, SIZE_NAMES, SIZES, SPANS
from ..syntax.arguments import argument
from ..syntax.assignments import loops_of, targets_of
from ..syntax.names import last_name
from ..syntax.paths import part_of, path_of, split_path
from ..syntax.trees import nodes_below

# What each name is given, by assignments, loops and definitions; and each part of an object: by its path, and as any.
Values = Mapping[str, list[Expression | FuncDef]]

# The arguments of a call that say how large what a function of the file returns is.
Sizing = Callable[[CallExpr], Iterable[Expression]]

ANY_PART: Final = ""
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
    if name in DRAWS:  # `shape` stands at another place in each
        yield from (value for value in call.args[1:] if isinstance(value, TupleExpr))


def _is_size(key: str) -> bool:
    """Whether an argument is a size by its name: `shape`, `fixed_target_shape`."""
    return key.rpartition("_")[2] in SIZE_NAMES


def counts_of(
    items: Expression | FuncDef,
    values: Values,
    sizing: Sizing,
    depth: int = _DEEPEST,
    seen: frozenset[str] = frozenset(),
) -> Iterator[Expression]:
    """What says how many items a value has, as far as the source shows: `n`, of `jnp.sin(jnp.arange(n) * dt)`.

    `values`: what the names of the function are given. `depth`: how far to look back. `seen`: names on the way.
    """
    parts: Iterable[Expression | FuncDef] = ()
    match items:
        case NameExpr():
            parts = values.get(items.name, ()) if items.name not in seen else ()
            seen |= {items.name}
        case CallExpr():
            counts = [*sizes_given(items, last_name(items.callee)), *sizing(items)]
            yield from counts
            parts = () if counts else items.args
        case IndexExpr():
            yield from _ends(items.index)
            parts = (items.base,)
        case ListComprehension():
            parts = items.generator.sequences
        case OpExpr():
            parts = (items.left, items.right)
        case TupleExpr() | ListExpr():
            parts = items.items
    if depth > 0:
        yield from (count for part in parts for count in counts_of(part, values, sizing, depth - 1, seen))


def _ends(index: Expression) -> Iterator[Expression]:
    """Where a slice ends that has another end of the whole: of `x[:n]` and `x[:, n:]`, but not of `x[i : i + n]`."""
    for part in index.items if isinstance(index, TupleExpr) else [index]:
        ends = [part.begin_index, part.end_index] if isinstance(part, SliceExpr) else []
        given = [end for end in ends if end is not None]
        if len(given) == 1:
            yield given[0]


def values_bound(nodes: Iterable[Node]) -> Values:
    """What each name, and each part of an object, is given by assignments, loops and definitions."""
    found: dict[str, list[Expression | FuncDef]] = {}
    for node in nodes:
        for path, value in _bound_by(node):
            found.setdefault(path, []).append(value)
            variable, part = split_path(path)
            if part:
                found.setdefault(part_of(variable, ANY_PART), []).append(value)
    return found


def _bound_by(node: Node) -> Iterator[tuple[str, Expression | FuncDef]]:
    match node:
        case AssignmentStmt():
            paths = (path_of(target) for target in targets_of(node))
            yield from ((path, node.rvalue) for path in paths if path is not None)
        case CallExpr():
            yield from _updated_by(node)
        case FuncDef():
            yield node.name, node
    for targets, value in loops_of(node):
        yield from ((part.name, value) for part in nodes_below(targets) if isinstance(part, NameExpr))


def _updated_by(call: CallExpr) -> Iterator[tuple[str, Expression]]:
    """The parts that a call gives an object: `setattr(args, "model", name)`, `config.update(model=name)`."""
    match call:
        case CallExpr(callee=NameExpr(name="setattr"), args=[NameExpr(name=owner), StrExpr(value=part), value]):
            yield part_of(owner, part), value
        case CallExpr(callee=MemberExpr(expr=NameExpr(name=owner), name="update")):
            named = zip(call.arg_names, call.args, strict=True)
            yield from ((part_of(owner, name), value) for name, value in named if name is not None)


def is_data(annotation: object) -> bool:
    """Whether a parameter is declared to be an array, or a number that JAX computes with."""
    return isinstance(annotation, UnboundType) and annotation.name.rpartition(".")[2] in _DATA


def all_but_data(function: FuncItem) -> frozenset[str]:
    """The parameters of a function that are not declared to be data."""
    plain = (argument for argument in function.arguments if not is_data(argument.type_annotation))
    return frozenset(argument.variable.name for argument in plain)


def constructors_in(body: Iterable[Node]) -> dict[str, FuncDef]:
    """The constructors that classes of a body define, by the names of these."""
    classes = (node for node in body if isinstance(node, ClassDef))
    methods = ((node.name, functions_in(node.defs.body).get("__init__")) for node in classes)
    return {name: method for name, method in methods if method is not None}


def functions_in(body: Iterable[Node]) -> dict[str, FuncDef]:
    """The functions that a body defines, by name."""
    defined = (node.func if isinstance(node, Decorator) else node for node in body)
    return {node.name: node for node in defined if isinstance(node, FuncDef)}
