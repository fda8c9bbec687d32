"""Dynamic classes in JAX's transformations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyped_static import (
    Static,
    StaticContractError,
    check_static,
    dynamic_dataclass,
    jit,
    static_dataclass,
)
from tests.runtime.dynamic_values import Grid, Leaves, Pair, State, Tagged, structure

state = State(jnp.arange(3.0), Grid(3))


def test_jit_methods_properties_and_static_parameters() -> None:
    assert float(state.energy()) == pytest.approx(5 / 3)
    assert state.doubled.tolist() == [0, 2, 4]
    stepped = state.step(jnp.float32(1), n=2)
    assert type(stepped) is State and stepped.u.tolist() == [2, 3, 4] and stepped.grid is state.grid

    @jit
    def f(state: State, grid: Static[Grid]) -> State:
        return replace(state, u=state.limiter(state.u) * grid.cells, grid=grid)

    finer = f(state, Grid(6))
    assert finer.grid is Grid(6) and finer.u.shape == (3,)


def test_vmap_scan_grad_map_and_the_like() -> None:
    batch = jax.vmap(lambda scale: replace(state, u=state.u * scale))(jnp.arange(2.0))
    assert batch.u.shape == (2, 3) and batch.grid is state.grid
    axes = State(0, Grid(3), None)  # type: ignore[arg-type]
    assert jax.vmap(State.energy, in_axes=(axes,))(batch).shape == (2,)

    final, energies = jax.lax.scan(lambda carry, _: (carry.step(jnp.float32(0.5)), carry.energy()), state, length=4)
    assert type(final) is State and final.u.tolist() == [2, 3, 4] and energies.shape == (4,)

    gradient = jax.grad(State.energy)(state)
    assert type(gradient) is State and gradient.grid is state.grid
    assert np.allclose(gradient.u, 2 * state.u / 3)

    value, pullback = jax.vjp(State.energy, state)
    assert np.allclose(pullback(value)[0].u, value * gradient.u)
    assert jax.eval_shape(lambda s: s, state).u.shape == (3,)
    assert jax.lax.cond(True, lambda s: s, lambda s: replace(s, u=-s.u), state).u.tolist() == [0, 1, 2]
    assert jax.lax.while_loop(lambda s: s.u[0] < 3, lambda s: replace(s, u=s.u + 1), state).u.tolist() == [3, 4, 5]
    assert jax.checkpoint(State.energy)(state) == state.energy()
    assert jax.tree.map(jnp.add, state, state).u.tolist() == [0, 2, 4]
    assert jax.tree.leaves(jax.device_put(state))[0].tolist() == [0, 1, 2]
    donating = jax.jit(lambda s: replace(s, u=s.u + 1), donate_argnums=0)
    assert donating(jax.tree.map(jnp.copy, state)).u.tolist() == [1, 2, 3]


def test_a_changed_structure_is_explained_by_static_field_names() -> None:
    def refine(carry: State, _: None) -> tuple[State, None]:
        return replace(carry, grid=Grid(carry.grid.cells + 1)), None

    with pytest.raises(TypeError, match=r"metadata grid=Grid\(cells=3, .* metadata grid=Grid\(cells=4, "):
        jax.lax.scan(refine, state, length=2)
    with pytest.raises(ValueError, match=r"grid=Grid\(cells=4, "):
        jax.tree.map(jnp.add, state, replace(state, grid=Grid(4)))


def test_static_fields_are_verified_when_an_object_is_made() -> None:
    def refused(make: Any) -> tuple[str, str]:
        with pytest.raises(StaticContractError) as caught:
            make()
        return caught.value.code, caught.value.path

    assert refused(lambda: State(state.u, jnp.ones(2))) == ("static-dynamic", "State.grid")  # type: ignore[arg-type]
    assert refused(lambda: Tagged(0, (1, [2]))) == ("static-mutable", "Tagged.tag[1]")  # type: ignore[static-mutable]
    assert refused(lambda: Tagged(0, lambda: 1)) == ("static-callable", "Tagged.tag")  # type: ignore[static-callable]
    assert refused(lambda: Tagged(0, Tagged(1, 2))) == ("static-dynamic", "Tagged.tag")  # type: ignore[static-dynamic]
    assert refused(lambda: replace(state, limiter=lambda x: x))[1] == "State.limiter"  # type: ignore[static-callable]
    assert refused(lambda: jax.jit(lambda s: replace(s, grid=s.u[0]))(state)) == ("static-traced", "State.grid")
    assert refused(lambda: Pair(first=0, second=0, weights=[1.0])) == (  # type: ignore[arg-type]
        "static-mutable",
        "Pair.weights",
    )
    handle: Any = {}
    assert structure(Pair(first=0, second=0, handle=handle)) != structure(Pair(first=0, second=0, handle={}))
    made = jax.jit(lambda x: Pair(first=x, second=x, handle=x))  # type: ignore[static-traced]
    assert refused(lambda: made(1.0))[0] == "static-traced"


def test_an_object_is_a_static_value_only_without_data() -> None:
    @dynamic_dataclass
    class Frozen:
        n: Static[int]

    @static_dataclass
    class Holder:
        inner: Any

    check_static(Frozen(1))
    assert Holder(Frozen(1)) is Holder(Frozen(1)) is not Holder(Frozen(True))
    with pytest.raises(StaticContractError) as caught:
        Holder(Leaves(1))  # type: ignore[static-dynamic]
    assert (caught.value.code, caught.value.path) == ("static-dynamic", "Holder.inner")
