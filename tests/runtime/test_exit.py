"""A program that used static values ends without a word."""

from __future__ import annotations

import pytest

from tests.processes import run_python

START = """
import atexit, copy, gc, threading, weakref
from typing import Any
import jax
from jaxtyped_static import Static, dynamic_dataclass, guard, jit, static_dataclass

@static_dataclass
class Box: item: Any

@dynamic_dataclass
class State:
    x: Any
    item: Static[Any]

class ByHand:
    def __init__(self, a): self._a = a
    def __eq__(self, other): return isinstance(other, ByHand) and self._a == other._a
    def __hash__(self): return hash(self._a)

class Coarse(ByHand):
    __hash__ = lambda self: 1

class Amount(float):
    __slots__ = ("_unit",)
    def __eq__(self, other): return isinstance(other, Amount) and float(self) == float(other)
    __hash__ = float.__hash__
"""
PROGRAMS = {
    "values with one hash": "keep = [Box(ByHand(value)) for value in (1, True, 1.0)]",
    "values with a coarse hash": "keep = [Box(Coarse(value)) for value in range(5)]",
    "values of a pytree": "keep = [State(1.0, Coarse(value)) for value in range(5)]",
    "numbers of a subclass": "keep = [Box(Amount(value)) for value in (1, True, 1.0)]",
    "a ring": "boxes = [Box(ByHand(1))]; boxes[0].item.back = boxes; boxes[0].item._box = boxes[0]",
    "private objects": "keep = {copy.copy(Box(ByHand(value))): value for value in (1, 1.0)}",
    "classes made by a function": "keep = [Box(type('Local', (ByHand,), {})(1)) for _ in range(3)]",
    "an exit handler": "keep = [Box(ByHand(1))]; atexit.register(lambda: [Box(ByHand(value)) for value in (1, 1.0)])",
    "a finalizer": "value = ByHand(1); keep = Box(value); weakref.finalize(value, lambda: Box(ByHand(2.0)))",
    "a thread": "thread = threading.Thread(target=lambda: [Box(ByHand(n)) for n in (1, True)]); thread.start()",
    "compiled programs": """
step = jit(lambda x, box: x, static_argnames="box")
with guard():
    for value in (1, True, 1.0):
        step(1.0, Box(ByHand(value)))
        step(1.0, copy.copy(Box(Coarse(value))))
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_printed_at_exit(name: str) -> None:
    done = run_python(START + PROGRAMS[name])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
