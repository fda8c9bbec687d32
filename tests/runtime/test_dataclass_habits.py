"""What users of dataclasses and similar libraries write works, or the message says what to write instead."""

from __future__ import annotations

import abc
import dataclasses
from functools import cache
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import optax  # type: ignore[import-untyped]
import pytest

from jaxtyped_static import Static, StaticContractError, dynamic_dataclass, explain, field, jit, static_dataclass


@pytest.mark.parametrize("decorator", [static_dataclass, dynamic_dataclass])
def test_frozen_true_is_accepted_and_frozen_false_is_not(decorator: Any) -> None:
    @decorator(frozen=True)
    class Grid:
        cells: int

    grid: Any = Grid
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'cells'"):
        grid(1).cells = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'cells'"):
        del grid(1).cells
    with pytest.raises(TypeError, match="makes only frozen classes; drop `frozen=False`"):
        decorator(frozen=False)


def test_field_static_true_marks_a_field() -> None:
    @dynamic_dataclass
    class State:
        x: Any
        power: Any = field(static=True, default=2)
        other: Any = field(static=False, default=1.0)

    program = jax.jit(lambda state: state.x**state.power)
    assert len(jax.tree.leaves(State(1.0))) == 2
    assert [float(program(State(jnp.int32(100_000), power))) for power in (2, 2.0)] == [1410065408, 1e10]

    @static_dataclass
    class Grid:
        cells: int = field(static=True)

    assert Grid(2) is Grid(cells=2)
    with pytest.raises(TypeError, match=r"cells has static=False, but every field of a static class is; remove it"):

        @static_dataclass
        class Wrong:
            cells: int = field(static=False)


DEFAULTS: list[tuple[Any, str, str]] = [
    ([], "list", "field(default_factory=list)"),
    ({"a": 1}, "dict", "field(default_factory=lambda: {'a': 1})"),
    (jnp.ones(2), "ArrayImpl", "field(default_factory=...)"),
]


@pytest.mark.parametrize(("default", "kind", "says"), DEFAULTS)
def test_a_default_that_all_objects_would_share_is_refused(default: Any, kind: str, says: str) -> None:
    members = {"__annotations__": {"x": "Any", "known": "ClassVar[list]"}, "x": default, "known": []}
    with pytest.raises(ValueError) as caught:
        dynamic_dataclass(type("State", (), dict(members)))
    assert str(caught.value) == f"State.x: all objects would share one {kind} as their default; write `x: Any = {says}`"
    with pytest.raises(StaticContractError, match=r"State\.x: .*(use tuple|use immutabledict|dynamic)"):
        static_dataclass(type("State", (), dict(members)))


def test_the_advice_about_defaults_works() -> None:
    @dynamic_dataclass
    class State:
        known: ClassVar[list[int]] = []
        x: list[Any] = field(default_factory=list)
        y: dict[str, int] = field(default_factory=lambda: {"a": 1})

    assert jax.tree.leaves(State()) == [1] and State().x is not State().x


@static_dataclass
class Training:
    optimiser: Any


module_optimiser = optax.adam(1e-3)


@cache
def memoised_optimiser() -> Any:
    return optax.adam(1e-3)


def test_a_packages_value_made_of_functions_must_be_bound_at_module_level() -> None:
    says = (
        r"Training\.optimiser\.init: .* is a new function each time .*; make the value once, bound to a name at module"
    )
    with pytest.raises(StaticContractError, match=says):
        Training(optax.adam(1e-3))  # type: ignore[static-callable]
    assert Training(module_optimiser) is Training(module_optimiser)
    assert Training(memoised_optimiser()) is Training(memoised_optimiser())


class Sized(abc.ABC):
    @property
    @abc.abstractmethod
    def cells(self) -> int: ...

    @abc.abstractmethod
    def volume(self) -> float: ...


@pytest.mark.parametrize(
    "decorator", [static_dataclass, dynamic_dataclass, lambda cls: static_dataclass(slots=True)(cls)]
)
def test_a_field_implements_an_abstract_property(decorator: Any) -> None:
    @decorator
    class Grid(Sized):
        cells: int

        def volume(self) -> float:
            return 2.0

    @decorator
    class Named(Grid):
        cells: int
        name: Static[str] = "grid"

    @decorator
    class Incomplete(Sized):
        cells: int

    classes: Any = Grid, Named, Incomplete
    grid, named, incomplete = classes
    assert grid(4).cells == grid(cells=4).cells == named(4).cells == 4
    assert jax.jit(lambda: grid(4).cells + 1)() == 5
    with pytest.raises(TypeError, match="abstract"):
        incomplete(4)
    with pytest.raises(TypeError, match="cells"):
        grid()


class OfTheClass:
    """A descriptor that caches nothing, as many libraries have one."""

    def __get__(self, instance: object, owner: type) -> str:
        return owner.__name__


@pytest.mark.parametrize("decorator", [static_dataclass, dynamic_dataclass])
def test_a_class_may_have_descriptors(decorator: Any) -> None:
    @decorator
    class Grid:
        cells: int
        title = OfTheClass()

    grid: Any = Grid
    assert grid(4).title == grid.title == "Grid"


def test_explain_lists_the_earlier_programs_that_it_refers_to() -> None:
    @jit
    def step(x: Any, n: Static[int]) -> Any:
        return x * n

    for size in range(1, 9):
        step(jnp.ones(size), 2)
    with explain(step) as why:
        step(jnp.ones(3), 5)
    if not why.earlier:  # Not available in JAX 0.9.
        return
    *_, head, entry, x, n = str(why).splitlines()
    number = why.traces[0].compared_with
    assert number is not None and head == "compiled earlier, of 8:" and entry.strip().startswith(number.split()[1])
    assert x.strip() == "x: float32[3]" and n.strip() == "n = 2" and len(why.earlier) == 8
