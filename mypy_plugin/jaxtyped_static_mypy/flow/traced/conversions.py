"""Calls that convert what they are given to a number, a truth value or a NumPy array: a tracer has none of these."""

from collections.abc import Callable, Sequence
from typing import Final

from mypy.nodes import CallExpr, MemberExpr, RefExpr

from .values import Each, Items, Source, Traced, Value, array_from, origin, present

# Single functions, and those of `math` and `numpy`, which ask each argument.
_MATH: Final = """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh degrees erf erfc exp exp2 expm1 fabs floor fmod
    gamma hypot isclose isfinite isinf isnan ldexp lgamma log log10 log1p log2 pow radians sin sinh sqrt tan tanh trunc
"""
# Others ask an array for its own method, as `sum` and `reshape` do, and work.
_NUMPY: Final = """
    abs allclose arange arccos arcsin arctan arctan2 array asanyarray asarray ascontiguousarray atleast_1d atleast_2d
    broadcast_to ceil clip concatenate copy cos cosh diag dot einsum exp exp2 expand_dims expm1 float32 float64 floor
    hstack int32 int64 interp isclose isfinite isinf isnan linspace log log10 log1p log2 matmul maximum minimum nonzero
    outer pad power sign sin sinh sort sqrt square stack tan tanh tile unique vstack where
"""
_MATH_NAMES: Final = frozenset(_MATH.split())
_NUMPY_NAMES: Final = frozenset(_NUMPY.split())
_NUMBERS: Final = frozenset(
    {"builtins.bool", "builtins.int", "builtins.float", "builtins.complex", "_operator.index", "operator.index"}
)
_METHODS: Final = frozenset({"item", "tolist"})


def converted(call: CallExpr, base: Value, values: Sequence[Value]) -> tuple[str, Value] | None:
    """What kind of conversion a call is, and what it converts. `base`: the object whose method is called."""
    callee = call.callee
    if isinstance(callee, MemberExpr) and callee.name in _METHODS and isinstance(base, Traced):
        return callee.name, base
    if not isinstance(callee, RefExpr) or any(name is not None for name in call.arg_names):
        return None
    package, _, name = callee.fullname.partition(".")
    name = name.rpartition(".")[2]
    if callee.fullname in _NUMBERS:
        return name, values[0] if len(values) == 1 else None
    if callee.fullname == "builtins.range":
        return name, _first(values, _itself)
    if callee.fullname in ("builtins.max", "builtins.min", "builtins.any", "builtins.all", "builtins.sorted"):
        return name, _compared(name, values)
    if package == "math" and name in _MATH_NAMES:
        return "float", _first(values, _itself)
    return ("numpy", _first(values, origin)) if package == "numpy" and name in _NUMPY_NAMES else None


def _first(values: Sequence[Value], source_of: Callable[[Value], Source | None]) -> Value:
    source = next((found for value in values if (found := source_of(value)) is not None), None)
    return array_from(source) if source is not None else None


def _itself(value: Value) -> Source | None:
    return value.source if isinstance(value, Traced) else None


def _compared(name: str, values: Sequence[Value]) -> Value:
    """What is asked for its truth: elements by `any` and `all`, and those of two or more that are put in order."""
    if len(values) != 1:
        return _first(values, _itself)
    whole = present(values[0])
    if isinstance(whole, Each):
        return whole.element
    enough = 1 if name in ("any", "all") else 2
    return _first(whole.values, _itself) if isinstance(whole, Items) and len(whole.values) >= enough else None
