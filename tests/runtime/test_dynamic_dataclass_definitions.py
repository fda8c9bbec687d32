"""What a dynamic class may not define."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any, NamedTuple, cast

import equinox as eqx
import flax.struct
import jax
import pytest
from jax.tree_util import register_dataclass, register_pytree_node, register_pytree_node_class

from jaxtyped_static import StaticContractError, dynamic_dataclass, field, static_dataclass
from tests.runtime.dynamic_values import Tagged


def refused(match: str, make: Callable[[], object]) -> None:
    """Asserts that it raises a TypeError with this message."""
    with pytest.raises(TypeError, match=match):
        make()


def body(**names: Any) -> Any:
    """Returns a class that is not decorated yet."""
    return type("Bad", (), {"__annotations__": {"x": int}, **names})


class OtherCached(property):
    """A `cached_property` that fills the instance's own dictionary, as in werkzeug."""


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
        assert str(caught.value).startswith("Bad.total is cached on a pytree: the cache is lost whenever")
        assert caught.value.advice == "make it a plain property, or a data field that is set when the object is made"

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


def test_definitions_that_are_generated_or_would_be_lost_are_refused() -> None:
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
    refused("Tagged is already a dynamic class; decorate it once", lambda: dynamic_dataclass(Tagged))
    for base in (Name, Made, tuple, dict, register_pytree_node_class(with_flatten())):
        refused(
            rf"Sub inherits from {base.__name__}, which makes objects its own way; hold a \w+ in a field instead",
            partial(dynamic_dataclass, sub(base)),
        )
    for cls in (body(__slots__=("x",)), sub(Slotted)):
        refused(r"\w+ has __slots__, so JAX could not restore its fields; remove them", partial(dynamic_dataclass, cls))
    refused(r"Sub is static: it cannot be a pytree with data", lambda: dynamic_dataclass(sub(Constant)))
    refused(
        "Sub inherits from the dataclass Bad, which is not frozen; declare Bad",
        lambda: dynamic_dataclass(sub(dataclasses.dataclass(body()))),
    )


def with_flatten() -> Any:
    def unflatten(cls: type, *_: object) -> object:
        return cls()

    return type("Node", (), {"tree_flatten": lambda self: ((), None), "tree_unflatten": classmethod(unflatten)})


def test_a_class_that_is_already_registered() -> None:
    @dataclasses.dataclass(frozen=True)
    class Plain:
        x: Any

    class Node(flax.struct.PyTreeNode):  # type: ignore[no-untyped-call]
        x: Any

    class Module(eqx.Module):
        x: Any

    for cls in (Plain, register_dataclass(dataclasses.dataclass(body())), Node, Module):
        refused(
            rf"{cls.__name__} is already a dataclass, by another decorator or a base; use @dynamic_dataclass alone",
            partial(dynamic_dataclass, cls),
        )
    register_pytree_node(Registered, lambda made: ((), None), lambda aux, _: Registered())
    refused(
        "Registered is already registered as a pytree; @dynamic_dataclass does", lambda: dynamic_dataclass(Registered)
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
