"""How an object of a dynamic class is made and verified."""

from __future__ import annotations

import copy
import pickle
from dataclasses import InitVar, replace
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import pytest
from jaxtyping import jaxtyped

from jaxtyped_static import Static, StaticContractError, dynamic_dataclass, field
from tests.runtime.dynamic_values import Tagged, structure
from tests.runtime.test_dynamic_dataclass_definitions import refused


@dynamic_dataclass
class Made:
    """Uses every option of a field."""

    x: Any
    factor: InitVar[int] = 2
    kind: ClassVar[str] = "made"
    doubled: Any = field(init=False)
    size: Static[int] = field(init=False)
    constant: Any = field(init=False, default=7)
    fixed: Static[int] = field(init=False, default=8)
    many: Any = field(default_factory=list)
    hidden: Any = field(default="h", repr=False, metadata={"unit": "m"})

    def __post_init__(self, factor: int) -> None:
        object.__setattr__(self, "doubled", jax.tree.map(lambda x: factor * x, self.x))
        object.__setattr__(self, "size", len(self.x))


def test_post_init_sets_data_and_static_fields() -> None:
    made = Made([1, 2])
    assert (made.doubled, made.size, made.constant, made.fixed, made.many) == ([2, 4], 2, 7, 8, [])
    assert repr(made) == "Made(x=[1, 2], doubled=[2, 4], size=2, constant=7, fixed=8, many=[])"
    assert str(structure(made)).startswith("PyTreeDef(CustomNode(Made[size=2, fixed=8], [[*, *], [*, *], *, ")
    again = jax.tree.map(lambda x: x, made)
    assert again == made == pickle.loads(pickle.dumps(made))
    assert replace(made, x=[1], factor=3).doubled == [3]


def test_an_object_may_be_used_before_it_is_complete() -> None:
    """A method called in `__post_init__` may be jitted, and may change a static field after that."""

    @dynamic_dataclass
    class Normalised:
        u: Any
        n: Static[int] = 1

        @jax.jit
        def total(self) -> jax.Array:
            return jnp.sum(self.u) * self.n

        def __post_init__(self) -> None:
            if not isinstance(self.u, jax.core.Tracer):
                object.__setattr__(self, "u", self.u / self.total())
                object.__setattr__(self, "n", self.n + 1)

    made = Normalised(jnp.ones(4))
    assert float(made.total()) == 2.0
    assert jax.tree.map(lambda x: x, made).n == 2


def test_an_object_that_delegates_missing_attributes() -> None:
    @dynamic_dataclass
    class Wrapper:
        inner: Any
        n: Static[int]
        seen: Any = None

        def __getattr__(self, name: str) -> Any:
            return getattr(self.inner, name)

        def __post_init__(self) -> None:
            object.__setattr__(self, "seen", str(jax.tree.structure(self)))

    made = Wrapper(Tagged(1, 2), 3)
    assert made.tag == 2
    assert made.seen == "PyTreeDef(CustomNode(Wrapper[n=3], [CustomNode(Tagged[tag=2], [*]), None]))"


def test_a_field_may_be_set_on_a_copy() -> None:
    """As in a hand-written `with_tag`."""

    @jax.jit
    def read(each: Tagged) -> Any:
        return jnp.asarray(each.tag)

    made = Tagged(1, 1)
    assert int(read(made)) == 1
    changed = copy.copy(made)
    object.__setattr__(changed, "tag", 5.0)
    assert float(read(changed)) == 5.0
    for each in (changed, copy.copy(changed), copy.deepcopy(changed), pickle.loads(pickle.dumps(changed))):
        assert structure(each) == structure(Tagged(0, 5.0)) != structure(made)
        assert jax.tree.map(lambda x: x, each).tag == 5.0
    object.__setattr__(changed, "tag", [1])
    with pytest.raises(StaticContractError, match=r"Tagged\.tag: list is mutable"):
        jax.tree.leaves(changed)


def test_an_object_has_the_same_static_values_as_its_copies() -> None:
    """Even if values are equal but not identical."""

    class Coarse:
        def __init__(self, a: int, b: int) -> None:
            self._a, self._b = a, b

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Coarse) and self._a == other._a

        def __hash__(self) -> int:
            return hash(self._a)

    tagged: Any = Tagged
    first, second, other = (tagged(0, Coarse(1, b)) for b in (2, 2, 3))
    assert second.tag is first.tag is jax.tree.map(lambda x: x, second).tag
    assert other.tag is jax.tree.map(lambda x: x, other).tag is not first.tag


def test_a_failing_post_init_makes_no_object() -> None:
    @dynamic_dataclass
    class Checked:
        x: Any
        n: Static[int]

        def __post_init__(self) -> None:
            if self.n < 0:
                raise ValueError("negative")

    with pytest.raises(ValueError, match="negative"):
        Checked(0, -1)
    assert Checked(0, 1).n == 1


def test_unset_fields_and_undeclared_attributes_are_named() -> None:
    @dynamic_dataclass
    class Late:
        data: Any = field(init=False)
        n: Static[int] = field(init=False)

    @dynamic_dataclass
    class Half(Late):
        def __post_init__(self) -> None:
            object.__setattr__(self, "data", 1)

    @dynamic_dataclass
    class Extra:
        x: Any

        def __post_init__(self) -> None:
            object.__setattr__(self, "scale", 2)

    refused(r"Late\.data was not set; set it with object\.__setattr__\(self, 'data', \.\.\.\)", Late)
    refused(r"Half\.n was not set", Half)
    refused(
        r"Extra\.scale was set, but is not a field: the first jit, vmap or tree\.map would lose it; declare it",
        lambda: Extra(1),
    )


def test_a_hand_written_init() -> None:
    @dynamic_dataclass
    class Parsed:
        x: Any
        n: Static[int]

        def __init__(self, text: str, *, forget: bool = False) -> None:
            object.__setattr__(self, "x", float(text))
            if not forget:
                object.__setattr__(self, "n", len(text))
            self.__post_init__()

        def __post_init__(self) -> None:
            object.__setattr__(self, "x", self.x + 1)

    @dynamic_dataclass
    class Sub(Parsed):
        y: Any = 0

        def __init__(self, text: str) -> None:
            super().__init__(text)
            object.__setattr__(self, "y", 5)

    @dynamic_dataclass
    class Generated(Parsed):
        y: Any = 0

    parsed = Parsed("12")
    assert (parsed.x, parsed.n) == (13, 2)
    assert jax.tree.map(lambda x: -x, parsed).x == -13
    assert jax.tree.map(lambda x: -x, Sub("1")) == jax.tree.unflatten(structure(Sub("2")), [-2, -5])
    generated: Any = Generated
    assert generated(1, 2, 3).x == 2
    refused(r"Parsed\.n was not set", lambda: Parsed("1", forget=True))


def test_a_later_wrapper_of_init_sees_the_finished_object() -> None:
    def typechecker(fn: Any) -> Any:
        def check(*args: Any, **kwargs: Any) -> Any:
            assert not any(isinstance(value, str) for value in kwargs.values()), "not a number"
            return fn(*args, **kwargs)

        return check

    decorate: Any = jaxtyped(typechecker=typechecker)

    @decorate
    @dynamic_dataclass
    class Config:
        x: Any
        n: Static[int] = 0

    assert replace(Config(1), n=2) == Config(1, 2)
    assert jax.tree.map(lambda x: x + 1, Config(1, 2)) == Config(2, 2)


def test_an_object_stores_only_its_fields() -> None:
    @dynamic_dataclass
    class Mixed:
        x: Any
        n: Static[int]
        y: Any = 3
        m: Static[str] = "m"

    made = Mixed(1, 2)
    for each in (made, jax.tree.map(lambda x: x, made), copy.copy(made), copy.deepcopy(made), replace(made)):
        assert list(vars(each).items()) == [("x", 1), ("n", 2), ("y", 3), ("m", "m")]
        assert Mixed(**vars(each)) == made
    assert list(vars(pickle.loads(pickle.dumps(Tagged(1, "a")))).items()) == [("x", 1), ("tag", "a")]


def test_a_static_field_set_by_force_is_noticed() -> None:
    program = jax.jit(lambda each: jnp.asarray(each.tag))
    made = Tagged(1, 1)
    assert int(program(made)) == 1
    object.__setattr__(made, "tag", 1.5)
    assert float(program(made)) == 1.5
    assert jax.tree.map(lambda x: x, made).tag == 1.5
