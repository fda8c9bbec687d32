"""Exactly the parameters marked Static arrive concrete, however they are passed."""

from __future__ import annotations

from typing import Any

import jax
import pytest

from jaxtyped_static import Dynamic, Static, jit, static_params
from jaxtyped_static.types import StaticParams
from tests.runtime.tracing import arrival


def test_a_static_parameter_is_concrete_by_position_by_keyword_and_by_default() -> None:
    seen: list[tuple[str, str]] = []

    @jit
    def f(x: float, n: Static[int] = 3) -> Any:
        seen.append((arrival(x), arrival(n)))
        return x * n

    assert (f(2.0, 4), f(2.0, n=4), f(x=2.0, n=4), f(2.0)) == (8.0, 8.0, 8.0, 6.0)
    # JAX does not normalise calls, so every form is traced separately.
    assert seen == [("traced", "concrete")] * 4


def test_both_lists_are_complete_because_jax_infers_neither_when_given_both() -> None:
    def f(a: Static[int], /, b: Static[int], x: float, *, c: Static[int] = 0, y: Dynamic[float] = 0.0) -> Any:
        return x * (a + b + c) + y

    assert static_params(f) == StaticParams(argnums=(0, 1), argnames=("b", "c"))
    compiled = jit(f)
    assert compiled(1, 2, 3.0, c=4, y=5.0) == compiled(1, b=2, x=3.0, c=4, y=5.0) == 26.0


def test_jax_still_infers_neither_list_when_given_both() -> None:
    seen = []
    incomplete = jax.jit(  # type: ignore[jit-argnames]
        lambda x, n: seen.append(arrival(n)), static_argnums=(), static_argnames="n"
    )
    incomplete(1.0, 2)
    assert seen == ["traced"]


def test_a_static_parameter_after_a_positional_only_one_is_static_in_both_call_forms() -> None:
    seen: list[str] = []

    @jit
    def f(a: Static[int], /, n: Static[int], x: float) -> Any:
        seen.append(arrival(n))
        return x

    f(1, 2, 3.0)
    f(1, n=2, x=3.0)
    assert seen == ["concrete", "concrete"]


def test_keyword_arguments_may_carry_the_name_of_a_positional_only_static_parameter() -> None:
    seen: list[tuple[str, str]] = []

    @jit
    def f(n: Static[int], /, **rest: float) -> Any:
        seen.append((arrival(n), arrival(rest["n"])))
        return rest["n"]

    assert f(2, n=5.0) == 5.0
    assert seen == [("concrete", "traced")]


def test_further_positional_and_keyword_arguments_stay_dynamic() -> None:
    seen: list[tuple[str, ...]] = []

    @jit
    def f(n: Static[int], *rest: float, m: Static[str], **more: float) -> Any:
        seen.append((arrival(n), arrival(m), *map(arrival, rest), *map(arrival, more.values())))
        return rest[0]

    f(1, 2.0, 3.0, m="m", k=4.0)
    assert seen == [("concrete", "concrete", "traced", "traced", "traced")]


def test_an_unmarked_function_is_compiled_as_by_jax_jit() -> None:
    seen: list[str] = []

    @jit
    def f(x: Any, n: Any = 1) -> Any:
        seen.append(arrival(n))
        return x * n

    assert f(2.0, 3) == 6.0
    assert seen == ["traced"]
    assert static_params(f) == StaticParams((), ())


@pytest.mark.parametrize("function", [max, jax.numpy.sin, jax.numpy.add])
def test_functions_without_annotations_or_signature_have_no_static_parameters(function: Any) -> None:
    assert static_params(function) == StaticParams((), ())


def test_the_result_is_jax_s_own_object() -> None:
    def f(x: float) -> float:
        return x

    compiled = jit(f)
    assert type(compiled) is type(jax.jit(f))
    assert compiled.__wrapped__ is f  # type: ignore[attr-defined]


def test_the_lists_serve_other_transformations() -> None:
    seen: list[str] = []

    def f(x: float, n: Static[int]) -> Any:
        seen.append(arrival(n))
        return x**n

    params = static_params(f)
    assert jax.grad(jax.checkpoint(f, static_argnums=params.argnums))(3.0, 2) == 6.0
    assert jax.pmap(f, static_broadcasted_argnums=params.argnums)(jax.numpy.ones(1), 2).shape == (1,)
    vjp = jax.custom_vjp(f, nondiff_argnums=params.argnums)
    vjp.defvjp(lambda x, n: (x**n, x), lambda n, x, g: (g * n,))
    assert jax.grad(vjp)(3.0, 2) == 2.0
    assert set(seen) == {"concrete"}
