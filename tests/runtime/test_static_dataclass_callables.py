"""A static class accepts a callable that exists once, and refuses one that is made again each time."""

from __future__ import annotations

import copy
import functools
import gc
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax  # type: ignore[import-untyped]
import pytest

from jaxtyped_static import StaticContractError
from tests.runtime.static_values import Box, Solver, label, minmod

UNTYPED_PARTIAL: Any = jax.tree_util.Partial


@dataclass(frozen=True)
class Frozen:
    value: Any = 0


def nested() -> None:
    """Defined here, but a new object wherever a test calls for it."""


def make_nested() -> Callable[[], None]:
    def inner() -> None: ...

    return inner


def test_callables_made_again_each_time_are_refused() -> None:
    here = "test_static_dataclass_callables.py"
    refused: list[tuple[Any, str]] = [
        (lambda x: x, rf"Box\.item: a lambda \({here}:\d+\) is a new function each time; define a function at module"),
        (
            make_nested(),
            rf'"inner" \({here}:\d+\) is defined inside a function, which makes a new one each time it runs',
        ),
        (type("Local", (), {"__qualname__": "f.<locals>.Local"}), '"Local" is a class defined inside a function'),
        (functools.partial(minmod), r"functools\.partial\(\.\.\.\) is hashed by identity, and new each time; bind it"),
        (
            UNTYPED_PARTIAL(minmod),
            r"jax\.tree_util\.Partial\(\.\.\.\) is hashed by identity, and new each time; pass",
        ),
        (
            Frozen().__repr__,
            r'"Frozen\.__repr__" .*is a bound method, equal only to the same method of the very same object',
        ),
        ("a".upper, r'"str\.upper" is a bound method'),
        (jax.jit(minmod), 'nothing shows that "minmod" is the same object each time; pass a module-level function'),
        (
            jax.vmap(minmod),
            '"minmod" is a new function each time that its package makes this value; make the value once',
        ),
        (functools.wraps(minmod)(make_nested()), '"minmod" .* is defined inside a function'),
        (functools.cache(minmod), 'nothing shows that "minmod" is the same object'),
        (optax.adam(1e-3), r"Box\.item\.init: \"init_fn\""),
        ((1, (lambda: 2)), r"Box\.item\[1\]: a lambda"),
    ]
    for value, match in refused:
        with pytest.raises(StaticContractError, match=match) as caught:
            Box(value)  # type: ignore[static-callable]
        assert caught.value.code == "static-callable"


MODULE_LAMBDA = lambda x: x  # noqa: E731
MODULE_PARTIAL = functools.partial(minmod)
MODULE_NESTED = make_nested()
MODULE_JITTED = jax.jit(minmod)
MODULE_OPTIMISER = optax.adam(1e-3)
AT_MODULE_LEVEL = Box(make_nested())


@functools.cache
def memoised(n: int) -> Callable[[], int]:
    return lambda: n


@functools.lru_cache(maxsize=8)
def memoised_few(n: int) -> Callable[[], int]:
    return lambda: n


@jax.jit
def compiled(x: Any) -> Any:
    return x


@jax.custom_jvp
def custom(x: Any) -> Any:
    return x


class Holder:
    attribute = staticmethod(make_nested())
    table = (make_nested(),)

    @staticmethod
    def static() -> None: ...

    @classmethod
    def of_class(cls) -> None: ...


class Functor:
    def __call__(self) -> None: ...


FUNCTOR = Functor()

SINGLETONS: list[Any] = [
    *(minmod, MODULE_LAMBDA, MODULE_PARTIAL, MODULE_NESTED, MODULE_JITTED, compiled, custom, FUNCTOR),
    *(jnp.tanh, jnp.add, np.add, math.sin, len, dict.get, int.__add__, jax.nn.relu, jax.lax.add, operator.add),
    *(int, Solver, Any, jnp.float32, Holder, Holder.static, Holder.of_class, Holder.attribute, Frozen.__repr__),
    *(Solver(2).__repr__, Box(1).__eq__, nested, optax.adam, jax.vmap, jax, math),
]


@pytest.mark.parametrize("value", SINGLETONS, ids=label)
def test_callables_that_exist_once_are_accepted(value: Any) -> None:
    assert Box(value).item == value
    assert Box(value) is Box(value)
    assert Box((value,)) is Box((value,))


def test_more_callables_that_exist_once() -> None:
    assert Box(memoised(1)) is Box(memoised(1)) is not Box(memoised(2))
    assert Box(memoised_few(1)) is Box(memoised_few(1))
    assert Box(MODULE_OPTIMISER) is Box(copy.copy(MODULE_OPTIMISER))
    assert AT_MODULE_LEVEL.item is not None
    method = Box(1).__repr__
    assert Box(method) is Box(copy.copy(method))  # type: ignore[static-callable]


def test_the_search_for_a_callable_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    values = [MODULE_LAMBDA, MODULE_PARTIAL, MODULE_JITTED, MODULE_OPTIMISER, memoised(1), Holder.attribute]
    boxes = [Box(value) for value in values]
    monkeypatch.delattr(gc, "get_referrers")
    assert [Box(value) for value in values] == boxes
