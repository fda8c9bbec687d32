"""Overloads, type variables and overriding see the function, not the compiled object."""

from collections.abc import Callable
from typing import TypeVar, overload

from jax import Array
from typing_extensions import assert_type, override

from jaxtyped_static import Dynamic, Static, jit

T = TypeVar("T")


@jit
def same(x: T, n: Static[int]) -> T:
    return x


@overload
def pick(x: Array, both: Static[None] = None) -> Array: ...
@overload
def pick(x: Array, both: Static[int]) -> tuple[Array, Array]: ...
@jit
def pick(x: Array, both: Static[int | None] = None) -> Array | tuple[Array, Array]:
    return x if both is None else (x, x)


class Base:
    @jit
    def run(self: Static["Base"], x: Array, n: Static[int]) -> Array:
        return x


class Good(Base):
    @override
    @jit
    def run(self: Static["Good"], x: Array, n: Static[int]) -> Array:
        return -x


class Plain(Base):
    @override
    def run(self, x: Array, n: int) -> Array:
        return -x


class Bad(Base):
    @jit
    def run(self: Static["Bad"], x: Array, n: Static[str]) -> Array:  # error
        return -x


V = TypeVar("V", bound="Chain")


class Chain:
    @jit
    def itself(self: Static[V], x: Array) -> V:
        raise NotImplementedError


class Longer(Chain):
    pass


def apply(step: Callable[[Array, int], Array], x: Array) -> Array:
    return step(x, 1)


@jit
def one(x: Dynamic[Array]) -> Array:
    return x


def use(x: Array, base: Base) -> None:
    assert_type(same(x, 1), Array)
    assert_type(same([x], 1), list[Array])
    assert_type(pick(x), Array)
    assert_type(pick(x, 1), tuple[Array, Array])
    assert_type(base.run(x, 1), Array)
    apply(base.run, x)
    assert_type(Longer().itself(x), Longer)
    apply(same, x)

    same(x, "1")  # error
    pick(x, "1")  # error
    apply(one, x)  # error
