"""The same class and exactly equal fields: the same object. Anything else: another object."""

from __future__ import annotations

import copy
import gc
import itertools
import math
import pickle
import struct
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from immutabledict import immutabledict

from jaxtyped_static import _static_dataclass, field, static_dataclass
from jaxtyped_static._classes import static_constructors
from jaxtyped_static._keys.interning import interned_count
from tests.processes import run_python
from tests.runtime.static_values import ALIKE, Box, Grid, Level, Point, Size, SlottedBox, Solver, Word, label


@pytest.mark.parametrize("group", ALIKE, ids=label)
def test_values_that_python_confuses_are_different_objects(group: tuple[Any, ...]) -> None:
    for one, other in itertools.combinations(group, 2):
        assert Box(one) is not Box(other), (one, other)
        assert Box(one) != Box(other)
    for value in group:
        assert Box(value) is Box(copy.deepcopy(value))
        assert Box((value,)) is Box((copy.deepcopy(value),))


def test_nan_equals_itself_by_its_bits() -> None:
    assert Box(float("nan")) is Box(math.nan)
    assert Box((float("nan"), 1)) is Box((math.nan, 1))
    assert Box(np.float64("nan")) is Box(np.float64("nan"))


def test_sets_have_one_order() -> None:
    """Equal sets may iterate in different orders; one of them is kept, so all readers see the same order."""
    one, other = frozenset([0, 8]), frozenset([8, 0])
    assert list(one) != list(other)
    assert Box(one) is Box(other)


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 2),
    st.sampled_from([0.0, -0.0, 1.0, -1.0, math.nan, -math.nan, math.inf]),
    st.complex_numbers(max_magnitude=1),
    st.sampled_from(["", "a", Word("a"), b"a"]),
    st.sampled_from([np.int32(1), np.int64(1), np.float32(0), np.float64(0), np.float64(-0.0), np.bool_(True)]),
    st.sampled_from([Level.ONE, int, np.float32, np.dtype("f4"), np.dtype("f8"), math.sin, Path.exists]),
    st.builds(range, st.integers(0, 2), st.integers(0, 2)),
)


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.lists(inner, max_size=2).map(tuple),
        st.frozensets(inner, max_size=2),
        st.dictionaries(st.sampled_from(["a", "b", 1, True]), inner, max_size=2).map(immutabledict),
        inner.map(Point),
        inner.map(Size),
        inner.map(Box),
        inner.map(SlottedBox),
    )


VALUES = st.recursive(SCALARS, containers, max_leaves=4)


def exact(value: Any) -> Any:
    """Writes a value out: an independent model of the keys."""
    cls = f"{type(value).__module__}.{type(value).__qualname__}"
    match value:
        case float() | complex() if type(value) in (float, complex):
            number = complex(value)
            return cls, struct.pack("<dd", number.real, number.imag)
        case np.generic():
            return cls, value.tobytes()
        case tuple():
            return cls, [exact(item) for item in value]
        case frozenset():
            return cls, sorted((exact(item) for item in value), key=repr)
        case immutabledict():
            return cls, [(exact(key), exact(item)) for key, item in value.items()]
        case Box() | SlottedBox():
            return cls, exact(value.item)
        case _:
            return cls, repr(value)


@settings(max_examples=400)
@given(VALUES, VALUES)
def test_one_object_for_each_value(one: Any, other: Any) -> None:
    assert (Box(one) is Box(other)) == (exact(one) == exact(other))
    assert (Box(one) == Box(other)) == (Box(one) is Box(other))
    assert len({Box(one), SlottedBox(one)}) == 2


@settings(max_examples=200)
@given(VALUES)
def test_copies_are_the_same_object(value: Any) -> None:
    for box in (Box(value), SlottedBox(value)):
        copies: list[Any] = [copy.deepcopy(box), replace(box), copy.deepcopy([box])[0]]
        copies += [pickle.loads(pickle.dumps(box, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
        assert all(each is box for each in copies)
        assert copy.copy(box) == box and hash(copy.copy(box)) == hash(box)
        assert type(box)(copy.deepcopy(value)) is box


def test_pickles_of_another_process_are_the_same_object() -> None:
    program = (
        "import pickle; from tests.runtime.static_values import *\n"
        "value = Grid(shape=(1, 2.0), solver=Solver(3, scale=-0.0, name='x'))\n"
        "for protocol in 2, 5: print(pickle.dumps((value, Box(value)), protocol).hex())"
    )
    grid: Grid[float] = Grid(shape=(1, 2.0), solver=Solver(3, scale=-0.0, name="x"))
    done = run_python(program)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.split()
    assert len(lines) == 2
    for line in lines:
        theirs, boxed = pickle.loads(bytes.fromhex(line))
        assert theirs is grid
        assert boxed is Box(grid)


def test_pickles_hold_the_constructor_arguments() -> None:
    value = Prepared(3)
    assert value.cached == 6
    assert value.__reduce__()[1][1] == {"n": 3, "table": (0, 1, 2)}
    assert pickle.loads(pickle.dumps(value)) is value
    data = pickle.dumps(value)
    del value
    gc.collect()
    again = pickle.loads(data)
    assert (again.table, again.doubled) == ((0, 1, 2), 6)
    assert again is Prepared(3)


def test_sixteen_threads_make_the_same_objects() -> None:
    barrier = threading.Barrier(16)
    previous = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def build(_: int) -> list[Any]:
        barrier.wait()
        return [Box((n, Box(float(n % 7)), frozenset({n}))) for n in range(300)]

    try:
        with ThreadPoolExecutor(16) as pool:
            first, *others = pool.map(build, range(16))
    finally:
        sys.setswitchinterval(previous)
    for other in others:
        assert all(one is another for one, another in zip(first, other, strict=True))


def test_threads_that_make_and_drop_values_never_see_two() -> None:
    def churn(seed: int) -> bool:
        for n in range(2000):
            one, other = Box(("churn", n % 3)), Box(("churn", n % 3))
            if one is not other:
                return False
            del one, other
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(churn, range(8)))


def test_unused_values_are_freed() -> None:
    gc.collect()
    before = interned_count()
    reference = weakref.ref(Box(("freed", 1.5)))
    assert reference() is None
    kept = [Box(("freed", n)) for n in range(100)]
    assert interned_count() == before + 100
    del kept
    for n in range(100_000):
        Box(("freed", n))
    assert interned_count() == before


def test_only_jax_and_flax_keep_a_class_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    """JAX and Flax keep each registered class, and offer no way to forget one."""
    monkeypatch.setattr(static_constructors, "register_static", lambda cls: None)
    monkeypatch.setattr(_static_dataclass, "register_static", lambda cls: None)

    def make() -> weakref.ref[type]:
        @static_dataclass
        class Local:
            x: int

        assert Box(Local(1)) is Box(Local(1)) and Box((Local(2),)) is Box((Local(2),))
        return weakref.ref(Local)

    reference = make()
    gc.collect()
    assert reference() is None


@static_dataclass
class Prepared:
    n: int
    table: tuple[int, ...] = ()
    doubled: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "table", tuple(range(self.n)))
        object.__setattr__(self, "doubled", 2 * self.n)

    @cached_property
    def cached(self) -> int:
        return self.n * 2
