"""Methods, callable objects, partial applications and wrapped functions."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import pytest

from jaxtyped_static import MarkerError, Static, jit, static_params
from jaxtyped_static.types import StaticParams
from tests.runtime.tracing import arrival


@dataclass(frozen=True)
class Model:
    scale: float

    @jit
    def run(self: Static[Model], x: float, n: Static[int] = 1) -> Any:
        return x * self.scale * n

    @staticmethod
    @jit
    def of_none(x: float, n: Static[int]) -> Any:
        return x * n

    @classmethod
    @jit
    def of_class(cls: Static[type[Model]], x: float, n: Static[int]) -> Any:
        return cls(x).scale * n

    @property
    @jit
    def half(self: Static[Model]) -> Any:
        return self.scale / 2

    def __call__(self, x: float, n: Static[int]) -> Any:
        assert arrival(n) == "concrete"
        return x * self.scale * n


def test_methods_class_methods_static_methods_and_properties() -> None:
    model = Model(3.0)
    assert model.run(2.0) == 6.0
    assert model.run(2.0, n=2) == Model.run(model, 2.0, 2) == 12.0
    assert Model.of_none(2.0, 3) == model.of_none(2.0, n=3) == 6.0
    assert Model.of_class(2.0, 3) == model.of_class(2.0, n=3) == 6.0
    assert model.half == 1.5


def test_a_bound_method_and_a_callable_object_count_without_self() -> None:
    model = Model(3.0)
    assert static_params(model) == StaticParams((1,), ("n",))
    assert static_params(model.__call__) == StaticParams((1,), ("n",))
    assert jit(model)(2.0, 2) == jit(model.__call__)(2.0, n=2) == 12.0


def test_the_constructor_of_a_class_is_a_signature_too() -> None:
    class Box:
        def __init__(self, x: float, n: Static[int]) -> None:
            self.x = x

    assert static_params(Box) == StaticParams((1,), ("n",))


def test_an_unmarked_cls_is_refused_with_what_to_write() -> None:
    with pytest.raises(MarkerError, match=r"Broken\.make .*`cls`.*write `cls: Static\[type\[Broken\]\]`") as caught:

        class Broken:
            @classmethod
            @jit
            def make(cls, x: float) -> float:  # type: ignore[jit-self]
                return x

    assert caught.value.code == "jit-self"


def test_a_static_method_may_call_a_parameter_cls() -> None:
    class Loss:
        @staticmethod
        @jit
        def of(cls: float, x: float) -> Any:
            return cls * x

    assert Loss.of(2.0, 3.0) == 6.0


@pytest.mark.parametrize("descriptor", [staticmethod, classmethod, property, functools.cached_property])
def test_decorators_that_make_descriptors_go_above_jit(descriptor: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=f"put @{descriptor.__name__} above @jit"):
        jit(descriptor(lambda self: self))


def base(a: float, n: Static[int], x: float, m: Static[int] = 1) -> Any:
    assert arrival(n) == arrival(m) == "concrete"
    return a * n * x * m


def test_partial_applications_count_the_remaining_parameters() -> None:
    by_position = functools.partial(base, 2.0)
    assert static_params(by_position) == StaticParams((0, 2), ("n", "m"))
    assert jit(by_position)(3, 4.0, 5) == jit(by_position)(n=3, x=4.0, m=5) == 120.0

    by_keyword = functools.partial(base, n=3)
    assert static_params(by_keyword) == StaticParams((), ("n", "m"))
    assert jit(by_keyword)(2.0, x=4.0, m=5) == jit(by_keyword)(2.0, n=3, x=4.0, m=5) == 120.0

    nested = functools.partial(functools.partial(base, 2.0), 3)
    assert static_params(nested) == StaticParams((1,), ("m",))
    assert jit(nested)(4.0, 5) == 120.0


def test_a_partial_application_that_presents_itself_as_the_whole_function() -> None:
    presented = functools.update_wrapper(functools.partial(base, 2.0), base)
    assert inspect.signature(presented) == inspect.signature(base)
    assert static_params(presented) == StaticParams((0, 2), ("n", "m"))
    assert jit(presented)(3, 4.0, 5) == jit(presented)(n=3, x=4.0, m=5) == 120.0

    def with_size(x: float, size: Static[int]) -> Any:
        return x * size

    added = functools.update_wrapper(functools.partial(with_size), lambda x, /, *rest, **more: None)
    assert static_params(added) == StaticParams((1,), ("size",))


def passing_on(fun: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fun)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return fun(*args, **kwargs)

    return wrapper


def test_a_wrapper_that_passes_everything_on_keeps_the_positions() -> None:
    compiled = jit(passing_on(passing_on(base)))
    assert compiled(2.0, 3, 4.0, 5) == compiled(2.0, n=3, x=4.0, m=5) == 120.0
    assert jit(functools.partial(passing_on(base), 2.0))(3, 4.0, 5) == 120.0
    assert static_params(functools.lru_cache(base)) == static_params(base)


def test_compiled_and_transformed_functions_keep_their_static_parameters() -> None:
    def f(x: float, n: Static[int]) -> Any:
        return x**n

    for transformed in (jit(f), jax.jit(f, static_argnums=1), jax.grad(f), jax.checkpoint(f, static_argnums=(1,))):
        assert static_params(transformed) == StaticParams((1,), ("n",))
    assert jit(jax.grad(f))(3.0, 2) == 6.0
    assert jit(jit(f))(3.0, n=2) == 9.0


def test_a_wrapper_that_adds_a_leading_parameter_shifts_the_positions() -> None:
    def inner(x: float, n: Static[int], y: float = 0.0) -> Any:
        assert arrival(n) == "concrete"
        return x * n + y

    @functools.wraps(inner)
    def wrapper(extra, x, n):  # type: ignore[no-untyped-def]
        assert arrival(extra) == arrival(x) == "traced"
        return extra + inner(x, n)

    assert static_params(wrapper) == StaticParams((2,), ("n",))
    assert jit(wrapper)(1.0, 2.0, 3) == 7.0


def test_the_marker_of_a_parameter_that_a_wrapper_adds_is_seen_though_wraps_drops_it() -> None:
    def inner(x: float, y: float, z: float = 0.0) -> Any:
        return x + y

    @functools.wraps(inner)
    def wrapper(x: float, times: Static[int], y: float) -> Any:
        return inner(x, y) * times

    assert "times" not in wrapper.__annotations__
    with pytest.raises(MarkerError, match=r"`times`.*set the wrapper's `__signature__`"):
        jit(wrapper)
    wrapper.__signature__ = inspect.signature(wrapper, follow_wrapped=False)  # type: ignore[attr-defined]
    assert static_params(wrapper) == StaticParams((1,), ("times",))
    assert jit(wrapper)(1.0, 2, 3.0) == jit(wrapper)(1.0, times=2, y=3.0) == 8.0


def multiply(x: float, n: Static[int]) -> Any:
    assert arrival(n) == "concrete"
    return x * n


def with_leading(extra: Any, *args: Any, **kwargs: Any) -> Any:
    return multiply(*args, **kwargs)


def with_other_names(a: Any, b: Any, n: Any) -> Any:
    return multiply(a + b, n)


def with_renamed(a: Any, b: Any) -> Any:
    return multiply(a, b)


def with_displaced(*args: Any, x: Any, **kwargs: Any) -> Any:
    return multiply(x, *args, **kwargs)


@pytest.mark.parametrize("wrapper", [with_leading, with_other_names, with_renamed, with_displaced])
def test_an_unknown_parameter_position_is_refused(wrapper: Callable[..., Any]) -> None:
    with pytest.raises(MarkerError, match=r"parameter `n`.*[Pp]ut @jit below the decorator"):
        jit(functools.update_wrapper(functools.partial(wrapper), multiply))


def test_a_wrapper_may_add_parameters_that_are_passed_by_name() -> None:
    @functools.wraps(multiply)
    def wrapper(x: Any, *args: Any, scale: Any = 1.0, **kwargs: Any) -> Any:
        return multiply(x, *args, **kwargs) * scale

    assert jit(wrapper)(2.0, 3) == jit(wrapper)(2.0, n=3) == 6.0


def test_an_argument_that_the_wrapper_supplies_is_not_the_callers() -> None:
    def inner(x: float, n: Static[int]) -> Any:
        return x * n

    @functools.wraps(inner)
    def wrapper(x: Any) -> Any:
        return inner(x, 3)

    assert static_params(wrapper) == StaticParams((), ())
    assert jit(wrapper)(2.0) == 6.0


def hiding(fun: Callable[..., Any]) -> Callable[..., Any]:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return fun(*args, **kwargs)

    return wrapper


class Hiding:
    def __init__(self, fun: Callable[..., Any]) -> None:
        self.fun = fun

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.fun(*args, **kwargs)


def hiding_twice(fun: Callable[..., Any]) -> Callable[..., Any]:
    return hiding(functools.partial(hiding(fun)))


def hiding_below(fun: Callable[..., Any]) -> Callable[..., Any]:
    return functools.partial(passing_on(hiding(fun)), 1.0)


@pytest.mark.parametrize("decorator", [hiding, Hiding, hiding_twice, hiding_below])
def test_a_decorator_that_hides_the_signature_is_refused(decorator: Callable[..., Any]) -> None:
    with pytest.raises(MarkerError, match=r"marker in base .*functools\.wraps") as caught:
        jit(decorator(base))
    assert caught.value.code == "static-marker"


def test_an_unreadable_function_that_is_only_reachable_is_ignored() -> None:
    def unreadable(n: Any) -> Any:
        return n

    unreadable.__annotations__ = {"n": "NotDefined"}

    @jit
    def total(*args: Any, **kwargs: Any) -> Any:
        return args[0] + total(*args[1:]) if args else unreadable(0)

    assert total(1.0, 2.0) == 3.0


def test_a_wrapper_around_an_unmarked_or_compiled_function_is_accepted() -> None:
    def unmarked(x: float) -> Any:
        return x * 2

    compiled = jit(base)

    def uses_both(*args: Any, **kwargs: Any) -> Any:
        return unmarked(*args, **kwargs) + compiled(1.0, 2, 3.0)

    assert jit(uses_both)(2.0) == 10.0
