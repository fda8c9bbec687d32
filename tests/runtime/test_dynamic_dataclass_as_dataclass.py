"""What a dynamic class offers as a dataclass; copies and pickles."""

from __future__ import annotations

import copy
import inspect
import pickle
import sys
from dataclasses import FrozenInstanceError, asdict, fields, is_dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyped_static import (
    Static,
    StaticContractError,
    dynamic_dataclass,
)
from jaxtyped_static._classes.copying import rebuild
from jaxtyped_static._classes.metadata import metadata_of
from tests.processes import run_python
from tests.runtime.dynamic_values import Grid, Leaves, Pair, State, Tagged, minmod, structure

state = State(jnp.arange(3.0), Grid(3))


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
        "import pickle, numpy; from tests.runtime.dynamic_values import *\n"
        "value = State(numpy.arange(2), Grid(2), Pair(first=1, second=Leaves(2), weights=(1.0, -0.0)))\n"
        "for protocol in 2, 5: print(pickle.dumps(value, protocol).hex())"
    )
    here = State(0, Grid(2), Pair(first=0, second=Leaves(0), weights=(1.0, -0.0)))  # type: ignore[arg-type]
    done = run_python(program)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.split()
    assert len(lines) == 2
    for line in lines:
        theirs = pickle.loads(bytes.fromhex(line))
        assert structure(theirs) == structure(here)
        assert theirs.u.tolist() == [0, 1] and theirs.v.second == Leaves(2)


def test_a_deep_copy_has_the_same_structure() -> None:
    """Even if a static field is compared by identity."""
    pair = Pair(first=[1], second=2, handle=[3])
    again = copy.deepcopy(pair)
    assert structure(again) == structure(pair) == structure(copy.copy(pair))
    assert again.handle is pair.handle and again.first is not pair.first
    shared: Any = copy.deepcopy([pair, pair.first])
    assert shared[0].first is shared[1]


def test_a_pickle_is_loaded_by_field_names() -> None:
    reduced: Any = Tagged(1, "a").__reduce__()
    cls, attributes = reduced[1]
    assert attributes == {"x": 1, "tag": "a"}
    assert rebuild(Leaves, {"x": 1}) == Leaves(1, 0)
    with pytest.raises(
        TypeError, match="has 'more', which is not a field of the class, and the class has the field 'tag'"
    ):
        rebuild(cls, {"x": 1, "more": 2})
    with pytest.raises(StaticContractError, match=r"Tagged\.tag: list is mutable"):
        rebuild(Tagged, {"x": 1, "tag": [1]})
    with pytest.raises(TypeError, match="the pickle has 'label', which is not a field of the class"):
        metadata_of(Tagged, {"label": 1})


def test_a_class_may_define_its_own_pickling() -> None:
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
