"""What is taken for weak or strong of what JAX's functions return has these types under the installed JAX."""

from __future__ import annotations

import ast
import contextlib
import math
import operator
from itertools import product
from typing import Any, Final

import jax
import jax.numpy as jnp
import pytest

from jaxtyped_static_cli.mypy_runs.weak import arrays
from jaxtyped_static_cli.mypy_runs.weak.expressions import item_of, operated
from jaxtyped_static_cli.mypy_runs.weak.python_functions import OF_MATH
from jaxtyped_static_cli.mypy_runs.weak.scopes import Given
from jaxtyped_static_cli.mypy_runs.weak.values import Kind, Leaf, Library, Tuple, Value, number

KINDS: Final = {"b": Kind.BOOL, "i": Kind.INTEGER, "u": Kind.INTEGER, "f": Kind.FLOAT}
DTYPES: Final = {Kind.BOOL: jnp.bool_, Kind.INTEGER: jnp.int32, Kind.FLOAT: jnp.float32}
LEAVES: Final = [
    Leaf(is_weak=is_weak, kind=kind)
    for kind in Kind
    for is_weak in (True, False)
    if not (is_weak and kind is Kind.BOOL)
]
SHAPE: Final = (2, 2)
# What some functions take besides arrays: before these and behind them.
BEFORE: Final[dict[str, tuple[Any, ...]]] = {"where": (True,), "einsum": ("ij,jk",)}
AFTER: Final[dict[str, tuple[Any, ...]]] = {
    "reshape": ((4,),),
    "expand_dims": (0,),
    **dict.fromkeys(("array_split", "repeat", "roll", "split", "tile"), (2,)),
    **dict.fromkeys(("moveaxis", "swapaxes"), (0, 1)),
    "broadcast_to": (SHAPE,),
    "permute_dims": ((1, 0),),
}
PAIRS: Final = arrays.OF_ALL - {"clip"} | {"arctan2", "logaddexp"}
OTHERS: Final = {"take": (jnp.zeros((), int),), "digitize": (jnp.ones(3),), "clip": (0, 1)}
NODES: Final = {
    operator.floordiv: ast.FloorDiv(),
    operator.mod: ast.Mod(),
    operator.pow: ast.Pow(),
    operator.truediv: ast.Div(),
}
OPERATORS: Final = [operator.add, operator.sub, operator.mul, operator.matmul, *NODES]
FUNCTIONS: Final[Any] = jnp


def array(leaf: Leaf) -> Any:
    struct: Any = jax.ShapeDtypeStruct
    return struct(SHAPE, DTYPES[leaf.kind or Kind.BOOL], weak_type=leaf.is_weak)


def by_jax(function: Any, *given: Leaf) -> tuple[bool, Kind] | None:
    """What JAX makes of arrays; None if it refuses them."""
    try:
        found = jax.eval_shape(function, *map(array, given))
    except (TypeError, ValueError):
        return None
    found = found[0] if isinstance(found, list | tuple) else found
    return found.weak_type, KINDS[found.dtype.kind]


def agrees(ours: Value, theirs: tuple[bool, Kind] | None) -> bool:
    if theirs is None or not isinstance(ours, Leaf):
        return True  # unknown is silent
    return ours.is_weak == theirs[0] and ours.kind in (None, theirs[1])


NAMES: Final = sorted(
    {*arrays.OF_FIRST, *arrays.OF_ALL, *arrays.OF_ITEMS, *arrays.FLOATS, *arrays.STRONG_FLOATS}
    | {*arrays.STRONG_ARRAYS, *arrays.BOOLS, "zeros_like", "ones_like", "array", "asarray"}
)


@pytest.mark.parametrize("name", NAMES)
def test_functions_of_arrays(name: str) -> None:
    before, after = BEFORE.get(name, ()), (*OTHERS.get(name, ()), *AFTER.get(name, ()))
    count = 2 if name in PAIRS | arrays.OF_ITEMS or (name.startswith("logical_") and name != "logical_not") else 1
    known = 0
    for given in product(LEAVES, repeat=count):
        if name in arrays.OF_ITEMS:
            ours = arrays.of_numpy(name, Given((Tuple(given),)))
            theirs = by_jax(lambda *items: FUNCTIONS.__dict__[name](items), *given)
        else:
            bounds = (number(Kind.INTEGER),) * 2 if name == "clip" else ()
            ours = arrays.of_numpy(name, Given((*(number(Kind.BOOL) for _ in before), *given, *bounds)))
            theirs = by_jax(lambda *items: FUNCTIONS.__dict__[name](*before, *items, *after), *given)
        assert agrees(ours, theirs), (given, ours, theirs)
        known += isinstance(ours, Leaf) and theirs is not None
    assert known


@pytest.mark.parametrize("operation", OPERATORS, ids=lambda operation: operation.__name__)
def test_operators(operation: Any) -> None:
    for given in product(LEAVES, repeat=2):
        ours = operated(NODES.get(operation, ast.Add()), list(given))
        assert agrees(ours, by_jax(operation, *given)), given


def test_a_power_of_a_number_keeps_the_type() -> None:
    for leaf in LEAVES[1:]:
        ours = operated(ast.Pow(), [leaf, number(Kind.INTEGER)])
        assert agrees(ours, by_jax(lambda x: x**2, leaf)), leaf


def test_a_comparison_of_weak_types_is_weak() -> None:
    assert by_jax(operator.lt, LEAVES[1], LEAVES[1]) == (True, Kind.BOOL)
    assert by_jax(operator.lt, LEAVES[1], LEAVES[2]) == (False, Kind.BOOL)


MADE: Final[dict[str, tuple[Any, bool]]] = {
    "array": (jnp.array, True),
    "asarray": (jnp.asarray, True),
    "full": (lambda value, *dtype: jnp.full(SHAPE, value, *dtype), True),
    "zeros": (lambda value, *dtype: jnp.zeros(SHAPE, *dtype), False),
    "ones": (lambda value, *dtype: jnp.ones(SHAPE, *dtype), False),
    "empty": (lambda value, *dtype: jnp.empty(SHAPE, *dtype), False),
}


@pytest.mark.parametrize("name", sorted(MADE))
@pytest.mark.parametrize("value", [1, 0.5, True])
@pytest.mark.parametrize("dtype", [None, "float32", "int32"])
def test_what_is_made_of_a_number(name: str, value: float, dtype: str | None) -> None:
    make, takes_value = MADE[name]
    found = make(value, *([dtype] if dtype else []))
    kind = Kind.BOOL if value is True else Kind.INTEGER if value == 1 else Kind.FLOAT
    before = () if name in ("array", "asarray") else (Tuple(()),)
    typed = (Library(f"jax.numpy.{dtype}"),) if dtype else ()
    ours = arrays.of_numpy(name, Given((*before, *((number(kind),) if takes_value else ()), *typed)))
    assert agrees(ours, (found.weak_type, KINDS[found.dtype.kind]))
    assert isinstance(ours, Leaf)


def test_what_is_made_of_a_list_is_strong() -> None:
    assert not jnp.array([1.0, 2.0]).weak_type
    assert arrays.of_numpy("array", Given((Tuple((number(Kind.FLOAT),)),))) == Leaf(is_weak=False, kind=Kind.FLOAT)


def test_items_and_updates_keep_the_type() -> None:
    weak = jnp.full((2,), 0.5)
    assert weak[0].weak_type
    assert weak.at[0].set(jnp.ones(())).weak_type
    ours = Leaf(is_weak=True, kind=Kind.FLOAT)
    assert item_of(ours, number(Kind.INTEGER)) == ours


GIVEN: Final[list[tuple[Any, ...]]] = [
    (2.5,),
    (0.5,),
    (4,),
    (2.5, 1.5),
    (4, 2),
    ([2.5],),
    ([2.5], [1.5]),
    (2.5, 1),
    (2.5,) * 3,
]
OF_TYPES: Final[dict[type, Kind]] = {bool: Kind.BOOL, int: Kind.INTEGER, float: Kind.FLOAT}


@pytest.mark.parametrize("name", [name for name in dir(math) if callable(getattr(math, name)) and name[0] != "_"])
def test_functions_of_math(name: str) -> None:
    """They return a number of the kind that is said, if one is."""
    kind = OF_MATH.get(name, Kind.FLOAT)
    for arguments in GIVEN:
        with contextlib.suppress(TypeError, ValueError):
            assert kind in (None, OF_TYPES.get(type(getattr(math, name)(*arguments))))
            return
    pytest.fail("nothing that it takes")
