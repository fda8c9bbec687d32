"""A guard follows what a program reads: it refuses a change that reaches a result, and no bookkeeping."""

from __future__ import annotations

import collections
import datetime
import itertools
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import pytest

from jaxtyped_static import field, guard, static_dataclass
from jaxtyped_static._calls.flows import flows_in
from tests.runtime.guarded_values import refusal

LOGGER = logging.getLogger(__name__)


TABLE: dict[str, Any] = {}


class Statistics:
    """Has methods that do not return what they read."""

    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0
        self.items: list[Any] = []

    def add(self, number: float) -> None:
        self.count = self.count + 1
        self.mean += (number - self.mean) / self.count

    def append(self, item: Any) -> None:
        self.items = [item]

    def __setitem__(self, key: Any, item: Any) -> None:
        self.items = [item]


class Physics:
    def __init__(self) -> None:
        self.dt = 2.0
        self.calls = 0
        self.time = self.last = self.total = 0.0
        self.__spent = 0.0
        self.ticks = itertools.count()
        self.counter = collections.Counter[str]()
        self.timings = collections.defaultdict[str, list[float]](list)
        self.latest = collections.deque[float](maxlen=3)
        self.statistics = Statistics()
        self.table: Any = {"dt": 0.0}
        self.history: list[Any] = []
        self.box: Any = None
        self.scaled: Any = None

    def spend(self) -> Any:
        self.__spent = self.__spent + 1
        return self.dt

    def get(self) -> Any:
        return self.table

    @property
    def setting(self) -> Any:
        return None

    @setting.setter
    def setting(self, value: Any) -> None:
        self.scaled = value


def counter(it: Any) -> Any:
    it.calls = it.calls + 1
    print(f"call {it.calls}", end="")
    LOGGER.debug("call %d of %s", it.calls, it.counter)
    return it.dt


def items(it: Any) -> Any:
    it.table["calls"] = it.table.get("calls", 0) + 1
    it.counter["rate"] += 1
    it.counter.update({"rate": int(it.calls)})
    return it.dt


def timestamps(it: Any) -> Any:
    it.time = now = time.time()
    it.total += now - it.last
    it.last = now
    it.scaled = datetime.datetime.now()
    return it.dt


def timings(it: Any) -> Any:
    start = time.perf_counter()
    try:
        return it.dt
    finally:
        it.timings["rate"].append(time.perf_counter() - start)
        it.latest.append(start)


def statistics(it: Any) -> Any:
    it.statistics.add(1.0)
    it.history.append((it.statistics.count, float(it.statistics.mean)))
    next(it.ticks)
    return it.dt


BOOKKEEPING: list[Callable[[Any], Any]] = [counter, items, timestamps, timings, statistics, Physics.spend]


def stored(it: Any) -> Any:
    it.scaled = it.dt
    return it.scaled


def stored_in_a_table(it: Any) -> Any:
    table = it.table
    table["dt"] = it.dt
    return it.table["dt"]


def stored_through_an_alias(it: Any) -> Any:
    it.box = it.table
    it.box["dt"] = it.dt
    return it.table["dt"]


def stored_in_what_a_call_returns(it: Any) -> Any:
    table = it.get()
    table["dt"] = it.dt
    return it.table["dt"]


def stored_in_two_names(it: Any) -> Any:
    one = other = [0.0]
    other[0] = it.dt
    return one[0]


def stored_in_an_element(it: Any) -> Any:
    row = [0.0]
    it.history.append(row)
    it.history[-1][0] = it.dt
    return row[0]


def stored_by_a_property(it: Any) -> Any:
    it.setting = it.dt
    return it.scaled


def stored_by_an_own_append(it: Any) -> Any:
    box = it.box = Statistics()
    it.box.append(it.dt)
    return box.items[0]


def stored_by_an_operator(it: Any) -> Any:
    box = it.box = Statistics()
    it.box["dt"] = it.dt
    return box.items[0]


def stored_by_a_helper(it: Any) -> Any:
    keep(it, it.dt)
    return it.scaled


def keep(it: Any, value: Any) -> None:
    it.scaled = value


def stored_in_a_global(it: Any) -> Any:
    TABLE["dt"] = it.dt
    return TABLE["dt"]


def captured(it: Any) -> Any:
    dt = it.dt
    return (lambda: dt)()


def set_by_a_nested_function(it: Any) -> Any:
    dt = 0.0

    def set_it() -> None:
        nonlocal dt
        dt = it.dt

    set_it()
    return dt


def unpacked(it: Any) -> Any:
    dt, (_, *_) = it.dt, (1, 2)
    return dt


def bound_in_a_condition(it: Any) -> Any:
    return dt if (dt := it.dt) else 0


def added_up(it: Any) -> Any:
    total: float = 0.0
    for each in [it]:
        total += each.dt
    return sum([each.dt for each in [it]]) + total


def stored_in_an_inner_program(it: Any) -> Any:
    def inner(x: Any) -> Any:
        it.scaled = it.dt
        return x

    jax.jit(inner)(1.0)
    return it.scaled


READING: list[Callable[[Any], Any]] = [
    *(stored, stored_in_a_table, stored_through_an_alias, stored_in_what_a_call_returns, stored_in_two_names),
    *(stored_in_an_element, stored_by_a_property, stored_by_an_own_append, stored_by_an_operator, stored_by_a_helper),
    *(stored_in_a_global, captured, set_by_a_nested_function, unpacked, bound_in_a_condition, added_up),
    stored_in_an_inner_program,
]


@static_dataclass
class Model:
    physics: Any = field(hash_by_id=True)


@pytest.mark.parametrize("program", BOOKKEEPING)
def test_what_goes_only_back_into_attributes_may_change(program: Any) -> None:
    step = jax.jit(lambda x, model: x * program(model.physics), static_argnums=1)
    model = Model(Physics())
    with guard():
        for _ in range(3):
            assert step(1.0, model) == 2
            program(model.physics)
        model.physics.dt = 5.0
        assert refusal(lambda: step(1.0, model)).path == "Model.physics.dt"


@pytest.mark.parametrize("program", READING)
def test_a_change_that_reaches_a_result_is_refused_whatever_way_it_takes(program: Any) -> None:
    step = jax.jit(lambda x, model: x * program(model.physics), static_argnums=1)
    model = Model(Physics())
    with guard():
        for _ in range(2):
            assert step(1.0, model) == program(Physics())
        model.physics.dt = 5.0
        assert refusal(lambda: step(1.0, model)).path == "Model.physics.dt"


def test_without_the_source_every_read_counts() -> None:
    space: dict[str, Any] = {}
    exec("def program(it):\n    it.calls = it.calls + 1\n    return it.dt", space)
    step = jax.jit(lambda x, model: x * space["program"](model.physics), static_argnums=1)
    model = Model(Physics())
    with guard():
        step(1.0, model)
        model.physics.calls += 1
        assert refusal(lambda: step(1.0, model)).path == "Model.physics.calls"


def test_a_long_sum_is_not_followed(tmp_path: Path) -> None:
    file = tmp_path / "long.py"
    file.write_text(f"def program(it):\n    total = {' + '.join(['it.last'] * 900)}\n    return it.dt + total\n")
    space: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), space)
    step = jax.jit(lambda x, model: x * space["program"](model.physics), static_argnums=1)
    model = Model(Physics())
    with guard():
        assert step(1.0, model) == 2
        model.physics.last = 1.0
        assert refusal(lambda: step(1.0, model)).path == "Model.physics.last"


def test_a_source_that_was_changed_since_is_not_read() -> None:
    assert flows_in(counter.__code__, ["dt", "calls"], frozenset()) is not None
    assert flows_in(counter.__code__, ["dt", "other"], frozenset()) is None
