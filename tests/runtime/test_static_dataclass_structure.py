"""Static objects are pytrees without leaves: JAX takes them wherever it takes a tree, and compares them exactly."""

from __future__ import annotations

import copy
import gc
import itertools
import pickle
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import jax
import jax.numpy as jnp
import pytest
from flax import serialization

from jaxtyped_static import Static, check_static, dynamic_dataclass, explain, jit, jitted, static_dataclass
from jaxtyped_static._classes import structure
from tests.runtime.static_values import ALIKE, Box, label

X = jnp.int32(100_000)
structure_of: Any = jax.tree.structure
# What the other value's program would return.
SQUARE, EXACT_SQUARE = 1410065408, pytest.approx(1e10)


@static_dataclass
class Power:
    power: Any

    @jit
    def of(self, x: jax.Array) -> Any:
        return x**self.power

    @jax.jit
    def plainly_of(self, x: jax.Array) -> Any:
        return x**self.power

    def with_power(self, power: Any) -> Power:
        changed = copy.copy(self)
        object.__setattr__(changed, "power", power)
        return changed


class Renamed(Power):
    """Undecorated, because it adds no field."""


@dynamic_dataclass
class State:
    u: Any
    power: Power


@jax.tree_util.register_dataclass
@dataclass
class Registered:
    u: Any
    power: Any


def power_of(x: Any, power: Any) -> Any:
    return x**power.power


def program(function: Callable[..., Any]) -> Any:
    return jax.jit(function)


unmarked = program(power_of)
of_fields = program(lambda state: power_of(state.u, state.power))
of_items = program(lambda items: power_of(items["x"], items["of"][0]))
batched = program(jax.vmap(power_of, in_axes=(0, None)))
wholly_batched = program(jax.vmap(power_of))
given_back = program(lambda x, power: (x, power))

ROUTES: dict[str, Callable[[Any, Any], Any]] = {
    "an unmarked parameter": unmarked,
    "by keyword": lambda x, power: unmarked(x, power=power),
    "a static argument": jax.jit(power_of, static_argnums=1),
    "self, under jit": lambda x, power: power.of(x),
    "self, under jax.jit": lambda x, power: power.plainly_of(x),
    "a data field": lambda x, power: of_fields(State(x, power)),
    "a field of a registered class": lambda x, power: of_fields(Registered(x, power)),
    "in a container": lambda x, power: of_items({"x": x, "of": [power]}),
    "vmap": lambda x, power: batched(x[None], power)[0],
    "vmap over all": lambda x, power: wholly_batched(x[None], power)[0],
    "cond": program(lambda x, power: jax.lax.cond(x > 0, power_of, power_of, x, power)),
    "a result": lambda x, power: power_of(*given_back(x, power)),
    "checkpoint": program(jax.checkpoint(power_of)),
    "a lowered program": lambda x, power: unmarked.lower(x, power).compile()(x, power),
}


@pytest.mark.parametrize("route", ROUTES)
def test_equal_numbers_of_different_classes_never_share_a_program(route: str) -> None:
    run = ROUTES[route]
    for cls, _ in itertools.product((Power, Renamed), range(2)):
        assert run(X, cls(2)) == SQUARE
        assert run(X, cls(2.0)) == EXACT_SQUARE
        assert run(X, cls(True)) == X


@pytest.mark.parametrize("group", ALIKE, ids=label)
def test_values_that_python_confuses_make_different_structures(group: tuple[Any, ...]) -> None:
    structures = [structure_of(Box(value)) for value in group]
    assert all(one != other for one, other in itertools.combinations(structures, 2))
    assert structures == [structure_of(Box(copy.deepcopy(value))) for value in group]


def test_private_objects_equal_the_shared_object() -> None:
    traces: list[Power] = []

    @program
    def run(x: jax.Array, power: Power) -> tuple[jax.Array, Power]:
        traces.append(power)
        return x**power.power, power

    assert run(X, Power(2)) == (SQUARE, Power(2))
    private = Power(1).with_power(2)
    number, given_back = run(X, private)
    assert number == SQUARE and given_back is Power(2)
    object.__setattr__(private, "power", 2.0)
    assert run(X, private)[0] == EXACT_SQUARE
    assert run(X, Power.__new__(Power).with_power(2.0))[0] == EXACT_SQUARE
    assert traces == [Power(2), Power(2.0)]


def test_whatever_takes_trees_takes_static_objects() -> None:
    power = Power(3)
    last, _ = jax.lax.scan(lambda carry, _: ((power_of(*carry), carry[1]), None), (jnp.float32(2), power), length=2)
    assert last[0] == 512 and last[1] is power
    assert jax.lax.while_loop(lambda c: c[0] < 100, lambda c: (power_of(*c), c[1]), (jnp.float32(2), power))[1] is power
    assert jax.tree.map(lambda leaf: leaf + 1, (1, power)) == (2, power)
    assert jax.tree.leaves([power]) == []
    shape, given_back = jax.eval_shape(lambda x: (power_of(x, power), power), jnp.float32(2))
    assert shape.shape == () and given_back is power
    slope, aux = jax.grad(lambda x: (power_of(x, power), power), has_aux=True)(2.0)
    assert slope == 12 and aux is power
    assert jax.grad(power_of)(2.0, power) == 12
    _, pullback = jax.vjp(power_of, 2.0, power)
    assert pullback(1.0)[0] == 12 and pullback(1.0)[1] is power


def test_flax_saves_nothing_of_static_objects() -> None:
    state = State(jnp.ones(2), Power(2))
    saved = serialization.to_bytes((state, [Renamed(3)]))
    restored, others = serialization.from_bytes((State(jnp.zeros(2), Power(2)), [Renamed(3)]), saved)
    assert restored.u.sum() == 2 and restored.power is Power(2) and others == [Renamed(3)]


def test_custom_derivatives() -> None:
    @jax.custom_vjp
    def scaled(x: jax.Array, power: Power) -> Any:
        return x * power.power

    scaled.defvjp(lambda x, power: (x * power.power, power), lambda power, ct: (ct * power.power * 10, power))
    assert jax.grad(scaled)(1.0, Power(2)) == 20
    assert jax.jit(jax.grad(scaled))(1.0, Power(2.5)) == 25


def test_jax_names_the_changed_static_field_of_a_carry() -> None:
    with pytest.raises(TypeError, match=r"metadata Power\(power=1\) .* metadata Power\(power=1\.0\)"):
        jax.lax.scan(lambda *_: (Power(1.0), None), Power(1), length=2)


def test_structures_can_be_pickled_and_copied() -> None:
    tree = structure_of((1, Power(2)))
    assert pickle.loads(pickle.dumps(tree)) == copy.deepcopy(tree) == tree
    assert repr(structure_of(Power(2))) == "PyTreeDef(CustomNode(Power[Power(power=2)], []))"
    node = structure_of(Power(2)).node_data()[1]
    assert pickle.loads(pickle.dumps(node)) is copy.copy(node) is copy.deepcopy(node) is node


def test_a_structure_can_be_a_static_value() -> None:
    check_static(structure_of((1, Power(2))))
    assert Box(structure_of(Power(2))) is Box(structure_of(Power(2)))
    assert Box(structure_of(Power(2))) is not Box(structure_of(Power(2.0)))


def test_values_held_only_by_a_tree_are_freed() -> None:
    value = Power(("freed", 1))
    alive, tree = weakref.ref(value), structure_of(value)
    del value
    gc.collect()
    assert alive() is jax.tree.unflatten(tree, [])
    del tree
    gc.collect()
    assert alive() is None


def test_many_values_are_not_remembered_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structure, "_MAX_REMEMBERED", 10)
    trees = [structure_of(Power(("many", n))) for n in range(100)]
    assert trees == [structure_of(Power(("many", n))) for n in range(100)]
    assert len(structure._remembered) <= 10


def test_threads_make_one_structure() -> None:
    with ThreadPoolExecutor(8) as pool:
        for number in range(200):
            structures = list(pool.map(lambda _, n=number: structure_of(Power(("threads", n))), range(8)))
            assert all(each == structures[0] for each in structures)


def test_an_undecorated_subclass_is_registered_with_its_first_object() -> None:
    class Made(Power):
        pass

    class Raw(Power):
        pass

    assert jax.tree.leaves(Made(1)) == []
    raw = Raw.__new__(Raw)
    object.__setattr__(raw, "power", 1)
    assert jax.tree.leaves(raw) == []
    assert structure_of(Made(1)) != structure_of(raw)


def test_a_class_is_registered_once() -> None:
    class Known:
        n: Final = 1

    register: Callable[[type], type] = jax.tree_util.register_static
    register(Known)
    with pytest.raises(TypeError, match="Known is already registered as a pytree; @static_dataclass does that, so"):
        static_dataclass(Known)

    @register
    class Chosen(Power):
        """A class that the program has registered itself stays as it is."""

    assert structure_of(Chosen(1)) != structure_of(Chosen(1.0))


def test_explain_says_which_static_structure_differs() -> None:
    @jit
    def step(x: jax.Array, power: Power, other: Static[int] = 1) -> Any:
        return x**power.power * other

    with explain(step) as why:
        step(X, Power(2))
        step(X, Power(2.0))
        step(X, Renamed(2))
    of_power, of_class = why.traces[1].differences, why.traces[2].differences
    assert [(str(each), each.kind.value) for each in of_power] == [("power.power: 2 → 2.0", "static structure")]
    assert [each.path for each in of_class] == ["power"]
    assert "Renamed(power=2)" in of_class[0].says
    assert jitted(step).eval_shape(X, Power(2)).shape == ()
