"""Each value has a program of its own, whether it holds NaN, changes, computes a part later or is a network."""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyped_static import guard
from tests.runtime.guarded_values import unseen
from tests.runtime.hand_written_values import ByHand, State, WithHash, compiled
from tests.runtime.static_values import Box

# NaN


@dataclasses.dataclass(frozen=True)
class Holder:
    item: Any


@pytest.mark.parametrize(
    "make",
    [
        lambda: WithHash(float("nan")),
        lambda: WithHash((float("nan"), 1)),
        lambda: WithHash(WithHash(float("nan"))),
        lambda: WithHash(Holder(float("nan"))),
        lambda: Holder(WithHash(float("nan"))),
        lambda: WithHash(complex(math.nan, 0)),
    ],
)
def test_nan_in_a_hand_written_class_is_one_value(make: Callable[[], Any]) -> None:
    traces: list[Any] = []

    def body(x: Any, box: Any) -> Any:
        traces.append(box)
        return x

    program = compiled(body, "box")
    for _ in range(3):
        program(1.0, Box(make()))
    assert len(traces) == 1 and Box(make()) is not Box(unseen(WithHash(1.0)))


class Unique(ByHand):
    """Distinguishes objects by more than their attributes."""

    def __init__(self, a: Any) -> None:
        super().__init__(a)
        NUMBERS_OF[id(self)] = len(NUMBERS_OF)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unique) and NUMBERS_OF[id(self)] == NUMBERS_OF[id(other)]

    __hash__ = ByHand.__hash__


NUMBERS_OF: dict[int, int] = {}


def test_what_the_own_equality_distinguishes_stays_distinct() -> None:
    one, other = unseen(Unique(1)), unseen(Unique(1))
    assert Box(one) is Box(one) is not Box(other)


# Values that change


@pytest.mark.parametrize("cls", [ByHand, WithHash])
def test_a_changed_copy_does_not_pass_its_program_on(cls: Any) -> None:
    program = compiled(lambda x, box: x * box.item._a, "box")
    value = cls(1.0)
    copied = copy.copy(value)
    assert program(1.0, Box(copied)) == 1
    copied._a = 5.0
    numbers = [float(program(1.0, Box(each))) for each in (value, cls(1.0), cls(5.0), copied, value, cls(5.0))]
    assert numbers == [1, 1, 5, 5, 1, 5]


@pytest.mark.parametrize("cls", [ByHand, WithHash])
def test_a_changed_value_in_a_new_pytree_gets_a_program_of_its_own(cls: Any) -> None:
    program = compiled(lambda state: state.x * state.config._a)
    value, x = cls(1.0), jnp.ones(())
    kept = State(x, value)
    assert program(kept) == program(State(x, value)) == 1
    value._a = 7.0
    numbers = [float(program(state)) for state in (State(x, value), kept, State(x, cls(1.0)), State(x, cls(7.0)))]
    assert numbers == [7, 7, 1, 7]


def test_a_changed_copy_of_a_static_object_does_not_either() -> None:
    program = compiled(lambda x, box: x * box.item, "box")
    copied = copy.copy(Box(1.0))
    assert program(1.0, copied) == 1
    object.__setattr__(copied, "item", 5.0)
    assert program(1.0, Box(5.0)) == 5
    assert program(1.0, Box(1.0)) == 1
    assert copied not in (Box(1.0), Box(5.0))


class Lazy(ByHand):
    """Computes on first use, and keeps the result."""

    def __init__(self, a: Any) -> None:
        super().__init__(a)
        self._table: dict[str, Any] = {}
        self._norm: Any = None

    def norm(self) -> Any:
        self._norm, self._later = np.ones(3), 1
        self._table["norm"] = 1
        return self._a


def test_what_an_object_computes_later_costs_no_compilation_on_each_call() -> None:
    traces: list[Any] = []

    def body(x: Any, box: Any) -> Any:
        traces.append(box)
        return x * (box.item if type(box) is Box else box).norm()

    for hold in (Box, unseen):
        traces.clear()
        program = compiled(body, "box")
        with guard():
            for _ in range(5):
                assert program(1.0, hold(unseen(Lazy(2.0)))) == 2
        assert len(traces) == 1


def test_a_pytree_keeps_its_structure_while_a_memo_of_its_value_is_filled() -> None:
    def double(state: Any, _: object) -> tuple[Any, None]:
        return State(state.x * state.config.norm(), state.config), None

    value = unseen(Lazy(2.0))
    last, _ = jax.lax.scan(double, State(jnp.ones(()), value), length=3)
    assert last.x == 8
    other = unseen(Lazy(3.0))  # No other object is equal to it.
    before: Any = jax.tree.structure(State(jnp.ones(()), other))
    other.norm()
    assert before == jax.tree.structure(State(jnp.ones(()), other))


class Node(ByHand):
    """Knows its neighbours, which know it."""

    def __init__(self, a: Any) -> None:
        super().__init__(a)
        self._neighbours: list[Node] = []


def network(numbers: Any) -> Any:
    nodes = [Node(number) for number in numbers]
    for node in nodes:
        node._neighbours += nodes
    return nodes[0]


def test_a_network_of_private_objects_is_one_value_and_is_visited_once() -> None:
    boxes = [Box(network(numbers)) for numbers in (range(40), range(40), map(float, range(40)))]
    assert boxes[0] is boxes[1] is not boxes[2]
