"""Weakly typed values: a Python number, and what JAX makes of one without a dtype.

A loop that begins with one and gets back a strongly typed array passes two types to the same function (JAX 0.10.2). A
weak type stays weak where it meets no array of its own kind or of a higher one: 0.0 plus an array of integers is weak.
"""

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import Final, NamedTuple

from mypy.nodes import (
    ArgKind,
    CallExpr,
    ComparisonExpr,
    Expression,
    FloatExpr,
    FuncDef,
    IndexExpr,
    IntExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    ReturnStmt,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import Type, get_proper_type

from ..classes.array_holders import is_array_like
from ..knowledge.jax_functions import jax_name
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile
from ..source.local_bindings import reaching_bindings
from ..syntax.arguments import keyword_argument
from ..syntax.imports import full_name
from ..syntax.trees import callee_name, statements
from .declared_types import class_in

_MAX_DEPTH: Final = 12
_INFINITE: Final = ("inf", "nan", "pi", "e")
# Of these, what is made of a number is weak, unless a dtype is given: the position of the number, and of the dtype.
_WEAK_OF_NUMBER: Final[Mapping[str, tuple[int, int]]] = {"array": (0, 1), "asarray": (0, 1), "full": (1, 2)}
_MADE_FLOAT: Final = frozenset({"linspace", "normal", "ones", "uniform", "zeros"})
_FLOATS: Final = frozenset(  # also of integers
    {"cos", "exp", "log", "mean", "median", "sin", "sqrt", "std", "tanh", "var"}
)
_KEEP_TYPE: Final = frozenset(
    {"abs", "clip", "dot", "einsum", "matmul", "max", "maximum", "min", "minimum", "prod", "ravel", "reshape", "square"}
    | {"stack", "sum", "transpose", "vdot"}
)


class Weak(Enum):
    INTEGER = auto()
    FLOAT = auto()


class Strength(Enum):
    """Of what a function returns, in the order of what an operation takes from its operands."""

    WEAK = auto()
    STRONG = auto()  # an array of numbers of any kind
    STRONG_FLOAT = auto()


class _Body(NamedTuple):
    file: CheckedFile
    given: Mapping[Var, Strength]  # of parameters
    depth: int = _MAX_DEPTH


def weak_value(node: Expression, file: CheckedFile) -> Weak | None:
    """The kind of a number or array that has a weak type; None if it has none, or nobody sees that."""
    node = made_by(node, file)
    if isinstance(node, UnaryExpr) and node.op == "-":
        return weak_value(node.expr, file)
    if isinstance(node, IntExpr):
        return Weak.INTEGER
    if isinstance(node, FloatExpr) or _is_constant(node, file):
        return Weak.FLOAT
    name = _name(node, file)
    if name not in _WEAK_OF_NUMBER or not isinstance(node, CallExpr) or not _is_positional(node):
        return None
    number, dtype = _WEAK_OF_NUMBER[name]
    if (len(node.args) > dtype and node.arg_kinds[dtype] is ArgKind.ARG_POS) or keyword_argument(node, "dtype"):
        return None
    return weak_value(node.args[number], file) if len(node.args) > number else None


def _is_constant(node: Expression, file: CheckedFile) -> bool:
    """`jnp.inf`, `math.nan`."""
    module, _, name = full_name(node, file.tree).rpartition(".")
    return name in _INFINITE and module.partition(".")[0] in ("jax", "math", "numpy")


def _is_positional(call: CallExpr) -> bool:
    return bool(call.args) and call.arg_kinds[0] is ArgKind.ARG_POS


def _name(node: Expression, file: CheckedFile) -> str:
    """The name of the function of `jax.numpy` or `jax.random` that is called."""
    name = jax_name(full_name(node.callee, file.tree)) if isinstance(node, CallExpr) else None
    area, _, rest = (name or "").partition(".")
    return rest if area in ("numpy", "random") else ""


def strength_returned(
    function: FuncDef, item: int | None, carried: Var, passed: Mapping[Var, Expression], file: CheckedFile
) -> Strength | None:
    """What a function returns, or the item of it: the weakest of all returns; None if one is unknown.

    `carried`: the parameter that gets the weak value. `passed`: what the call passes for each parameter.
    """
    given = {carried: Strength.WEAK}
    for argument in function.arguments:
        variable = argument.variable
        if variable is not carried and (found := _of_parameter(variable, passed.get(variable), file)) is not None:
            given[variable] = found
    body = _Body(file, given)
    returned = [_strength(part, body) for part in _returned(function, item)]
    known = [strength for strength in returned if strength is not None]
    weakest = min(known, key=lambda strength: strength.value, default=None)
    return weakest if len(known) == len(returned) else None


def _of_parameter(variable: Var, passed: Expression | None, file: CheckedFile) -> Strength | None:
    made = made_by(passed, file) if passed is not None else None
    if made is not None and (found := _strength(made, _Body(file, {}))) is not None:
        return found
    return Strength.STRONG if _is_array(variable.type) else None


def _is_array(typ: Type | None) -> bool:
    info = class_in(get_proper_type(typ)) if typ is not None else None
    return info is not None and is_array_like(info)


def _returned(function: FuncDef, item: int | None) -> Iterator[Expression | None]:
    for node in statements(function.body.body, into_definitions=False):
        if isinstance(node, ReturnStmt):
            whole = node.expr
            if item is None:
                yield whole
            else:
                yield whole.items[item] if isinstance(whole, TupleExpr) and item < len(whole.items) else None


def _strength(node: Expression | None, body: _Body) -> Strength | None:
    if node is None or not body.depth:
        return None
    inner = body._replace(depth=body.depth - 1)
    if isinstance(node, IntExpr | FloatExpr) or _is_constant(node, body.file):
        return Strength.WEAK
    if isinstance(node, NameExpr):
        return _of_name(node, inner)
    if isinstance(node, UnaryExpr):
        return _strength(node.expr, inner) if node.op == "-" else None
    if isinstance(node, ComparisonExpr):
        return None
    if isinstance(node, OpExpr):
        return _of_operation(node, inner)
    if isinstance(node, IndexExpr):
        return _strength(node.base, inner)
    return _of_call(node, inner) if isinstance(node, CallExpr) else None


def _of_operation(node: OpExpr, body: _Body) -> Strength | None:
    operands = [node.left, node.right]
    is_quotient = node.op == "/" and all(_strength(operand, body) is Strength.STRONG for operand in operands)
    return Strength.STRONG_FLOAT if is_quotient else _strongest(operands, body)


def _of_name(node: NameExpr, body: _Body) -> Strength | None:
    variable = node.node
    if not isinstance(variable, Var):
        return None
    if variable in body.given:
        bound = reaching_bindings(body.file, node, variable)
        return body.given[variable] if all(found.value is None for found in bound) else None
    bound = reaching_bindings(body.file, node, variable)
    found = bound[0].binding if len(bound) == 1 else None
    return _strength(found.value, body) if found is not None and not found.path else None


def _of_call(call: CallExpr, body: _Body) -> Strength | None:
    name = _name(call, body.file)
    if name in _MADE_FLOAT:
        return Strength.STRONG_FLOAT if keyword_argument(call, "dtype") is None else Strength.STRONG
    if name in _FLOATS:
        found = _strength(call.args[0], body) if call.args else None
        return Strength.STRONG_FLOAT if found in (Strength.STRONG, Strength.STRONG_FLOAT) else found
    if name in _KEEP_TYPE:
        return _strongest(call.args, body)
    callee = call.callee
    if isinstance(callee, MemberExpr) and not callee_name(call):
        found = _strength(callee.expr, body)
        if callee.name in _FLOATS and found is Strength.STRONG:
            return Strength.STRONG_FLOAT
        return found if callee.name in _KEEP_TYPE else None
    return None


def _strongest(operands: list[Expression], body: _Body) -> Strength | None:
    """That of an operation: an unknown operand may be of any type."""
    found = [_strength(operand, body) for operand in operands]
    known = [strength for strength in found if strength is not None]
    strongest = max(known, key=lambda strength: strength.value, default=None)
    return strongest if len(known) == len(found) or strongest is Strength.STRONG_FLOAT else None
