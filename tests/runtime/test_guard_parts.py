"""A guard looks into every part of a value: arrays of objects, the order of dicts, what classes keep in C."""

from __future__ import annotations

import array
import fractions
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
import pytest

from jaxtyped_static import Static, field, guard, jit, static_dataclass
from jaxtyped_static._attributes.own_state import declared_by, is_cache
from tests.runtime.guarded_values import refusal


class Holder:
    def __init__(self, held: Any) -> None:
        self.held = held


@static_dataclass
class Model:
    holder: Any = field(hash_by_id=True)


class Cells(array.array):  # type: ignore[type-arg]
    """Keeps its numbers in C, as a DataFrame does."""


class Quantity(np.ndarray):
    unit = 1.0


class Key:
    def __init__(self, weight: float) -> None:
        self.weight = weight


@dataclass(frozen=True)
class Number:
    number: float


@dataclass(frozen=True)
class Alike:
    number: int

    def __hash__(self) -> int:
        return 1


def quantity() -> Quantity:
    made = np.ones(2).view(Quantity)
    made.unit = 2.0
    return made


def record(item: Any) -> Any:
    return np.array([(1, item)], dtype=[("n", "i4"), ("item", "O")])


def in_other_order(table: dict[str, float]) -> None:
    table["a"] = table.pop("a")


# A value, how a program uses it, and how it is changed in place.
PARTS: dict[str, tuple[Callable[[], Any], Callable[[Any], Any], Callable[[Any], object]]] = {
    "an element of an object array": (
        lambda: np.array([2.0, "x"], dtype=object),
        lambda held: held[0],
        lambda held: held.__setitem__(0, 5.0),
    ),
    "inside an element of an object array": (
        lambda: np.array([[Key(2.0)], [None]], dtype=object),
        lambda held: held[0, 0].weight,
        lambda held: setattr(held[0, 0], "weight", 5.0),
    ),
    "inside a record": (
        lambda: record([2.0]),
        lambda held: held["item"][0][0],
        lambda held: held["item"][0].__setitem__(0, 5.0),
    ),
    "an attribute of an array": (quantity, lambda held: held.unit, lambda held: setattr(held, "unit", 5.0)),
    "the order of a dict": (
        lambda: {"a": 2.0, "b": 5.0},
        lambda held: next(iter(held.values())),
        in_other_order,
    ),
    "inside an element of a set": (
        lambda: {Key(2.0)},
        lambda held: next(iter(held)).weight,
        lambda held: setattr(next(iter(held)), "weight", 5.0),
    ),
    "inside a key": (
        lambda: {Key(2.0): 1},
        lambda held: next(iter(held)).weight,
        lambda held: setattr(next(iter(held)), "weight", 5.0),
    ),
    "an element of a set": (
        lambda: {Number(2)},
        lambda held: type(next(iter(held)).number) is float,
        lambda held: (held.clear(), held.add(Number(2.0))),
    ),
    "a key that is equal to the other one": (
        lambda: {Number(2): 1},
        lambda held: type(next(iter(held)).number) is float,
        lambda held: (held.clear(), held.update({Number(2.0): 1})),
    ),
    "a key of the same hash": (
        lambda: {Alike(1): 2.0, Alike(2): 2.0},
        lambda held: held[Alike(2)],
        lambda held: held.__setitem__(Alike(2), 5.0),
    ),
    "an array of Python's": (
        lambda: array.array("d", [2.0]),
        lambda held: held[0],
        lambda held: held.__setitem__(0, 5.0),
    ),
    "what a class keeps in C": (
        lambda: Cells("d", [2.0]),
        lambda held: held[0],
        lambda held: held.__setitem__(0, 5.0),
    ),
}


@pytest.mark.parametrize(("make", "use", "change"), PARTS.values(), ids=PARTS)
def test_a_change_in_place_is_refused_where_jax_returns_the_old_number(make: Any, use: Any, change: Any) -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x * float(use(model.holder.held))

    stale = Model(Holder(make()))
    before = step(1.0, stale)
    change(stale.holder.held)
    assert step(1.0, stale) == before != use(stale.holder.held)

    model = Model(Holder(make()))
    with guard():
        for _ in range(3):
            assert step(1.0, model) == before
        change(model.holder.held)
        error = refusal(lambda: step(1.0, model))
    assert error.code == "static-mutable" and error.path.startswith("Model.holder.held")


def test_a_cell_of_a_data_frame() -> None:
    pandas = pytest.importorskip("pandas")

    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x * float(model.holder.held["a"].iloc[0])

    model = Model(Holder(pandas.DataFrame({"a": [2.0], "b": ["x"]})))
    with guard():
        for _ in range(3):
            assert step(1.0, model) == 2
        model.holder.held["a"] = [5.0]
        assert refusal(lambda: step(1.0, model)).path == "Model.holder.held._mgr"


@pytest.mark.parametrize(
    ("read", "change"),
    [
        (lambda frame: frame.columns[0] == "a", lambda frame: setattr(frame, "columns", ["z"])),
        (lambda frame: frame.index[0].day, lambda frame: setattr(frame, "index", frame.index[::-1])),
    ],
)
def test_what_a_property_in_c_reads(read: Any, change: Any) -> None:
    """Only Python code that ran tells which attributes it has read."""
    pandas = pytest.importorskip("pandas")
    step = jax.jit(lambda x, model: x * int(read(model.holder.held)), static_argnums=1)
    model = Model(Holder(pandas.DataFrame({"a": [2.0, 3.0]}, index=pandas.date_range("2020-01-01", periods=2))))
    with guard():
        for _ in range(2):
            assert step(1.0, model) == 1
            str(model.holder.held), model.holder.held.loc["2020-01-01"], model.holder.held.index.year  # Fills caches.
        change(model.holder.held)
        assert refusal(lambda: step(1.0, model)).path == "Model.holder.held._mgr"


def remade() -> Any:
    return {
        Number(1): 2.0,
        (Number(2), fractions.Fraction(1, 2)): {Number(3), Number(4), "a"},
        frozenset([Number(5)]): 1,
    }


def test_equal_keys_and_elements_may_be_made_again() -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x * model.holder.held[Number(1)]

    model = Model(Holder(remade()))
    with guard():
        for _ in range(3):
            assert step(1.0, model) == 2
            model.holder.held = remade()


def test_elements_may_be_added_to_a_private_set() -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x if "dt" in model.holder._seen else x * 2

    model = Model(Holder(None))
    model.holder._seen = {"other"}
    with guard():
        for number in range(3):
            assert step(1.0, model) == 2
            model.holder._seen.add(number)
        model.holder._seen.discard("other")
        step(1.0, model)


def test_the_order_of_a_private_table_may_change() -> None:
    """It may be a cache that moves what was used last to its end."""

    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x * model.holder._table["a"]

    model = Model(Holder(None))
    model.holder._table = {"a": 2.0, "b": 5.0}
    with guard():
        for _ in range(3):
            assert step(1.0, model) == 2
            in_other_order(model.holder._table)
            model.holder._table["b"] = model.holder._table.pop("b")


NAMES = {
    **dict.fromkeys(("_memo", "_hash", "_cached_value", "_shape_cache", "memoCache", "lastHash", "_Model__hash"), True),
    **dict.fromkeys(("_cache_len", "hash_size", "_hashDtype", "max_cache", "use_cache"), False),
    **dict.fromkeys(("_memory", "n_hashes", "_rehashed", "memorandum", "cachet", "_shashed", "hashtag"), False),
}


@pytest.mark.parametrize(("name", "is_name_of_cache"), NAMES.items())
def test_a_name_suggests_a_cache_if_it_contains_the_word(name: str, is_name_of_cache: bool) -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x * getattr(model.holder, name)

    assert is_cache(f".{name}", declared_by(Holder)) is is_name_of_cache
    model = Model(Holder(None))
    setattr(model.holder, name, 2.0)
    with guard():
        step(1.0, model)
        setattr(model.holder, name, 5.0)
        if is_name_of_cache:
            assert step(1.0, model) == 2
        else:
            assert refusal(lambda: step(1.0, model)).path == f"Model.holder.{name}"
