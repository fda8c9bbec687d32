"""What a static class refuses to hold, where it is, and what to do about it; and what it accepts from others."""

from __future__ import annotations

import array
import collections
import copy
import dataclasses
import datetime
import enum
import pickle
import types
import uuid
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Final

import attrs
import equinox as eqx
import flax.core
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import pydantic
import pytest
from immutabledict import immutabledict

from jaxtyped_static import StaticContractError, dynamic_dataclass, field, static_dataclass
from tests.runtime.static_values import Box, Level, Point, label


@dataclass
class Unfrozen:
    x: Any = 1


@dataclass(frozen=True)
class Frozen:
    x: Any = 1


class SubOfFrozen(Frozen):
    pass


@dataclass(frozen=True, eq=False)
class ByIdentity:
    x: int = 1


@attrs.define
class AttrsUnfrozen:
    x: Any = 1


@attrs.frozen
class AttrsFrozen:
    x: Any = 1


class ModelUnfrozen(pydantic.BaseModel):
    x: Any = 1


class ModelFrozen(pydantic.BaseModel, frozen=True):
    x: Any = 1


class Neither:
    pass


class Assignable:
    def __init__(self, n: Any = 1) -> None:
        self.n = n

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Assignable) and self.n == other.n

    def __hash__(self) -> int:
        return hash(self.n)


class FinalAttributes:
    __slots__ = ("kind", "n")
    kind: Final[str]

    def __init__(self, n: Any = 1) -> None:
        self.n: Final = n
        self.kind = "final"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.n == other.n

    def __hash__(self) -> int:
        return hash(self.n)


class Private:
    def __init__(self, n: Any = 1) -> None:
        self._n = n
        self._hash: int | None = None

    @property
    def n(self) -> Any:
        return self._n

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._n == other._n

    def __hash__(self) -> int:
        self._hash = hash(self._n)
        return self._hash


class EqOnly:
    def __eq__(self, other: object) -> bool:
        return True


class HashOnly:
    def __hash__(self) -> int:
        return 1


class NoHash:
    __hash__ = None  # type: ignore[assignment]


class Adorned(str):
    pass


class Members(enum.Enum):
    GOOD = (1,)
    BAD = [1]  # noqa: RUF012


class Module(eqx.Module):
    weight: jax.Array
    n: int = eqx.field(static=True, default=1)


@jax.tree_util.register_static
@dataclass(frozen=True)
class Registered:
    n: Any


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Traced:
    u: Any


@dynamic_dataclass
class Dynamic:
    u: Any


def adorned() -> Adorned:
    made = Adorned("a")
    made.note = "n"  # type: ignore[attr-defined]
    return made


REFUSED: list[tuple[Any, str, str]] = [
    ([1], "static-mutable", "Box.item: list is mutable; use tuple instead"),
    ({}, "static-mutable", "dict is mutable; use immutabledict (pip install immutabledict) instead"),
    ({1}, "static-mutable", "set is mutable; use frozenset instead"),
    (bytearray(), "static-mutable", "bytearray is mutable; use bytes instead"),
    (
        collections.OrderedDict(),
        "static-mutable",
        "OrderedDict is mutable; use immutabledict (pip install immutabledict) instead",
    ),
    (collections.deque(), "static-mutable", "deque is mutable; use tuple instead"),
    (array.array("i"), "static-mutable", "array is mutable; use tuple instead"),
    (types.SimpleNamespace(), "static-mutable", "SimpleNamespace is mutable; use a frozen dataclass instead"),
    (
        types.MappingProxyType({}),
        "static-mutable",
        "mappingproxy is mutable; use immutabledict (pip install immutabledict) instead",
    ),
    (np.zeros(1, "i4,i4")[0], "static-mutable", "void is mutable"),
    ((1, (2, [3])), "static-mutable", "Box.item[1][1]: list is mutable"),
    (Point([]), "static-mutable", "Box.item.x: list is mutable"),
    (immutabledict({"a": (1, {})}), "static-mutable", "Box.item['a'][1]: dict is mutable"),
    (Frozen(Frozen([])), "static-mutable", "Box.item.x.x: list is mutable"),
    (AttrsFrozen([]), "static-mutable", "Box.item.x: list is mutable"),
    (ModelFrozen(x=[]), "static-mutable", "Box.item.x: list is mutable"),
    (FinalAttributes([]), "static-mutable", "Box.item.n: list is mutable"),
    (Unfrozen(), "static-mutable", "Unfrozen is not frozen; declare it @dataclass(frozen=True)"),
    (AttrsUnfrozen(), "static-mutable", "AttrsUnfrozen is not frozen; declare it @attrs.frozen"),
    (ModelUnfrozen(), "static-mutable", "ModelUnfrozen is not frozen; give it model_config = ConfigDict(frozen=True)"),
    (
        Assignable(),
        "static-mutable",
        'Assignable is mutable: "n" can be assigned; make it a frozen dataclass, or declare',
    ),
    (adorned(), "static-mutable", 'Adorned is mutable: "note" can be assigned'),
    (Members.BAD, "static-mutable", "the value of Members.BAD is mutable"),
    (
        Neither(),
        "static-hash",
        "Neither is hashed by identity: it has neither __eq__ nor __hash__; make it a frozen dataclass",
    ),
    (object(), "static-hash", "object() is hashed by identity"),
    (np.random.default_rng(0), "static-hash", "Generator is hashed by identity"),
    (ByIdentity(), "static-hash", "ByIdentity is hashed by identity: it is declared eq=False and no base defines"),
    (EqOnly(), "static-hash", "EqOnly is not hashable: it defines __eq__ without __hash__"),
    (HashOnly(), "static-hash", "HashOnly is compared by identity: it defines __hash__ without __eq__"),
    (NoHash(), "static-hash", "NoHash is not hashable: its __hash__ is None"),
    (
        np.zeros(2),
        "static-dynamic",
        "ndarray is an array, which cannot be hashed; pass it as a dynamic argument, or store a tuple of numbers",
    ),
    (jnp.zeros(2), "static-dynamic", "Array is an array"),
    (jax.random.key(0), "static-dynamic", "Array is an array"),
    ((1, jnp.zeros(())), "static-dynamic", "Box.item[1]: Array is an array"),
    (Frozen(np.zeros(2)), "static-dynamic", "Box.item.x: ndarray is an array"),
    (Module(jnp.zeros(2)), "static-dynamic", 'Module is a pytree with the data field "weight"; pass it as a dynamic'),
    (Traced(jnp.zeros(())), "static-dynamic", 'Traced is a pytree with the data field "u"'),
    (Traced((1.0, {"a": np.zeros(2)})), "static-dynamic", 'Traced is a pytree with the data field "u"'),
    (Dynamic(1.0), "static-dynamic", 'Dynamic is a pytree with the data field "u"'),
    (Traced([1]), "static-mutable", "Box.item.u: list is mutable"),
]


@pytest.mark.parametrize(("value", "code", "message"), REFUSED, ids=label)
def test_a_value_that_breaks_the_contract_is_refused(value: Any, code: str, message: str) -> None:
    with pytest.raises(StaticContractError) as caught:
        Box(value)
    error = caught.value
    assert message in str(error)
    assert str(error) == f"{error.path}: {error.reason}; {error.advice}  [{error.code}]"
    assert error.code == code and error.path.startswith("Box.item")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.path) == (str(error), error.code, error.path)


def test_fields_hashed_by_id_accept_anything_but_tracers() -> None:
    @static_dataclass
    class Loose:
        hook: Any = field(hash_by_id=True)
        other: Any = dataclasses.field(default=None, metadata={"hash_by_id": True})
        n: int = 0

    hook, table = (lambda: None), [1]
    assert Loose(hook, table) is Loose(hook, table)
    assert Loose(hook, [1]) is not Loose(hook, [1])
    assert Loose(1.5, n=1) is Loose(1.5, n=1)
    assert copy.deepcopy(Loose(hook, table)).other is table
    with pytest.raises(StaticContractError, match=r"Loose\.n: list is mutable"):
        Loose(hook, n=[])  # type: ignore[arg-type]
    with pytest.raises(StaticContractError, match=r"Loose\.hook: ~?float32\[\] is traced here"):
        jax.jit(lambda x: Loose(x).n)(1.0)


def test_tracers_are_refused() -> None:
    @jax.jit
    def program(x: jax.Array) -> jax.Array:
        Box((1, x))  # type: ignore[static-dynamic]
        return x

    with pytest.raises(StaticContractError, match=r"Box\.item\[1\]: float32\[2\] is traced here; mark the") as caught:
        program(jnp.ones(2))
    assert caught.value.code == "static-traced"


MESH = jax.make_mesh((1,), ("x",))
P: Any = jax.P
Shape: Any = jax.ShapeDtypeStruct
TreePartial: Any = jax.tree_util.Partial

TAKEN: list[tuple[Any, Any]] = [
    (Frozen(1), Frozen(1.0)),
    (Frozen((0.0,)), Frozen((-0.0,))),
    (SubOfFrozen(1), Frozen(1)),
    (AttrsFrozen(1), AttrsFrozen(True)),
    (ModelFrozen(x=1), ModelFrozen(x=1.0)),
    (FinalAttributes(1), FinalAttributes(1.0)),
    (Private(1), Private(1.0)),
    (Registered(1), Registered(1.0)),
    (Traced(1), Traced(1.0)),
    (Traced((1, "a", True)), Traced((1, "a", 1))),
    (nn.Dense(3), nn.Dense(3.0)),  # type: ignore[arg-type]
    (flax.core.freeze({"a": 1}), flax.core.freeze({"a": 1.0})),
    (Members.GOOD, Level.ONE),
    (Shape((1,), "f4"), Shape((1,), "f8")),
    (jax.sharding.NamedSharding(MESH, P("x")), jax.sharding.NamedSharding(MESH, P())),
    (MESH, jax.devices()[0]),
    (jax.tree.structure((1, 2)), jax.tree.structure([1, 2])),
    (datetime.date(2020, 1, 1), datetime.timedelta(1)),
    (uuid.UUID(int=1), Fraction(1, 2)),
    (np.datetime64("2020"), np.datetime64("2020-01")),
    (np.dtype("i4,i4"), jnp.bfloat16(1).dtype),
    (tuple[int, str], int | str),
]


@pytest.mark.parametrize("pair", TAKEN, ids=label)
def test_values_of_other_classes_are_accepted_and_compared_exactly(pair: tuple[Any, Any]) -> None:
    one, other = pair
    assert Box(one) is Box(copy.deepcopy(one)) is Box(one)
    assert Box(one) is not Box(other) and Box((one,)) is not Box((other,))


def test_a_mesh_made_in_a_function() -> None:
    assert Box(jax.make_mesh((1,), ("other",))) is Box(jax.make_mesh((1,), ("other",)))


def test_classes_made_by_a_function() -> None:
    made = dataclasses.make_dataclass("Made", ["x"], frozen=True)
    assert Box(made(1)) is Box(made(1)) is not Box(made(1.0))
    with pytest.raises(StaticContractError, match="Changing is not frozen"):
        Box(dataclasses.make_dataclass("Changing", ["x"], unsafe_hash=True)(1))


def test_a_subclass_without_the_decorator_may_be_changed() -> None:
    value: Any = SubOfFrozen(1)
    assert Box(value) is Box(SubOfFrozen(1))
    value.note = 1
    with pytest.raises(StaticContractError, match='SubOfFrozen is mutable: "note" can be assigned'):
        Box(value)


def test_an_unhashable_part_of_an_opaque_value() -> None:
    with pytest.raises(StaticContractError, match="is not hashable: unhashable type: 'list'"):
        Box(Annotated[int, [1]])
