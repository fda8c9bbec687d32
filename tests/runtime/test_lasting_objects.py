"""An object that exists once is found through the names that lead to it, whatever the state of the heap."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import optax  # type: ignore[import-untyped]
import pytest

from jaxtyped_static import Static, StaticContractError, check_static, guard, jit, static_dataclass
from jaxtyped_static._keys.interning import interned_count
from jaxtyped_static._singletons.lasting import is_held_permanently
from tests.processes import run_python
from tests.runtime.guarded_values import Model, Registry, unseen
from tests.runtime.static_values import Box, minmod

OPTIMISERS = {"slow": optax.sgd(0.1), "chained": optax.chain(optax.clip(1.0), optax.adam(0.1))}
JAXPR = jax.make_jaxpr(jnp.sin)(1.0)
LOWERED = jax.jit(minmod).lower(1.0)


class Holder:
    optimisers = (optax.adam(0.1),)

    class Inner:
        optimiser = optax.adam(0.2)


class Proxy:
    """Raises on every access, like a proxy for the current request outside of a request."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)


PROXY = Proxy()


def take_what_is_held() -> None:
    for each in (*OPTIMISERS.values(), *Holder.optimisers, Holder.Inner.optimiser):
        assert Box(each) is Box(each)
    with pytest.raises(StaticContractError) as caught:
        Box(optax.adam(0.1))  # type: ignore[static-callable]
    assert caught.value.code == "static-callable"


def test_after_gc_freeze_a_modules_objects_are_found() -> None:
    done = run_python("import gc, tests.runtime.test_lasting_objects as t; gc.freeze(); t.take_what_is_held()")
    assert done.returncode == 0, done.stderr


def test_the_garbage_collector_is_not_asked_for_referrers(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("get_referrers", "get_objects"):
        monkeypatch.delattr(gc, name)
    assert Box(optax.multi_transform) is Box(optax.multi_transform)
    assert is_held_permanently(Holder.optimisers[0].init)
    assert not is_held_permanently(optax.adam(0.1).init)


@pytest.mark.parametrize(
    "make",
    [
        lambda: jax.make_jaxpr(lambda x: x)(1.0),
        lambda: jax.make_jaxpr(lambda x: x)(1.0).jaxpr,
        lambda: jax.jit(minmod).lower(1.0),
    ],
    ids=["a closed jaxpr", "a jaxpr", "a lowered function"],
)
def test_objects_that_jax_makes_each_time_are_refused(make: Callable[[], Any]) -> None:
    for check in (Box, check_static):
        with pytest.raises(StaticContractError, match="hashed by identity, and JAX makes a new one each") as caught:
            check(make())
        assert caught.value.code == "static-hash"


def test_jaxprs_that_a_module_holds_are_accepted() -> None:
    @jit
    def evaluate(x: jax.Array, jaxpr: Static[Any]) -> Any:
        return jax.core.eval_jaxpr(jaxpr.jaxpr, jaxpr.consts, x)[0]

    with guard():
        assert evaluate(jnp.float32(0), JAXPR) == 0
    assert Box(JAXPR) is Box(JAXPR) is not Box(LOWERED)


class Plugin:
    """Hand-written, and told later where it is."""

    def __init__(self, order: int) -> None:
        self._order = order
        self._owner: Any = None

    def __eq__(self, other: object) -> bool:
        return type(other) is Plugin and self._order == other._order

    def __hash__(self) -> int:
        return hash(self._order)


@static_dataclass
class Host:
    plugin: Any


def test_a_value_that_refers_back_to_its_owner_is_freed() -> None:
    gc.collect()
    before = interned_count()
    for hold in (lambda plugin: plugin, lambda plugin: (1, (plugin,)), lambda plugin: frozenset({plugin})):
        plugin = Plugin(1)
        host = Host(hold(plugin))
        assert Host(hold(Plugin(1))) is host
        plugin._owner = host
        alive = weakref.ref(plugin)
        del plugin, host
        gc.collect()
        assert alive() is None
    assert interned_count() == before


def test_entries_of_a_weak_table_may_come_and_go() -> None:
    @jit
    def step(x: Any, model: Static[Model]) -> Any:
        return x * model.registry.weight

    model, kept = Model(Registry()), Registry()
    unseen(model.registry).users = table = weakref.WeakValueDictionary({"a": kept})
    unseen(model.registry).sets = weakref.WeakSet([kept])
    with guard():
        assert step(1.0, model) == 2
        table["b"] = kept
        assert step(1.0, model) == 2
        del kept
        assert step(1.0, model) == 2
