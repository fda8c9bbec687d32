"""`explain` sees a difference between two calls exactly if JAX traces the second."""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxtyped_static import Static, dynamic_dataclass, jit, jitted, static_dataclass
from jaxtyped_static._calls.watching import Call, Observer
from jaxtyped_static._traces.entries import Entry, entry_of
from jaxtyped_static._traces.entry_differences import differences
from tests.runtime.tracing import watch


@dataclass(frozen=True)
class Frozen:
    n: Any
    note: Any = field(default="", compare=False)


@static_dataclass
class Exact:
    n: Any


@dataclass(frozen=True, eq=False)
class ByIdentity:
    n: Any


class Point(NamedTuple):
    n: Any


class Level(enum.IntEnum):
    ONE = 1


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class State:
    u: Any
    n: Any = field(default=0, metadata={"static": True})


@dynamic_dataclass
class Dynamic:
    u: Any
    n: Static[Any] = 0


def named(x: Any) -> Any:
    return x


ATOMS: list[Any] = [1, 1.0, True, 0.0, -0.0, float("nan"), "1", None, Level.ONE, 2, named, int]
SCALARS: list[Any] = [np.float32(1), np.float64(1), np.int32(1)]  # Comparing these with tuples gives arrays.
LEAVES: list[Callable[[], Any]] = [
    *(lambda: 1.0, lambda: 1, lambda: True, lambda: 1j, lambda: None, lambda: np.float64(2)),
    *(lambda: np.ones(2), lambda: jnp.ones(2), lambda: jnp.ones(3), lambda: jnp.float32(1), lambda: jnp.ones(2, bool)),
    *(lambda: jnp.asarray(1.0), lambda: jax.random.key(0)),
]


def values(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    made = st.sampled_from([Frozen, ByIdentity, Point, functools.partial(functools.partial, named)])
    return st.one_of(
        st.builds(lambda cls, n: cls(n), made, children),
        st.builds(Exact, st.sampled_from(ATOMS)),
        st.builds(Frozen, children, st.sampled_from(["", "note"])),
        st.lists(children, max_size=2).map(tuple),
        st.frozensets(st.sampled_from([1, True, "a"]), max_size=2),
    )


def trees(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    metadata = st.sampled_from([1, 1.0, 2, (1, 2), (1, 2.0), "a", Exact(1), Exact(1.0)])
    return st.one_of(
        st.lists(children, max_size=2),
        st.lists(children, max_size=2).map(tuple),
        st.dictionaries(st.sampled_from("ab"), children, max_size=2),
        st.builds(lambda cls, u, n: cls(u, n), st.sampled_from([State, Dynamic]), children, metadata),
        st.builds(Point, children),
    )


STATIC = st.one_of(st.sampled_from(SCALARS), st.recursive(st.sampled_from(ATOMS), values, max_leaves=3))
DYNAMIC = st.recursive(st.sampled_from(LEAVES).map(lambda make: make()), trees, max_leaves=3)
CALLS = st.one_of(
    st.tuples(DYNAMIC, STATIC).map(lambda both: (both, {})),
    st.tuples(DYNAMIC, STATIC).map(lambda both: ((both[0],), {"c": both[1]})),
    DYNAMIC.map(lambda x: ((x,), {})),
    st.tuples(DYNAMIC, DYNAMIC).map(lambda both: ((both[0],), {"y": both[1]})),
)


class Seen(Observer):
    """The calls of a function, traced or not."""

    def __init__(self, fun: object) -> None:
        self.fun = fun
        self.entries: list[Entry] = []
        self.traced: list[bool] = []

    def after(self, call: Call, *, traced: bool, failed: bool) -> None:
        if call.fun is self.fun:
            self.entries.append(entry_of(call, "step"))
            self.traced.append(traced)


def seen(*calls: Any) -> Seen:
    """Returns what a new function reports for these calls. They only ask for the result's shape, which also traces."""

    def step(x: Any, c: Static[Any] = 1, y: Any = 1.0) -> Any:
        return x

    compiled = jitted(jit(step))
    observer = Seen(step)
    with watch(observer):
        for args, kwargs in calls:
            compiled.eval_shape(*args, **kwargs)
    return observer


@given(CALLS, CALLS)
@settings(max_examples=300)
def test_calls_differ_if_and_only_if_jax_traces_again(one: Any, other: Any) -> None:
    two = seen(one, other)
    found = differences(*two.entries)
    assert two.traced == [True, bool(found)], [str(each) for each in found]


@given(CALLS)
def test_a_call_does_not_differ_from_itself(call: Any) -> None:
    two = seen(call, call)
    assert (differences(*two.entries), two.traced) == ((), [True, False])
