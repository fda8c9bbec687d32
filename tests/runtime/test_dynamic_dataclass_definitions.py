"""How an object of a dynamic class is completed, its subclasses, and what the class may not define."""

from __future__ import annotations

import abc
import copy
import dataclasses
import functools
import pickle
from collections.abc import Callable
from dataclasses import InitVar, replace
from functools import cached_property, partial
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar, cast

import equinox as eqx
import flax.struct
import jax
import jax.numpy as jnp
import pytest
from jax.tree_util import register_dataclass, register_pytree_node, register_pytree_node_class
from jaxtyping import jaxtyped

from jaxtyped_static import Static, StaticContractError, dynamic_dataclass, field, static_dataclass
from tests.runtime.dynamic_values import Leaves, State, Tagged, structure

T = TypeVar("T")


def refused(match: str, make: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match=match):
        make()


def body(**names: Any) -> Any:
    return type("Bad", (), {"__annotations__": {"x": int}, **names})


# Completing an object


@dynamic_dataclass
class Made:
    """Everything that a field can say."""

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


def test_an_object_that_passes_on_what_it_does_not_have() -> None:
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
    """As a `with_tag` written by hand does."""

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


def test_an_object_has_the_static_values_that_its_copies_will_have() -> None:
    """Also where values are equal that are not the same."""

    class Coarse:
        def __init__(self, a: int, b: int) -> None:
            self._a, self._b = a, b

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Coarse) and self._a == other._a

        def __hash__(self) -> int:
            return hash(self._a)

    tagged: Any = Tagged
    first, second = tagged(0, Coarse(1, 2)), tagged(0, Coarse(1, 3))
    assert second.tag is first.tag is jax.tree.map(lambda x: x, second).tag


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


def test_what_is_not_set_or_no_field_is_named() -> None:
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
        r"Extra\.scale was set, but is no field: the first jit, vmap or tree\.map would lose it; declare it as a field",
        lambda: Extra(1),
    )


def test_an_init_written_by_hand() -> None:
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


def test_whoever_wraps_the_init_afterwards_sees_the_finished_object() -> None:
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


# Inheritance


@dynamic_dataclass
class Shape(abc.ABC):
    x: Any
    n: Static[int]

    @abc.abstractmethod
    def area(self) -> Any: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", self.n + 1)


@dynamic_dataclass
class Square(Shape):
    name: Static[str] = "square"

    def area(self) -> Any:
        return self.x**2

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "name", self.name.upper())


@dynamic_dataclass
class Cube(Square):
    y: Any = 0


def test_subclasses_are_classes_of_their_own() -> None:
    square, cube = Square(3, 1), Cube(3, 1)
    assert (square.n, square.name, cube.n, cube.name) == (2, "SQUARE", 2, "SQUARE")
    assert structure(square) == structure(Square(4, 1, "Square"))
    assert jax.tree.leaves(cube) == [3, 0]
    assert jax.jit(lambda shape: shape.area())(cube) == 9
    with pytest.raises(TypeError, match="abstract"):
        Shape(1, 2)  # type: ignore[abstract]


def test_generics_protocols_mixins_and_init_subclass() -> None:
    seen: list[type] = []

    class Registered:
        def __init_subclass__(cls, **options: Any) -> None:
            super().__init_subclass__()
            seen.append(cls)

    class Sized(Protocol):
        n: int

    @dynamic_dataclass
    class Base(Registered, Generic[T]):
        a: T
        n: Static[int] = 0

    @dynamic_dataclass
    class Sub(Base[int], Sized):
        b: Any = 1

    assert seen == [Base, Sub]
    assert jax.tree.map(lambda x: x + 1, Base[int](1)) == Base(2)
    assert jax.tree.leaves(Sub(1)) == [1, 1]


def test_a_subclass_without_the_decorator_is_refused_where_it_is_made() -> None:
    class Sub(State):
        pass

    class Init(State):
        def __init__(self) -> None:
            super().__init__(jnp.ones(1), cast(Any, 1))

    @dataclasses.dataclass(frozen=True)
    class Plain(State):
        more: int = 0

    @static_dataclass
    class AsStatic(Leaves):
        pass

    for cls in (lambda: Sub(1, 2), Init, lambda: Plain(1, 2), lambda: AsStatic(1)):  # type: ignore[arg-type]
        refused(
            r"\w+ is not registered as a pytree, though (State|Leaves) is; decorate it with @dynamic_dataclass",
            cast(Callable[[], object], cls),
        )


# What a class may not define


class OtherCached(property):
    """As in werkzeug: `cached_property` that fills the instance's own dictionary."""


OtherCached.__name__ = "cached_property"


class MixIn:
    @cached_property
    def total(self) -> int:
        return 1


def test_cached_properties() -> None:
    classes = [
        body(total=cached_property(lambda self: 1)),
        body(total=OtherCached(lambda self: 1)),
        body(total=cached_property(cast(Any, jax.jit(lambda self: 1)))),
        type("Bad", (MixIn,), {"__annotations__": {"x": int}}),
    ]
    for cls in classes:
        with pytest.raises(StaticContractError) as caught:
            dynamic_dataclass(cls)
        assert caught.value.code == "pytree-cache"
        assert str(caught.value).startswith("Bad.total caches on a pytree: the cache is dropped whenever")
        assert caught.value.advice == "make it a plain property, or a data field that is filled once"

    class uncached_property(property):
        pass

    @dynamic_dataclass
    class Fine(MixIn):
        x: Any

        @uncached_property
        def other(self) -> int:
            return 2

        @property
        def total(self) -> Any:
            return self.x

        @functools.cache  # noqa: B019
        def method(self) -> int:
            return 1

    assert Fine(3).total == 3


def test_what_is_generated_or_cannot_be_carried_along() -> None:
    class Name(NamedTuple):
        x: int

    class Made:
        def __new__(cls, *args: Any) -> Made:
            return object.__new__(cls)

    @dataclasses.dataclass(frozen=True, slots=True)
    class Slotted:
        x: int

    @static_dataclass
    class Constant:
        x: int

    def sub(base: type) -> Any:
        return type("Sub", (base,), {"__annotations__": {"y": int}})

    for name in ("tree_flatten", "tree_unflatten", "tree_flatten_with_keys", "__new__"):
        cls = body(**{name: lambda self: 1})
        refused(rf"Bad defines {name}, which @dynamic_dataclass generates; drop it", partial(dynamic_dataclass, cls))
    refused("Tagged is a dynamic class already; decorate it once", lambda: dynamic_dataclass(Tagged))
    for base in (Name, Made, tuple, dict, register_pytree_node_class(with_flatten())):
        refused(
            rf"Sub inherits from {base.__name__}, which makes objects in its own way; hold a \w+ in a field instead",
            partial(dynamic_dataclass, sub(base)),
        )
    for cls in (body(__slots__=("x",)), sub(Slotted)):
        refused(
            r"\w+ has __slots__, where JAX could not restore its fields; drop them", partial(dynamic_dataclass, cls)
        )
    refused(r"Sub is static: it cannot be a pytree with data", lambda: dynamic_dataclass(sub(Constant)))
    refused("cannot inherit frozen dataclass", lambda: dynamic_dataclass(sub(dataclasses.dataclass(body()))))


def with_flatten() -> Any:
    def unflatten(cls: type, *_: object) -> object:
        return cls()

    return type("Node", (), {"tree_flatten": lambda self: ((), None), "tree_unflatten": classmethod(unflatten)})


def test_what_is_registered_already() -> None:
    @dataclasses.dataclass(frozen=True)
    class Plain:
        x: Any

    class Node(flax.struct.PyTreeNode):  # type: ignore[no-untyped-call]
        x: Any

    class Module(eqx.Module):
        x: Any

    for cls in (Plain, register_dataclass(dataclasses.dataclass(body())), Node, Module):
        refused(
            rf"{cls.__name__} is a dataclass already, by another decorator or a base; use @dynamic_dataclass alone",
            partial(dynamic_dataclass, cls),
        )
    register_pytree_node(Registered, lambda made: ((), None), lambda aux, _: Registered())
    refused(
        "Registered is registered as a pytree already; @dynamic_dataclass does", lambda: dynamic_dataclass(Registered)
    )


class Registered:
    pass


def test_fields_that_contradict_the_class() -> None:
    class Hidden:
        @property
        def x(self) -> int:
            return 1

        @x.setter
        def x(self, value: int) -> None: ...

    Hidden.__annotations__ = {"x": int}
    refused(r"Hidden\.x is a field and a property", lambda: dynamic_dataclass(Hidden))
    refused(
        r"Bad\.x is declared hash_by_id, but data is never hashed; mark the field Static\[\.\.\.\], or drop it",
        lambda: dynamic_dataclass(body(x=field(hash_by_id=True))),
    )
