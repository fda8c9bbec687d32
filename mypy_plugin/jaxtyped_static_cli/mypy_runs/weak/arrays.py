"""How strong the types are of what JAX's functions of arrays return (JAX 0.10.2); a test runs all of them."""

from typing import Final

from jaxtyped_static_mypy.flow import weak_types

from .scopes import Given
from .values import (
    NONE,
    SHAPE,
    STRONG,
    STRONG_FLOAT,
    UNKNOWN,
    Kind,
    Leaf,
    Library,
    Tuple,
    Value,
    array_of,
    as_array,
    number,
    promoted,
)

DTYPE: Final = "dtype"
# The dtype is that of the first argument.
_OF_FIRST: Final = """
    abs absolute array_split atleast_1d atleast_2d atleast_3d broadcast_to conj conjugate copy
    expand_dims flip fliplr flipud moveaxis negative permute_dims positive ravel real repeat reshape
    roll rot90 round sign sort split squeeze swapaxes take tile transpose tril triu
"""
OF_FIRST: Final = frozenset(_OF_FIRST.split())
# That of all their arguments.
_OF_ALL: Final = """
    add clip divide dot einsum fmax fmin inner matmul maximum minimum mod multiply outer remainder subtract
    true_divide vdot where
"""
OF_ALL: Final = frozenset(_OF_ALL.split())
# That of the items of a list.
OF_ITEMS: Final = frozenset({"column_stack", "concatenate", "concat", "hstack", "stack", "vstack"})
_FLOATS: Final = """
    arccos arccosh arcsin arcsinh arctan arctan2 arctanh cbrt cosh exp2 expm1 fabs log1p logaddexp sinh
"""
FLOATS: Final = weak_types.FLOATS | frozenset(_FLOATS.split())
STRONG_FLOATS: Final = weak_types.STRONG_FLOATS | {"deg2rad", "log10", "log2", "rad2deg", "sinc"}
_STRONG_INTEGERS: Final = frozenset({"argmax", "argmin", "argsort", "count_nonzero", "digitize"})
STRONG_ARRAYS: Final = weak_types.STRONG | _STRONG_INTEGERS | {"cumprod", "diag", "diagonal", "trace"}
BOOLS: Final = frozenset({"all", "any", "logical_and", "logical_not", "logical_or", "logical_xor"})
# What makes arrays, with the position of the dtype: `float32` without one.
_MADE_FLOAT: Final = {"empty": 1, "eye": 3, "identity": 1, "linspace": 5, "ones": 1, "zeros": 1}
_LIKE: Final = {"empty_like": 1, "full_like": 2, "ones_like": 1, "zeros_like": 1}
_OF_VALUE: Final = {"array": (0, 1), "asarray": (0, 1), "full": (1, 2)}
_DIVIDES: Final = frozenset({"divide", "true_divide"})
_REMAINDERS: Final = frozenset({"mod", "remainder"})
_CONDITION: Final = "where"
_LISTED: Final = frozenset({"einsum"})  # the first argument is a text
_PREFIXES: Final = (("float", Kind.FLOAT), ("bfloat", Kind.FLOAT), ("int", Kind.INTEGER), ("uint", Kind.INTEGER))
_RANDOM_FLOATS: Final = """
    ball beta cauchy chisquare dirichlet double_sided_maxwell exponential f gamma generalized_normal gumbel laplace
    loggamma logistic lognormal maxwell multivariate_normal normal orthogonal pareto rayleigh t triangular
    truncated_normal uniform wald weibull_min
"""
RANDOM_FLOATS: Final = frozenset(_RANDOM_FLOATS.split())
_NN_OF_FIRST: Final = "elu gelu leaky_relu relu relu6 selu sigmoid silu softplus swish tanh"
NN_OF_FIRST: Final = frozenset(_NN_OF_FIRST.split())
_AS_IT_IS: Final = frozenset({"copy", "device_put", "stop_gradient"})


def of_function(name: str, given: Given) -> Value | None:
    """What a function of `jax.numpy`, `jax.lax`, `jax.nn` or `jax.random` returns; None for any other."""
    area, _, last = name.rpartition(".")
    if area == "jax.numpy":
        return of_numpy(last, given)
    if area == "jax.numpy.linalg":
        return STRONG_FLOAT if last == "norm" else UNKNOWN
    if area == "jax.random":
        return _of_random(last, given)
    if area == "jax.nn":
        return as_array(_first(given)) if last in NN_OF_FIRST else STRONG_FLOAT if "softmax" in last else UNKNOWN
    if last in _AS_IT_IS and area in ("jax", "jax.lax"):
        return given.get(0, "x") or UNKNOWN
    if area == "jax.lax" and last in ("select", "select_n"):
        return promoted(given.args[1:])
    return of_numpy({"max": "maximum", "min": "minimum"}.get(last, last), given) if area == "jax.lax" else None


def _of_random(last: str, given: Given) -> Value:
    if last in RANDOM_FLOATS:
        return STRONG_FLOAT if DTYPE not in given.keywords else STRONG
    return STRONG._replace(kind=Kind.INTEGER) if last == "randint" else STRONG


def _first(given: Given) -> Value:
    return next(iter((*given.args, *given.keywords.values())), UNKNOWN)


def of_numpy(last: str, given: Given) -> Value:
    """What a function of `jax.numpy`, or a method of an array, returns."""
    if last in _OF_VALUE:
        return _of_value(*_OF_VALUE[last], given)
    if last in _LIKE:
        return of_dtype(_dtype(_LIKE[last], given)) or as_array(_first(given))
    if last in _MADE_FLOAT:
        return of_dtype(_dtype(_MADE_FLOAT[last], given)) or STRONG_FLOAT
    if (kind := kind_named(last)) is not None:
        return Leaf(is_weak=False, kind=kind)
    if last == "arange":
        return of_dtype(given.keywords.get(DTYPE)) or _strong(promoted(given.args))
    if (found := _reduced(last, given)) is not None:
        return found
    if last in FLOATS:
        return _as_float(promoted(given.args))
    return _kept(last, given)


def _reduced(last: str, given: Given) -> Value | None:
    if last in STRONG_FLOATS:
        return of_dtype(given.keywords.get(DTYPE)) or STRONG_FLOAT
    if last in STRONG_ARRAYS:
        first = _first(given)
        kind = first.kind if isinstance(first, Leaf) and last not in _STRONG_INTEGERS else None
        return of_dtype(given.keywords.get(DTYPE)) or STRONG._replace(kind=kind if kind is Kind.FLOAT else None)
    return STRONG._replace(kind=Kind.BOOL) if last in BOOLS else None


def _kept(last: str, given: Given) -> Value:
    if last in OF_FIRST:
        return as_array(_first(given))
    if last in OF_ITEMS:
        first = _first(given)
        return as_array(promoted(first.items)) if isinstance(first, Tuple) else UNKNOWN
    if last not in OF_ALL:
        return UNKNOWN
    operands = given.args[last == _CONDITION or last in _LISTED :]
    if last == "clip":
        operands = (*operands, *(value for name, value in given.keywords.items() if name in ("min", "max")))
    found = as_array(promoted(operands))
    return _as_float(found) if last in _DIVIDES else of_integers(found) if last in _REMAINDERS else found


def _of_value(position: int, dtype: int, given: Given) -> Value:
    """An array of a number has its weak type; one of a list has none.

    What code makes an array of, that is declared as a number, is one.
    """
    given_dtype = _dtype(dtype, given)
    if given_dtype is UNKNOWN:  # it may be None
        return UNKNOWN
    if (typed := of_dtype(given_dtype)) is not None:
        return typed
    value = given.args[position] if len(given.args) > position else given.keywords.get("fill_value", UNKNOWN)
    if isinstance(value, Tuple):
        return _strong(promoted(value.items)) if value.items else STRONG_FLOAT
    return array_of(value)._replace(is_certain=True) if isinstance(value, Leaf) else UNKNOWN


def _dtype(position: int, given: Given) -> Value | None:
    return given.get(position, DTYPE)


def of_dtype(dtype: Value | None) -> Leaf | None:
    """An array of a dtype that somebody gives; None without one."""
    if dtype is None or dtype is NONE:
        return None
    kind = kind_named(dtype.name.rpartition(".")[2]) if isinstance(dtype, Library) else None
    return Leaf(is_weak=False, kind=kind)


def kind_named(name: str) -> Kind | None:
    if name.startswith("bool"):
        return Kind.BOOL
    return next((kind for prefix, kind in _PREFIXES if name.rstrip("0123456789_") == prefix), None)


def _strong(value: Value) -> Value:
    return Leaf(is_weak=False, kind=value.kind if isinstance(value, Leaf) else None)


def _as_float(value: Value) -> Value:
    """What a function makes of numbers that only has results with a fraction."""
    if not isinstance(value, Leaf):
        return value
    return value._replace(kind=Kind.FLOAT, is_array=True, constant=None)


def of_integers(value: Value) -> Value:
    """What is no bool, although all operands are."""
    return value._replace(kind=None) if isinstance(value, Leaf) and value.kind is Kind.BOOL else value


def power(base: Value, exponent: Value) -> Value:
    """`x ** y`: a number of Python leaves the type as it is."""
    found = promoted([base, exponent])
    is_plain = isinstance(exponent, Leaf) and not exponent.is_array
    return found if found is STRONG_FLOAT or (is_plain and isinstance(base, Leaf)) else UNKNOWN


def quotient(parts: list[Value]) -> Value:
    """`x / y`."""
    found = promoted(parts)
    return found._replace(kind=Kind.FLOAT, constant=None) if isinstance(found, Leaf) else found


def attribute(array: Leaf, name: str) -> Value | None:
    """An attribute of an array that is no method."""
    if name in ("T", "mT", "real"):
        return array
    if name == "shape":
        return SHAPE
    return number(Kind.INTEGER) if name in ("itemsize", "nbytes", "ndim", "size") else None
