"""A dynamic class as a pytree: how it is flattened, and how structures are compared."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import math
import pickle
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax.tree_util import GetAttrKey, register_dataclass, tree_flatten, tree_flatten_with_path, tree_unflatten

from jaxtyped_static import Static, dynamic_dataclass, explain, jit
from jaxtyped_static._keys.interning import interned_count
from tests.runtime.dynamic_values import Grid, Leaves, Pair, State, Tagged, minmod, structure
from tests.runtime.static_values import ALIKE, label
from tests.runtime.test_static_dataclass_identity import VALUES, exact

state = State(jnp.arange(3.0), Grid(3))


def test_the_static_fields_are_the_metadata_and_the_others_the_children() -> None:
    leaves, treedef = tree_flatten(state)
    assert len(leaves) == 1 and leaves[0] is state.u
    assert (
        str(treedef) == f"PyTreeDef(CustomNode(State[grid=Grid(cells=3, length=1.0), limiter={minmod!r}], [*, None]))"
    )
    paths, _ = tree_flatten_with_path(replace(state, v={"a": 1}))
    assert [path for path, _ in paths] == [(GetAttrKey("u"),), (GetAttrKey("v"), jax.tree_util.DictKey("a"))]
    assert str(structure(Leaves(1))) == "PyTreeDef(CustomNode(Leaves[], [*, *]))"


@pytest.mark.parametrize(
    "leaves",
    [
        [object(), None],
        [jax.eval_shape(lambda: jnp.zeros(3)), jax.sharding.Mesh],
        ["text", int],
        [[1, 2], {"a": 1}],
    ],
)
def test_any_leaf_may_take_the_place_of_an_array(leaves: list[Any]) -> None:
    """No code of the class runs: a class counts what it is asked."""
    treedef = structure(Counted(1, 2, 3))
    before = Counted.made
    made: Any = tree_unflatten(treedef, leaves)
    assert type(made) is Counted and Counted.made == before
    assert made.x is leaves[0] and made.y is leaves[1] and made.tag == 3
    assert tree_flatten(made, is_leaf=lambda part: part is not made)[0] == leaves
    assert tree_flatten(made, is_leaf=lambda part: part is not made)[1] == treedef


@dynamic_dataclass
class Counted:
    x: Any
    y: Any
    tag: Static[int]

    made = 0

    def __post_init__(self) -> None:
        type(self).made += 1


@settings(max_examples=100)
@given(st.lists(st.one_of(st.integers(), st.text(), st.floats()), min_size=2, max_size=2), VALUES)
def test_flattening_and_unflattening_gives_the_same_object(values: list[Any], tag: Any) -> None:
    pair = Pair(first=values[0], second=Tagged(values[1], tag))
    leaves, treedef = tree_flatten(pair)
    again = tree_unflatten(treedef, leaves)
    assert tree_flatten(again) == (leaves, treedef)
    assert [value for _, value in tree_flatten_with_path(again)[0]] == leaves
    assert repr(again) == repr(pair)
    assert structure(copy.deepcopy(again)) == treedef == structure(pickle.loads(pickle.dumps(pair)))


# How structures are compared


@settings(max_examples=300)
@given(VALUES, VALUES)
def test_structures_are_equal_if_the_static_fields_are_exactly(one: Any, other: Any) -> None:
    first, second = (structure(Tagged(1, tag)) for tag in (one, other))
    assert (first == second) == (exact(one) == exact(other))
    if first == second:
        assert hash(first) == hash(second)


@pytest.mark.parametrize("group", ALIKE, ids=label)
def test_values_that_python_confuses_make_different_structures(group: tuple[Any, ...]) -> None:
    for one, other in itertools.combinations(group, 2):
        assert structure(Tagged(0, one)) != structure(Tagged(0, other)), (one, other)
    for value in group:
        assert structure(Tagged(0, value)) == structure(Tagged(1, copy.deepcopy(value)))


def test_two_classes_with_the_same_fields_are_different() -> None:
    @dynamic_dataclass
    class Other:
        x: Any
        tag: Static[Any]

    assert structure(Other(1, 2)) != structure(Tagged(1, 2))


def test_the_right_program_runs_where_register_dataclass_runs_the_wrong_one() -> None:
    @register_dataclass
    @dataclasses.dataclass(frozen=True)
    class Loose:
        u: jax.Array
        power: float = dataclasses.field(metadata={"static": True})

    @dynamic_dataclass
    class Exact:
        u: jax.Array
        power: Static[float]

    u = jnp.int32(100_000)
    for cls, wrong in ((Loose, True), (Exact, False)):
        program = jax.jit(lambda each: each.u**each.power)
        assert int(program(cls(u, 2))) == 1410065408
        assert (float(program(cls(u, 2.0))) != 1e10) is wrong


def test_equal_static_fields_share_a_program_even_nan() -> None:
    traces = []

    @jax.jit
    def f(each: Tagged) -> Any:
        traces.append(each.tag)
        return each.x

    for tag in (math.nan, float("nan"), (1, "a"), (1, "a"), Grid(3), Grid(3)):
        f(Tagged(1.0, tag))
    assert len(traces) == 3


def test_unused_metadata_is_freed() -> None:
    """Except the metadata that the class was asked for last."""
    latest = Tagged(0, "latest")
    before = interned_count()
    kept = [structure(Tagged(0, ("freed", n))) for n in range(10)]
    structure(latest)
    assert interned_count() == before + 10
    del kept
    assert interned_count() == before
    reference = weakref.ref(Grid(123))
    Tagged(0, Grid(123)), structure(latest)
    assert reference() is None


def test_threads_make_the_same_metadata() -> None:
    barrier = threading.Barrier(8)

    def build(_: int) -> list[Any]:
        barrier.wait()
        return [structure(Tagged(0, ("thread", n))) for n in range(200)]

    with ThreadPoolExecutor(8) as pool:
        first, *others = pool.map(build, range(8))
    assert all(other == first for other in others)


def test_a_new_trace_is_explained_by_the_static_field() -> None:
    @jit
    def program(each: Tagged) -> Any:
        return each.x

    with explain(program) as why:
        for tag in ((1, "a"), (2, "b"), (1.0, "a")):
            program(Tagged(1, tag))
    assert [str(each) for each in why.traces[2].differences] == ["each.tag[0]: 1 → 1.0"]
