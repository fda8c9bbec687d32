"""Values that contain themselves, or are nested very deep: an error that says where, instead of a RecursionError."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import pytest

from jaxtyped_static import (
    Static,
    StaticContractError,
    check_static,
    dynamic_dataclass,
    explain,
    guard,
    jit,
    static_dataclass,
)
from tests.runtime.static_values import Box


@dataclasses.dataclass(frozen=True)
class Node:
    n: int
    next: Any = dataclasses.field(default=None, hash=False)  # Otherwise JAX fails before anybody is asked.


@static_dataclass
class Link:
    n: int
    next: Any = None


@dynamic_dataclass
class State:
    x: Any
    node: Static[Any]


def ring() -> Node:
    first, second = Node(1), Node(2)
    object.__setattr__(first, "next", second)
    object.__setattr__(second, "next", first)
    return first


def chain(cls: Any, length: int) -> Any:
    value = None
    for number in range(length):
        value = cls(number, value)
    return value


@jit
def add(x: Any, node: Static[Any]) -> Any:
    return x + node.n


def guarded(value: Any) -> None:
    with guard():
        add(1.0, value)


WAYS: dict[str, Callable[[Any], object]] = {
    "Box.item": Box,
    "State.node": lambda value: State(1.0, value),
    "Node": check_static,
    "value[1]": lambda value: check_static((1, value)),
    'add(): argument "node": Node': guarded,
}


@pytest.mark.parametrize("root", WAYS)
def test_a_value_that_contains_itself_is_refused_with_the_path(root: str) -> None:
    with pytest.raises(StaticContractError) as caught:
        WAYS[root](ring())
    assert str(caught.value).startswith(f"{root}.next.next: Node contains itself, so it cannot be compared")
    assert caught.value.code == "static-hash"


@pytest.mark.parametrize("root", WAYS)
@pytest.mark.parametrize("length", [1_000, 10_000])
def test_a_value_that_is_too_deep_is_refused_as_such(root: str, length: int) -> None:
    with pytest.raises(StaticContractError, match=r"is nested \d+ levels deep, too deep to be compared") as caught:
        WAYS[root](chain(Node, length))
    assert caught.value.code == "static-hash" and str(length)[:-1] in caught.value.reason


def test_the_advice_for_deep_values_works() -> None:
    deep = chain(Link, 1_000)
    assert deep is chain(Link, 1_000)
    check_static(deep)
    guarded(deep)
    with explain(add) as why:
        assert add(jnp.float32(1), deep) == 1_000
    assert why.calls == 1


def test_an_almost_full_stack_is_not_the_fault_of_a_value() -> None:
    def descend() -> None:
        Box(Node(1, Node(2)))
        descend()

    with pytest.raises(RecursionError):
        descend()
