"""A dynamic class as a pytree, in JAX's transformations and as a dataclass."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import itertools
import math
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, asdict, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax.tree_util import GetAttrKey, register_dataclass, tree_flatten, tree_flatten_with_path, tree_unflatten

from jaxtyped_static import (
    Static,
    StaticContractError,
    check_static,
    dynamic_dataclass,
    explain,
    jit,
    static_dataclass,
)
from jaxtyped_static.copying import rebuild
from jaxtyped_static.metadata import metadata_of
from tests.runtime.dynamic_values import Grid, Leaves, Pair, State, Tagged, minmod, structure
from tests.runtime.static_values import ALIKE
from tests.runtime.test_static_dataclass_identity import VALUES, exact

ROOT = Path(__file__).parents[2]
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
    """And nothing of the class runs: a class that counts what it is asked."""
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


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(st.integers(), st.text(), st.floats()), min_size=2, max_size=2), VALUES)
def test_what_is_taken_apart_and_put_together_is_the_same(values: list[Any], tag: Any) -> None:
    pair = Pair(first=values[0], second=Tagged(values[1], tag))
    leaves, treedef = tree_flatten(pair)
    again = tree_unflatten(treedef, leaves)
    assert tree_flatten(again) == (leaves, treedef)
    assert [value for _, value in tree_flatten_with_path(again)[0]] == leaves
    assert repr(again) == repr(pair)
    assert structure(copy.deepcopy(again)) == treedef == structure(pickle.loads(pickle.dumps(pair)))


# What a structure is compared by


@settings(max_examples=300, deadline=None)
@given(VALUES, VALUES)
def test_structures_are_equal_if_the_static_fields_are_exactly(one: Any, other: Any) -> None:
    first, second = (structure(Tagged(1, tag)) for tag in (one, other))
    assert (first == second) == (exact(one) == exact(other))
    if first == second:
        assert hash(first) == hash(second)


@pytest.mark.parametrize("group", ALIKE, ids=repr)
def test_values_that_python_takes_for_one_another_make_different_structures(group: tuple[Any, ...]) -> None:
    for one, other in itertools.combinations(group, 2):
        assert structure(Tagged(0, one)) != structure(Tagged(0, other)), (one, other)
    for value in group:
        assert structure(Tagged(0, value)) == structure(Tagged(1, copy.deepcopy(value)))


def test_two_classes_of_the_same_fields_are_different() -> None:
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


def test_equal_static_fields_share_a_program_and_nan_does_too() -> None:
    traces = []

    @jax.jit
    def f(each: Tagged) -> Any:
        traces.append(each.tag)
        return each.x

    for tag in (math.nan, float("nan"), (1, "a"), (1, "a"), Grid(3), Grid(3)):
        f(Tagged(1.0, tag))
    assert len(traces) == 3


def test_metadata_that_nobody_uses_is_freed() -> None:
    from jaxtyped_static.interning import interned_count

    before = interned_count()
    kept = [Tagged(0, ("freed", n)) for n in range(10)]
    assert interned_count() == before + 10
    kept = [jax.tree.map(lambda x: x, each) for each in kept]
    assert interned_count() == before + 10
    del kept
    assert interned_count() == before


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


# In JAX's transformations


def test_jit_methods_properties_and_static_parameters() -> None:
    assert float(state.energy()) == pytest.approx(5 / 3)
    assert state.doubled.tolist() == [0, 2, 4]
    stepped = state.step(jnp.float32(1), n=2)
    assert type(stepped) is State and stepped.u.tolist() == [2, 3, 4] and stepped.grid is state.grid

    @jit
    def f(state: State, grid: Static[Grid]) -> State:
        return replace(state, u=state.limiter(state.u) * grid.cells, grid=grid)

    finer = f(state, Grid(6))
    assert finer.grid is Grid(6) and finer.u.shape == (3,)


def test_vmap_scan_grad_map_and_the_like() -> None:
    batch = jax.vmap(lambda scale: replace(state, u=state.u * scale))(jnp.arange(2.0))
    assert batch.u.shape == (2, 3) and batch.grid is state.grid
    axes = State(0, Grid(3), None)  # type: ignore[arg-type]
    assert jax.vmap(State.energy, in_axes=(axes,))(batch).shape == (2,)

    final, energies = jax.lax.scan(lambda carry, _: (carry.step(jnp.float32(0.5)), carry.energy()), state, length=4)
    assert type(final) is State and final.u.tolist() == [2, 3, 4] and energies.shape == (4,)

    gradient = jax.grad(State.energy)(state)
    assert type(gradient) is State and gradient.grid is state.grid
    assert np.allclose(gradient.u, 2 * state.u / 3)

    value, pullback = jax.vjp(State.energy, state)
    assert np.allclose(pullback(value)[0].u, value * gradient.u)
    assert jax.eval_shape(lambda s: s, state).u.shape == (3,)
    assert jax.lax.cond(True, lambda s: s, lambda s: replace(s, u=-s.u), state).u.tolist() == [0, 1, 2]
    assert jax.lax.while_loop(lambda s: s.u[0] < 3, lambda s: replace(s, u=s.u + 1), state).u.tolist() == [3, 4, 5]
    assert jax.checkpoint(State.energy)(state) == state.energy()
    assert jax.tree.map(jnp.add, state, state).u.tolist() == [0, 2, 4]
    assert jax.tree.leaves(jax.device_put(state))[0].tolist() == [0, 1, 2]
    donating = jax.jit(lambda s: replace(s, u=s.u + 1), donate_argnums=0)
    assert donating(jax.tree.map(jnp.copy, state)).u.tolist() == [1, 2, 3]


def test_a_structure_that_changes_is_told_by_the_names_of_the_static_fields() -> None:
    def refine(carry: State, _: None) -> tuple[State, None]:
        return replace(carry, grid=Grid(carry.grid.cells + 1)), None

    with pytest.raises(TypeError, match=r"metadata grid=Grid\(cells=3, .* metadata grid=Grid\(cells=4, "):
        jax.lax.scan(refine, state, length=2)
    with pytest.raises(ValueError, match=r"grid=Grid\(cells=4, "):
        jax.tree.map(jnp.add, state, replace(state, grid=Grid(4)))


def test_static_fields_are_verified_when_an_object_is_made() -> None:
    def refused(make: Any) -> tuple[str, str]:
        with pytest.raises(StaticContractError) as caught:
            make()
        return caught.value.code, caught.value.path

    assert refused(lambda: State(state.u, jnp.ones(2))) == ("static-dynamic", "State.grid")  # type: ignore[arg-type]
    assert refused(lambda: Tagged(0, (1, [2]))) == ("static-mutable", "Tagged.tag[1]")  # type: ignore[static-mutable]
    assert refused(lambda: Tagged(0, lambda: 1)) == ("static-callable", "Tagged.tag")  # type: ignore[static-callable]
    assert refused(lambda: Tagged(0, Tagged(1, 2))) == ("static-dynamic", "Tagged.tag")  # type: ignore[static-dynamic]
    assert refused(lambda: replace(state, limiter=lambda x: x))[1] == "State.limiter"  # type: ignore[static-callable]
    assert refused(lambda: jax.jit(lambda s: replace(s, grid=s.u[0]))(state)) == ("static-traced", "State.grid")
    assert refused(lambda: Pair(first=0, second=0, weights=[1.0])) == (  # type: ignore[arg-type]
        "static-mutable",
        "Pair.weights",
    )
    handle: Any = {}
    assert structure(Pair(first=0, second=0, handle=handle)) != structure(Pair(first=0, second=0, handle={}))
    assert refused(lambda: jax.jit(lambda x: Pair(first=x, second=x, handle=x))(1.0))[0] == "static-traced"


def test_an_object_with_data_is_no_static_value_and_one_without_is() -> None:
    @dynamic_dataclass
    class Frozen:  # type: ignore[pytree-static]
        n: Static[int]

    @static_dataclass
    class Holder:
        inner: Any

    check_static(Frozen(1))
    assert Holder(Frozen(1)) is Holder(Frozen(1)) is not Holder(Frozen(True))
    with pytest.raises(StaticContractError) as caught:
        Holder(Leaves(1))  # type: ignore[static-dynamic]
    assert (caught.value.code, caught.value.path) == ("static-dynamic", "Holder.inner")


# As a dataclass


def test_fields_defaults_and_views() -> None:
    assert is_dataclass(state)
    assert [each.name for each in fields(state)] == ["u", "grid", "v", "limiter"]
    assert repr(Tagged(1, "a")) == "Tagged(x=1, tag='a')"
    assert asdict(Tagged((1, 2), Grid(1))) == {"x": (1, 2), "tag": {"cells": 1, "length": 1.0}}
    assert Tagged(1, 2) == Tagged(1, 2) != Tagged(1, 3)
    assert hash(Tagged(1, 2)) == hash(Tagged(1, 2))
    with pytest.raises(TypeError, match="unhashable"):
        hash(state)
    assert list(inspect.signature(State).parameters) == ["u", "grid", "v", "limiter"]
    with pytest.raises(TypeError, match=r"Tagged\.__init__\(\) missing 1 required positional argument: 'tag'"):
        Tagged(1)  # type: ignore[call-arg]
    match Tagged(1, 2):
        case Tagged(x, tag=2):
            assert x == 1
        case _:
            raise AssertionError
    for name in ("u", "grid", "new"):
        with pytest.raises(FrozenInstanceError):
            setattr(state, name, 1)
        with pytest.raises(FrozenInstanceError):
            delattr(state, name)


def test_options_of_the_decorator() -> None:
    @dynamic_dataclass(repr=False, eq=False, match_args=False, kw_only=True)
    class Plain:
        x: Any
        n: Static[int] = 1

    @dynamic_dataclass()
    class Called:
        x: Any

    plain = Plain(x=1)
    assert "object at" in repr(plain) and plain != Plain(x=1) and not hasattr(Plain, "__match_args__")
    assert structure(plain) == structure(Plain(x=1))
    assert jax.tree.leaves(Called(1)) == [1]
    with pytest.raises(TypeError):
        dynamic_dataclass(frozen=False)  # type: ignore[call-overload]


def test_copies_and_pickles() -> None:
    value = State(np.arange(3.0), Grid(2), [np.ones(1)])  # type: ignore[arg-type]
    copies = [copy.copy(value), replace(value), copy.deepcopy(value)]
    copies += [pickle.loads(pickle.dumps(value, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for each in copies:
        assert type(each) is State and each.u.tolist() == [0, 1, 2]
        assert each.grid is value.grid and each.limiter is minmod
        assert structure(each) == structure(value)
    assert copies[0].v is value.v is copies[1].v is not copies[2].v
    assert pickle.loads(pickle.dumps(Leaves(1))) == Leaves(1) == copy.deepcopy(Leaves(1))
    if sys.version_info >= (3, 13):
        assert copy.replace(value, grid=Grid(5)).grid is Grid(5)


def test_pickles_of_another_process_have_the_same_structure() -> None:
    program = (
        "import pickle, sys, numpy; from tests.runtime.dynamic_values import *\n"
        "value = State(numpy.arange(2), Grid(2), Pair(first=1, second=Leaves(2), weights=(1.0, -0.0)))\n"
        "sys.stdout.buffer.write(pickle.dumps(value, int(sys.argv[1])))"
    )
    here = State(0, Grid(2), Pair(first=0, second=Leaves(0), weights=(1.0, -0.0)))  # type: ignore[arg-type]
    for protocol in ("2", "5"):
        done = subprocess.run([sys.executable, "-c", program, protocol], cwd=ROOT, capture_output=True, timeout=120)
        assert done.returncode == 0, done.stderr.decode()
        theirs = pickle.loads(done.stdout)
        assert structure(theirs) == structure(here)
        assert theirs.u.tolist() == [0, 1] and theirs.v.second == Leaves(2)


def test_a_deep_copy_has_the_same_structure() -> None:
    """Though a static field may be compared by identity."""
    pair = Pair(first=[1], second=2, handle=[3])
    again = copy.deepcopy(pair)
    assert structure(again) == structure(pair) == structure(copy.copy(pair))
    assert again.handle is pair.handle and again.first is not pair.first
    shared: Any = copy.deepcopy([pair, pair.first])
    assert shared[0].first is shared[1]


def test_a_pickle_is_read_by_the_names_of_the_fields() -> None:
    reduced: Any = Tagged(1, "a").__reduce__()
    cls, attributes = reduced[1]
    assert attributes == {"x": 1, "tag": "a"}
    assert rebuild(Leaves, {"x": 1}) == Leaves(1, 0)
    with pytest.raises(TypeError, match="the pickled Tagged and the class differ in more, tag"):
        rebuild(cls, {"x": 1, "more": 2})
    with pytest.raises(StaticContractError, match=r"Tagged\.tag: list is mutable"):
        rebuild(Tagged, {"x": 1, "tag": [1]})
    with pytest.raises(TypeError, match="the pickled metadata and the static fields of Tagged differ in label, tag"):
        metadata_of(Tagged, {"label": 1})


def test_a_class_may_pickle_in_its_own_way() -> None:
    value = pickle.loads(pickle.dumps(Own(1, 2)))
    assert value == Own(10, 2)
    assert structure(value) == structure(Own(0, 2))


@dynamic_dataclass
class Own:
    x: Any
    n: Static[int]

    def __getstate__(self) -> dict[str, Any]:
        return {"x": self.x * 10, "n": self.n}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        for name, value in saved.items():
            object.__setattr__(self, name, value)
