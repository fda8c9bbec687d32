"""`check_static` for any value, and `check_static_type` for the laws of a class."""

from __future__ import annotations

import copy
import dataclasses
import enum
import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import attrs
import jax
import jax.numpy as jnp
import pydantic
import pytest
from flax import nnx
from hypothesis import strategies as st

from jaxtyped_static import StaticContractError, check_static, static_dataclass
from jaxtyped_static.testing import check_static_type
from tests.processes import run_python
from tests.runtime.static_values import Box, Grid, Level, Point, Solver, label, minmod


@dataclass(frozen=True)
class Config:
    n: Any
    name: str = ""


@dataclass(frozen=True)
class Coarse:
    n: int
    note: str = dataclasses.field(default="", compare=False)


@dataclass(frozen=True, eq=False)
class Extended(Config):
    more: int = 0


@attrs.frozen
class AttrsCoarse:
    n: int
    note: str = attrs.field(default="", eq=False)


@attrs.frozen
class AttrsConfig:
    n: int


class Model(pydantic.BaseModel, frozen=True):
    n: int


class ByHand:
    def __init__(self, n: Any, m: int = 0) -> None:
        self._n, self._m = n, m

    n = property(lambda self: self._n)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._n == other._n

    def __hash__(self) -> int:
        return hash(self._n)


class AcceptsSubclasses(ByHand):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, AcceptsSubclasses) and self._n == other._n

    __hash__ = ByHand.__hash__


class Leaky:
    def __init__(self, a: int) -> None:
        object.__setattr__(self, "a", a)
        self.b = a

    def __setattr__(self, name: str, value: object) -> None:
        if name == "a":
            raise AttributeError(name)
        object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(self.b)


class BadHash(ByHand):
    __eq__ = ByHand.__eq__

    def __hash__(self) -> int:
        return id(self)


class Linked(ByHand):
    def __init__(self, value: int) -> None:
        super().__init__(value)
        self._around = (self,)


class HashOfObject(ByHand):
    __eq__ = ByHand.__eq__
    __hash__ = object.__hash__


class BadCopy(ByHand):
    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = ByHand.__hash__


GOOD: list[Any] = [
    *(1, 1.5, "a", None, True, (1, ("a",)), frozenset({1}), range(3), Level.ONE, Point(1), int, jnp.float32, minmod),
    *(Config((1, 2)), AttrsConfig(1), Model(n=1), ByHand(1), Solver(1), Box(Solver(1)), jnp.tanh, Solver(1).__repr__),
    Grid(shape=(1,), solver=Solver(1), extra=[1]),
    nnx.split(nnx.Linear(1, 1, rngs=nnx.Rngs(0)))[0],
    Linked(1),
]


@pytest.mark.parametrize("value", GOOD, ids=label)
def test_values_that_keep_the_contract(value: Any) -> None:
    check_static(value)
    check_static((value, value))
    check_static(Config(value))


BAD: list[tuple[Any, str, str, str]] = [
    ([1], "static-mutable", "", "list is mutable; use tuple instead  [static-mutable]"),
    ((1, [2]), "static-mutable", "value[1]", "value[1]: list is mutable; use tuple instead"),
    (Point([2]), "static-mutable", "Point.x", "Point.x: list is mutable"),
    (Config(Config({})), "static-mutable", "Config.n.n", "Config.n.n: dict is mutable; use immutabledict (pip install"),
    (jnp.ones(2), "static-dynamic", "", "Array is an array, which cannot be hashed; pass it as a dynamic argument"),
    (lambda: 1, "static-callable", "", "a lambda (test_contract.py:"),
    (functools.partial(minmod), "static-callable", "", "functools.partial(...) is hashed by identity, and new"),
    (object(), "static-hash", "", "object() is hashed by identity"),
    (
        Coarse(1),
        "static-eq",
        "Coarse.note",
        'values that differ in "note" are equal: the field is not compared; remove',
    ),
    ((1, Coarse(1)), "static-eq", "value[1].note", 'value[1].note: values that differ in "note" are equal'),
    (AttrsCoarse(1), "static-eq", "AttrsCoarse.note", 'values that differ in "note" are equal'),
    (Extended(1), "static-eq", "Extended.more", 'in "more" are equal: the inherited Config.__eq__ leaves it out'),
    (HashOfObject(1), "static-hash", "", "HashOfObject is hashed by identity: its __hash__ is that of object; define"),
]


class Missing(enum.Enum):
    MISSING = enum.auto()


def test_the_advice_for_a_bare_object_works() -> None:
    with pytest.raises(StaticContractError, match=r"use None or a member of an Enum instead"):
        check_static(Config(object()))
    for sentinel in (None, Missing.MISSING):
        check_static(Config(sentinel))
        assert hash(copy.deepcopy(Config(sentinel))) == hash(Config(sentinel))


@pytest.mark.parametrize(("value", "code", "path", "message"), BAD, ids=label)
def test_values_that_break_the_contract(value: Any, code: str, path: str, message: str) -> None:
    if isinstance(value, functools.partial) or (callable(value) and not isinstance(value, type)):
        value = rebuilt(value)
    with pytest.raises(StaticContractError) as caught:
        check_static(value)
    assert (caught.value.code, caught.value.path) == (code, path)
    assert message in str(caught.value)


def rebuilt(value: Any) -> Any:
    """Returns a new object, which the table of cases does not hold."""
    if isinstance(value, functools.partial):
        return functools.partial(value.func)
    return type(value)(value.__code__.replace(co_qualname="f.<locals>.<lambda>"), {}, "<lambda>")


def test_tracers() -> None:
    with pytest.raises(StaticContractError, match=r"float32\[\] is traced here; mark the parameter") as caught:
        jax.jit(lambda x: check_static(x))(jnp.float32(1))
    assert caught.value.code == "static-traced"


def test_the_laws_hold_for_good_classes() -> None:
    check_static_type(Config, [Config(1), Config(2), Config(1, "a")])
    check_static_type(Solver, [Solver(1), Solver(2), Solver(2, 2.0)])
    check_static_type(AttrsConfig, [AttrsConfig(1), AttrsConfig(2)])
    check_static_type(Model, [Model(n=1), Model(n=2)])
    check_static_type(ByHand, (ByHand(n) for n in range(3)))
    check_static_type(Point, [Point(1), Point(2)])
    check_static_type(Level, list(Level))
    check_static_type(Solver, st.builds(Solver, st.integers(), st.floats()))
    check_static_type(Box, st.builds(Box, st.one_of(st.booleans(), st.integers(0, 1), st.just(1.0), st.just(-0.0))))
    check_static_type(Config, st.builds(Config, st.integers(), st.text()))


@pytest.mark.parametrize(
    ("cls", "make", "message"),
    [
        (Config, [Config(1), Config([])], r"Config\.n: list is mutable; use tuple instead  \[static-mutable\]"),
        (
            Config,
            [Config(1), Config(1.0)],
            r"Config\(n=1, name=''\) is equal to Config\(n=1\.0, name=''\), which differs",
        ),
        (Config, st.builds(Config, st.sampled_from([1, True])), "is equal to .*, which differs from it; compare every"),
        (Config, st.builds(Config, st.just(float("nan"))), r"not equal to its (copy|pickle \(protocol 2\))"),
        (ByHand, [ByHand(1, 0), ByHand(1, 1)], "is equal to .*, which differs"),
        (
            AcceptsSubclasses,
            [AcceptsSubclasses(1)],
            r"AcceptsSubclasses\.__eq__ does not compare the class; compare type",
        ),
        (Leaky, [Leaky(1)], r"Leaky is mutable: \"b\" can be assigned"),
        (BadHash, [BadHash(1)], r"its copy are equal and have different hashes; hash what __eq__ compares"),
        (BadCopy, [BadCopy(1)], r"is not equal to its copy"),
    ],
)
def test_the_laws_find_what_breaks_them(cls: type, make: Any, message: str) -> None:
    with pytest.raises(StaticContractError, match=message):
        check_static_type(cls, make)


def test_values_of_other_classes_are_refused_as_examples() -> None:
    with pytest.raises(TypeError, match=r"check_static_type\(Config, \.\.\.\) got a Solver"):
        check_static_type(Config, [Solver(1)])


PROGRAM = """
import sys
import jaxtyped_static as js
import jaxtyped_static.testing

@js.static_dataclass
class A:
    x: object

A((1, "a")); js.check_static(A(1)); js.testing.check_static_type(A, [A(1), A(2)])
for name in ("hypothesis", "attrs", "attr", "pydantic", "immutabledict", "mypy", "flax"):
    assert name not in sys.modules, name
"""


def test_nothing_is_imported_that_the_program_did_not_import() -> None:
    done = run_python(PROGRAM)
    assert done.returncode == 0, done.stderr


def test_a_factory_other_than_list() -> None:
    makers: list[Callable[[], Any]] = [lambda: iter([Solver(1)]), lambda: {Solver(1), Solver(2)}]
    for make in makers:
        check_static_type(Solver, make())


@static_dataclass
class Slow:
    n: int
