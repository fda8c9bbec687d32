"""Long tuples and sets are keyed by their contents, and recognised by identity once they were keyed."""

from __future__ import annotations

import enum
import gc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxtyped_static._keys.long_keys import _known
from tests.runtime.guarded_values import Config, set_anyway
from tests.runtime.static_values import Box, Point
from tests.runtime.test_static_dataclass_identity import exact


@dataclass(frozen=True)
class Frozen:
    a: Any
    b: Any = 2.0


class Colour(enum.Enum):
    RED = 1


# Each is made again from numbers; a difference in the class of one number counts.
TABLES: list[Callable[[Any], Any]] = [
    lambda last: (*range(50), last),
    lambda last: frozenset({*range(2, 50), last}),
    lambda last: (*((f"key {n}", n) for n in range(50)), ("last", last)),
    lambda last: (*((n, n) for n in range(50)), (last, 1)),
    lambda last: tuple((n, (n, (last,))) for n in range(50)),
    lambda last: (*(float(n) for n in range(50)), last),
    lambda last: (*(Colour.RED for _ in range(50)), last),
    lambda last: (*(frozenset({n, last}) for n in range(3, 50)),),
    lambda last: (*(Frozen(n, last) for n in range(50)),),
    lambda last: (*(Point(n) for n in range(50)), last),
    lambda last: frozenset(Box(n) for n in range(50)) | {last},
]


@pytest.mark.parametrize("make", TABLES)
def test_equal_tables_are_one_object_and_others_are_not(make: Callable[[Any], Any]) -> None:
    table = make(1)
    box = Box(table)
    assert box is Box(table) is Box(make(1)) and box.item is table
    assert Box((table, 1)) is Box((make(1), 1))
    for other in (1.0, True, 0, "1", 2.5):
        assert Box(make(other)) is not box


def test_flat_and_nested_tuples_differ() -> None:
    flat, pairs = tuple(range(40)), tuple((n, n + 1) for n in range(0, 40, 2))
    assert len({Box(flat), Box(pairs), Box((flat,)), Box(tuple((n,) for n in range(40))), Box(frozenset(flat))}) == 5


ITEMS = st.sampled_from([0, 1, True, 0.0, -0.0, 1.0, "a", b"a", None, (1,), (1.0,), (), frozenset({1}), Point(1)])


@settings(max_examples=100, deadline=None)
@given(st.lists(ITEMS, min_size=17, max_size=20), st.lists(ITEMS, min_size=17, max_size=20), st.booleans())
def test_one_object_for_each_table(items: list[Any], others: list[Any], are_same: bool) -> None:
    one, other = tuple(items), tuple(items if are_same else others)
    assert (Box(one) is Box(other)) == (exact(one) == exact(other))
    pairs, its_pairs = tuple(zip(one, one, strict=True)), tuple(zip(other, other, strict=True))
    assert (Box(pairs) is Box(its_pairs)) == (exact(pairs) == exact(its_pairs))


def test_parts_that_can_be_changed_by_force_are_checked_each_time() -> None:
    inner = Config(1)
    table = (*range(50), (inner,))
    box = Box(table)
    set_anyway(inner, "power", 2)
    assert Box(table) is not box


def test_long_tuples_are_freed_with_the_last_value_that_holds_them() -> None:
    gc.collect()
    before = len(_known)
    boxes = [Box(tuple(range(n, n + 100))) for n in range(20)]
    assert len(_known) == before + 20
    assert all(Box(tuple(range(n, n + 100))) is box for n, box in enumerate(boxes))
    del boxes
    gc.collect()
    assert len(_known) == before
