"""How strong the types of the parts of what a function returns are, where a part of what it gets has a weak type.

A loop that begins with one and gets back a strongly typed array passes two types to the same function (JAX 0.10.2). A
weak type stays weak where it meets no array of its own kind or of a higher one: 0.0 plus an array of integers is weak.
"""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any, Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    DictExpr,
    Expression,
    FloatExpr,
    FuncDef,
    IndexExpr,
    IntExpr,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    ReturnStmt,
    StrExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import Type, get_proper_type

from ..classes.array_holders import is_array_like
from ..knowledge.full_names import JAX_NUMPY, JAX_RANDOM, TREE_MAPS
from ..source.bindings import Path, made_by
from ..source.checked_file import CheckedFile
from ..source.local_bindings import reaching_bindings
from ..source.weak_values import is_constant
from ..syntax.arguments import argument, keyword_argument, unpacks
from ..syntax.names import callee_name
from ..syntax.trees import statements
from .declared_types import class_in
from .tree_updates import How, Origin, origin_in
from .weak_leaves import changed_in_place, public_name

_MAX_DEPTH: Final = 16
_MADE_FLOAT: Final = {"linspace": 5, "normal": 2, "ones": 1, "uniform": 2, "zeros": 1}  # the position of the dtype
FLOATS: Final = frozenset({"cos", "exp", "log", "sin", "sqrt", "tanh"})  # also of integers
# Not weak, whatever they get.
STRONG_FLOATS: Final = frozenset({"average", "mean", "median", "nanmean", "nanstd", "nanvar", "std", "var"})
STRONG: Final = frozenset({"cumsum", "max", "min", "nanmax", "nanmin", "nansum", "prod", "sum"})
KEEP_TYPE: Final = frozenset(
    {"abs", "clip", "dot", "einsum", "matmul", "maximum", "minimum", "ravel", "reshape", "square", "stack"}
    | {"transpose", "vdot", "where"}
)
_CONDITION: Final = "where"  # the first argument has no part in the type of the result


_OF_METHODS: Final = FLOATS | STRONG_FLOATS | STRONG | KEEP_TYPE
_OF_ARRAYS: Final = (JAX_NUMPY, JAX_RANDOM)


class Strength(Enum):
    """Of a part of a value, in the order of what an operation takes from its operands."""

    WEAK = auto()
    DECLARED = auto()  # an array, which may have a weak type: `jnp.asarray(x.shape[0])`
    STRONG = auto()  # an array of numbers of any kind
    STRONG_FLOAT = auto()


class Body(NamedTuple):
    """What is known where an expression stands."""

    file: CheckedFile
    given: Mapping[Var, Mapping[Path, Strength]]  # of parameters
    passed: Mapping[Var, Expression]  # to parameters of the function around it
    is_integer: bool = False  # the part in question begins as an integer
    depth: int = _MAX_DEPTH


def strength_returned(function: FuncDef, path: Path, body: Body) -> Strength | None:
    """Of a part of what a function returns: the weakest of all returns; None if one is unknown."""
    returned = [
        strength(node.expr, path, body)
        for node in statements(function.body.body, into_definitions=False)
        if isinstance(node, ReturnStmt)
    ]
    known = [found for found in returned if found is not None]
    weakest = min(known, key=lambda found: found.value, default=None)
    return weakest if len(known) == len(returned) else None


def strength_of_parameter(variable: Var, passed: Expression | None, file: CheckedFile) -> Strength | None:
    """Of an array that a parameter gets, by the argument or by its declared type."""
    made = made_by(passed, file) if passed is not None else None
    if made is not None and (found := strength(made, (), Body(file, {}, {}))) is not None:
        return found
    return Strength.DECLARED if is_array(variable.type) else None


def is_array(typ: Type | None) -> bool:
    info = class_in(get_proper_type(typ)) if typ is not None else None
    return info is not None and is_array_like(info)


def strength(node: Expression | None, path: Path, body: Body) -> Strength | None:
    """Of a part of a value, of all of it for an empty path; None if nobody sees that."""
    if node is None or not body.depth:
        return None
    find = _OF_NODES.get(type(node))
    found = find(node, path, body._replace(depth=body.depth - 1)) if find is not None else None
    if found is None and not path and is_constant(public_name(node, body.file)):
        return Strength.WEAK
    return found


def _of_number(node: Expression, path: Path, body: Body) -> Strength | None:
    return Strength.WEAK if not path else None


def _of_negative(node: UnaryExpr, path: Path, body: Body) -> Strength | None:
    return strength(node.expr, path, body) if node.op == "-" else None


def _of_operation(node: OpExpr, path: Path, body: Body) -> Strength | None:
    if path:
        return None
    operands = [node.left, node.right]
    is_quotient = node.op == "/" and all(strength(operand, (), body) is Strength.STRONG for operand in operands)
    return Strength.STRONG_FLOAT if is_quotient else _strongest(operands, body)


def _of_name(node: NameExpr, path: Path, body: Body) -> Strength | None:
    variable = node.node
    if not isinstance(variable, Var):
        return None
    bound = reaching_bindings(body.file, node, variable)
    if variable in body.given and all(found.value is None for found in bound):
        return body.given[variable].get(path)
    found = bound[0].binding if len(bound) == 1 and not (path and variable in changed_in_place(body.file)) else None
    return strength(found.value, (*found.path, *path), body) if found is not None else None


def _of_attribute(node: MemberExpr, path: Path, body: Body) -> Strength | None:
    return strength(node.expr, (f".{node.name}", *path), body)


def _of_item(node: IndexExpr, path: Path, body: Body) -> Strength | None:
    """Of an item of a dict, or of an array."""
    key = node.index.value if isinstance(node.index, StrExpr | IntExpr) else None
    found = strength(node.base, (f"[{key}]", *path), body) if key is not None else None
    return strength(node.base, (), body) if found is None and not path else found


def _of_items(node: TupleExpr, path: Path, body: Body) -> Strength | None:
    number = path[0].strip("[]") if path else ""
    item = node.items[int(number)] if number.isdecimal() and int(number) < len(node.items) else None
    return strength(item, path[1:], body)


def _of_dict(node: DictExpr, path: Path, body: Body) -> Strength | None:
    """The last value of the key: what is unpacked behind it may have another."""
    for key, value in reversed(node.items):
        if not isinstance(key, StrExpr):
            return strength(value, path, body) if key is None and path else None
        if path[:1] == (f"[{key.value}]",):
            return strength(value, path[1:], body)
    return None


def _of_call(call: CallExpr, path: Path, body: Body) -> Strength | None:
    origin = origin_in(call, path, body.passed, body.file)
    if origin is not None:
        return _made_of(origin, body)
    name = public_name(call.callee, body.file)
    if name in TREE_MAPS:
        return _of_mapping(call, path, body)
    return _of_computation(call, name, body) if not path else None


def _made_of(origin: Origin, body: Body) -> Strength | None:
    if body.is_integer and origin.how is not How.SAME:
        return None  # no gradient reaches an integer: Equinox leaves it as it is
    known = [found for node, path in origin.places if (found := strength(node, path, body)) is not None]
    if len(known) < len(origin.places):
        return None
    if origin.how is How.TYPED:
        return Strength.STRONG_FLOAT
    return Strength.WEAK if origin.how is How.PERHAPS_WEAK else max(known, key=lambda found: found.value)


def _of_mapping(call: CallExpr, path: Path, body: Body) -> Strength | None:
    """`jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)`."""
    if not call.args:  # as it is being written
        return None
    function, *trees = call.args
    made = made_by(function, body.file)
    node = made.node if isinstance(made, NameExpr) else made
    if not isinstance(node, LambdaExpr | FuncDef) or any(call.arg_names) or unpacks(call):
        return None
    is_here = isinstance(node, LambdaExpr) or body.file.defines(node)
    if not is_here or len(node.arguments) != len(trees):
        return None
    found = ((one.variable, strength(tree, path, body)) for one, tree in zip(node.arguments, trees, strict=True))
    given: dict[Var, Mapping[Path, Strength]] = {variable: {(): one} for variable, one in found if one is not None}
    if not given:
        return None
    inner = body._replace(given={**body.given, **given})
    return strength(node.expr(), (), inner) if isinstance(node, LambdaExpr) else strength_returned(node, (), inner)


def _of_computation(call: CallExpr, name: str, body: Body) -> Strength | None:
    area, dot, function = name.rpartition(".")
    if area + dot in _OF_ARRAYS:
        return _of_function(function, call.args, call, body)
    callee = call.callee
    if not isinstance(callee, MemberExpr) or callee_name(call) or callee.name not in _OF_METHODS:
        return None
    is_known = strength(callee.expr, (), body) is not None  # to be an array
    return _of_function(callee.name, [callee.expr], call, body) if is_known else None


def _of_function(name: str, operands: list[Expression], call: CallExpr, body: Body) -> Strength | None:
    """Of what a function of arrays, or a method, returns."""
    if name in _MADE_FLOAT:
        return Strength.STRONG_FLOAT if argument(call, _MADE_FLOAT[name], "dtype") is None else Strength.STRONG
    first = strength(operands[0], (), body) if operands else None
    if name in STRONG_FLOATS:
        return Strength.STRONG_FLOAT if keyword_argument(call, "dtype") is None else Strength.STRONG
    if name in STRONG:
        return first if first is Strength.STRONG_FLOAT else Strength.STRONG
    if name in FLOATS:
        return Strength.STRONG_FLOAT if first is Strength.STRONG else first
    return _strongest(operands[name == _CONDITION :], body) if name in KEEP_TYPE else None


def _strongest(operands: list[Expression], body: Body) -> Strength | None:
    """That of an operation: an unknown operand may be of any type."""
    found = [strength(operand, (), body) for operand in operands]
    known = [one for one in found if one is not None]
    strongest = max(known, key=lambda one: one.value, default=None)
    return strongest if len(known) == len(found) or strongest is Strength.STRONG_FLOAT else None


_OF_NODES: Final[dict[type[Expression], Callable[[Any, Path, Body], Strength | None]]] = {
    IntExpr: _of_number,
    FloatExpr: _of_number,
    UnaryExpr: _of_negative,
    OpExpr: _of_operation,
    NameExpr: _of_name,
    MemberExpr: _of_attribute,
    IndexExpr: _of_item,
    TupleExpr: _of_items,
    DictExpr: _of_dict,
    CallExpr: _of_call,
}
