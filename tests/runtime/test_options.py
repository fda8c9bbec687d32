"""Explicit lists and other options, together with markers."""

from __future__ import annotations

import warnings
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyped_static import Dynamic, JitArgumentsError, Static, jit
from tests.runtime.tracing import arrival


def f(x: Dynamic[Any], n: Static[int], other: Any = 1, *, k: Static[int] = 0, free: Any = 0) -> Any:
    return x, arrival(n), arrival(other), arrival(k), arrival(free)


def arrivals(fun: Any, *args: Any, **kwargs: Any) -> dict[str, str]:
    """Returns how the arguments of a function of the shape of `f` arrive."""
    seen: dict[str, str] = {}

    def recording(x: Dynamic[Any], n: Static[int], other: Any = 1, *, k: Static[int] = 0, free: Any = 0) -> Any:
        values = {"x": x, "n": n, "other": other, "k": k, "free": free}
        seen.update({name: arrival(value) for name, value in values.items()})
        return x

    fun(recording)(*args, **kwargs)
    return seen


@pytest.mark.parametrize(
    "lists",
    [
        {"static_argnames": ("n", "k")},
        {"static_argnames": ["k", "n", "other"]},
        {"static_argnums": 1, "static_argnames": "k"},
        {"static_argnums": (1, 2), "static_argnames": ("k",)},
        {"static_argnums": (-2, -1), "static_argnames": {"k"}},
    ],
)
def test_lists_that_agree_are_completed(lists: dict[str, Any]) -> None:
    def compiled(fun: Any) -> Any:
        return jit(fun, **lists)

    names = lists["static_argnames"]
    listed = "concrete" if "other" in names or isinstance(lists.get("static_argnums"), tuple) else "traced"
    for call in (((1.0, 2, 3), {"k": 4}), ((1.0,), {"n": 2, "other": 3, "k": 4})):
        seen = arrivals(compiled, *call[0], **call[1])
        assert seen == {"x": "traced", "n": "concrete", "other": listed, "k": "concrete", "free": "concrete"}


def test_an_unmarked_parameter_may_be_listed_instead() -> None:
    seen: list[str] = []

    @jit(static_argnums=0)
    def g(n: Any, x: Any) -> Any:
        seen.append(arrival(n))
        return x * n

    assert g(2, 3.0) == g(n=2, x=3.0) == 6.0
    assert seen == ["concrete", "concrete"]


@pytest.mark.parametrize(
    ("lists", "parameter", "advice"),
    [
        ({"static_argnames": ("x", "n", "k")}, "x", "annotated `Dynamic[...]` and listed as static"),
        ({"static_argnums": (0, 1), "static_argnames": "k"}, "x", "remove it from the list"),
        ({"static_argnames": "n"}, "k", "missing from static_argnums / static_argnames"),
        ({"static_argnums": ()}, "n", "drop the lists"),
        ({"donate_argnames": "n"}, "n", "static and donated"),
        ({"donate_argnums": (0, 1)}, "n", "remove it from donate_argnums"),
    ],
)
def test_lists_that_disagree_are_refused(lists: dict[str, Any], parameter: str, advice: str) -> None:
    with pytest.raises(JitArgumentsError) as caught:
        jit(f, **lists)
    assert isinstance(caught.value, ValueError)
    assert (caught.value.code, caught.value.parameter) == ("jit-argnames", parameter)
    assert str(caught.value).startswith(f"f (test_options.py:{f.__code__.co_firstlineno}), parameter `{parameter}`")
    assert advice in str(caught.value)


def test_static_and_donated_is_found_for_positional_only_parameters_too() -> None:
    def g(x: Any, n: Static[int], /) -> Any:
        return x

    with pytest.raises(JitArgumentsError, match="parameter `n`: found it both static and donated"):
        jit(g, donate_argnums=1)  # type: ignore[jit-argnames]
    with pytest.raises(JitArgumentsError, match="parameter `n`: found it both static and donated"):
        jit(g, donate_argnums=-1)  # type: ignore[jit-argnames]

    def h(x: Any, *rest: Any) -> Any:
        return x

    with pytest.raises(JitArgumentsError, match="position 2 both static and donated"):
        jit(h, static_argnums=2, donate_argnums=2)  # type: ignore[jit-argnames]


def test_numbers_and_names_beyond_the_signature_go_to_jax() -> None:
    seen: list[str] = []

    def g(x: Any, *rest: Any, **more: Any) -> Any:
        seen.extend((arrival(rest[0]), arrival(rest[1]), arrival(more["k"])))
        return x

    jit(g, static_argnums=2, static_argnames="k")(1.0, 2, 3, k=4)
    assert seen == ["traced", "concrete", "concrete"]

    with pytest.raises(ValueError, match="does not take these args"):
        jit(f, static_argnames=("n", "k", "nope"))  # type: ignore[jit-argnames]
    with pytest.raises(ValueError, match="only accepts 3 positional"):
        jit(f, static_argnums=(1, 7), static_argnames="k")  # type: ignore[jit-argnames]


def test_lists_may_be_any_iterable_as_in_jax() -> None:
    def g(x: Any, n: Static[int]) -> Any:
        return x * n

    lists: dict[str, Any] = {"static_argnames": iter("n"), "static_argnums": np.int64(1), "donate_argnames": iter("x")}
    x = jnp.ones(3)
    assert (jit(g, **lists)(x, 2) == 2).all()
    assert x.is_deleted()


def test_every_other_option_reaches_jax() -> None:
    device = jax.devices()[0]
    sharding = jax.sharding.SingleDeviceSharding(device)

    @jit(donate_argnames="x", in_shardings=(sharding,), out_shardings=sharding, keep_unused=True, inline=True)
    def double(x: Any, n: Static[int]) -> Any:
        return x * n

    x = jnp.ones(3)
    assert double(x, 2).sharding == sharding
    assert x.is_deleted()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        jit(lambda x: x, backend="cpu")
    assert any("backend" in str(warning.message) for warning in caught)
    with pytest.raises(Exception, match="no_such_option"):
        jit(lambda x: x, compiler_options={"no_such_option": True})(1.0)
