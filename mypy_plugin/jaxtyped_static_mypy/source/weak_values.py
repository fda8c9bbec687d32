"""Weakly typed values, as the source writes them: a Python number, and what JAX makes of one without a dtype.

JAX 0.10.2: `jnp.array(1.0)`, `jnp.full(s, jnp.nan)` and `2 * jnp.log(0.1)` are weak; `jnp.zeros(())`,
`jnp.array([1.0])` and `jnp.float32(1.0)` are not.
"""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Final, NamedTuple

from mypy.nodes import ArgKind, CallExpr, Expression, FloatExpr, IntExpr, OpExpr, UnaryExpr

from ..knowledge.full_names import JAX_NUMPY
from ..syntax.arguments import keyword_argument

_MAX_DEPTH: Final = 8
_INFINITE: Final = ("inf", "nan", "pi", "e")
_OF_NUMBERS: Final = ("jax", "math", "numpy")
# Of these, what is made of a number is weak, unless a dtype is given: the position of the number, and of the dtype.
WEAK_OF_NUMBER: Final[Mapping[str, tuple[int, int]]] = {"array": (0, 1), "asarray": (0, 1), "full": (1, 2)}
# They return what is as weak as all their arguments; the first ones, only numbers with a fraction.
_FLOATS: Final = frozenset({"cos", "exp", "expm1", "log", "log1p", "sin", "sqrt", "tanh"})
AS_WEAK: Final = _FLOATS | {"abs", "maximum", "minimum", "negative", "square"}
_OPERATORS: Final = ("+", "-", "*", "/")


class Weak(Enum):
    INTEGER = auto()
    FLOAT = auto()


class WeakValue(NamedTuple):
    """A value that has a weak type."""

    kind: Weak
    is_array: bool  # made by JAX; else a number of Python


class Reader(NamedTuple):
    """How names are read."""

    name: Callable[[Expression], str]  # the full name of what an expression names, as programs import it
    follow: Callable[[Expression], Expression]  # finds what makes the value of a name


def weak_value(node: Expression, reader: Reader, depth: int = _MAX_DEPTH) -> WeakValue | None:
    """A number or array that has a weak type; None if it has none, or nobody sees that."""
    node = reader.follow(node)
    if not depth:
        return None
    if isinstance(node, IntExpr):
        return WeakValue(Weak.INTEGER, is_array=False)
    if isinstance(node, FloatExpr) or is_constant(reader.name(node)):
        return WeakValue(Weak.FLOAT, is_array=False)
    if isinstance(node, UnaryExpr) and node.op == "-":
        return weak_value(node.expr, reader, depth - 1)
    if isinstance(node, OpExpr) and node.op in _OPERATORS:
        return _joined([node.left, node.right], reader, depth, is_float=node.op == "/")
    return _of_call(node, reader, depth) if isinstance(node, CallExpr) else None


def is_constant(name: str) -> bool:
    """Whether a full name is that of a number: `jax.numpy.inf`, `math.nan`."""
    module, _, last = name.rpartition(".")
    return last in _INFINITE and module.partition(".")[0] in _OF_NUMBERS


def _of_call(call: CallExpr, reader: Reader, depth: int) -> WeakValue | None:
    area, _, name = reader.name(call.callee).rpartition(".")
    if f"{area}." != JAX_NUMPY or not call.args:
        return None
    if name in AS_WEAK and not any(call.arg_names):
        found = _joined(call.args, reader, depth, is_float=name in _FLOATS)
    elif name in WEAK_OF_NUMBER and call.arg_kinds[0] is ArgKind.ARG_POS:
        found = _of_number(call, *WEAK_OF_NUMBER[name], reader, depth)
    else:
        found = None
    return found._replace(is_array=True) if found is not None else None


def _of_number(call: CallExpr, number: int, dtype: int, reader: Reader, depth: int) -> WeakValue | None:
    if (len(call.args) > dtype and call.arg_kinds[dtype] is ArgKind.ARG_POS) or keyword_argument(call, "dtype"):
        return None
    return weak_value(call.args[number], reader, depth - 1) if len(call.args) > number else None


def _joined(parts: list[Expression], reader: Reader, depth: int, *, is_float: bool) -> WeakValue | None:
    """What an operation makes of its operands: weak if all are."""
    known = [found for part in parts if (found := weak_value(part, reader, depth - 1)) is not None]
    if len(known) < len(parts):
        return None
    has_float = is_float or any(found.kind is Weak.FLOAT for found in known)
    return WeakValue(Weak.FLOAT if has_float else Weak.INTEGER, any(found.is_array for found in known))
