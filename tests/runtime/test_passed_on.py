"""A parameter marked static is not silently traced because another, compiled function calls its function."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import jax_dataclasses as jdc
import pytest

from jaxtyped_static import MarkerError, Static, dynamic_dataclass, field, jit, static_dataclass, static_params
from tests.runtime.tracing import arrival

# The wrappers are untyped, as users write them.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"


def scaled(x: Any, n: Static[int] = 3) -> Any:
    assert arrival(n) == "concrete"
    return x * n


FUNCTIONS: dict[str, Any] = {"scaled": scaled, "other": lambda x: x}
HOLDER: Any = SimpleNamespace(scaled=scaled)
compiled = jit(scaled)


def all_on(*args):
    return scaled(*args)


def named(x, n):
    return scaled(x, n)


def by_keyword(x, **options):
    return scaled(x, **options)


def from_dict(x, n):
    return FUNCTIONS["scaled"](x, n)


def from_some_key(x, n, key="scaled"):
    return FUNCTIONS[key](x, n)


def from_attribute(x, n):
    return HOLDER.scaled(x, n=n)


def computed(x, n):
    m = -n + 1
    return scaled(x, m)


def unpacked(*args):
    x, n = args
    return scaled(x, n)


def indexed(*args):
    return scaled(args[0], *args[1:])


def looked_up(x, **options):
    return scaled(x, options["n"])


def applied(x, n):
    return functools.partial(scaled, x)(n)


def in_a_loop(x, n):
    for function in (scaled,):
        x = function(x, n)
    return x


def inside(x, n):
    return jax.lax.fori_loop(0, 3, lambda _, y: scaled(y, n), x)


def in_a_list(fun):
    functions = [fun]
    return lambda x, n: functions[0](x, n)


def twice(fun):
    def inner(*args):
        return fun(*args)

    return lambda *args: inner(*args)


def among_many(fun):
    a = b = c = d = e = f = g = h = i = j = k = m = o = p = q = r = s = len

    def wrapper(x, n):
        assert all((a, b, c, d, e, f, g, h, i, j, k, m, o, p, q, r, s))
        return the_function(x, n)

    the_function = fun
    return wrapper


def without_source(fun):
    namespace: dict[str, Any] = {}
    exec("def make(fun):\n    def wrapper(x, n): return fun(x, n)\n    return wrapper", namespace)
    return namespace["make"](fun)


class Model:
    def __init__(self) -> None:
        self.scaled = scaled

    def __call__(self, x, n):
        return self.scaled(x, n)

    def run(self, x, n):
        return self.scaled(x, n)


PASSING_ON: list[Callable[..., Any]] = [
    all_on,
    named,
    by_keyword,
    from_dict,
    from_some_key,
    from_attribute,
    computed,
    unpacked,
    indexed,
    looked_up,
    applied,
    in_a_loop,
    inside,
    in_a_list(scaled),
    twice(scaled),
    among_many(scaled),
    without_source(scaled),
    Model(),
    Model().run,
    functools.partial(named, 2.0),
    lambda *args: scaled(*args),
    lambda x, n, fun=scaled: fun(x, n),
]


@pytest.mark.parametrize("wrapper", PASSING_ON)
def test_passing_a_traced_value_to_a_static_parameter_is_refused(wrapper: Callable[..., Any]) -> None:
    for compile_ in (jit, static_params):
        with pytest.raises(MarkerError, match=r"found a marker in scaled .*`n` would be traced here") as caught:
            compile_(wrapper)
        assert caught.value.code == "static-marker" and caught.value.parameter == "n"


def test_the_advice_works() -> None:
    def marked(x, n: Static[int]):
        return scaled(x, n)

    says = "mark `n` of this function, too: `n: Static[int]`"
    with pytest.raises(MarkerError, match=says.replace("[", r"\[")):
        jit(named)
    assert jit(marked)(2.0, 3) == jit(marked)(2.0, n=3) == 6

    with pytest.raises(MarkerError, match=r"make `n` static here, too: `jit\(lambda ..., static_argnames='n'\)`"):
        jit(lambda x, n: scaled(x, n))
    assert jit(lambda x, n: scaled(x, n), static_argnames="n")(2.0, 3) == 6

    with pytest.raises(MarkerError, match=r"compile it itself, `jit\(scaled\)`, or write `functools.wraps\(scaled\)"):
        jit(lambda *args: scaled(*args))
    assert jit(scaled)(2.0, 3) == jit(functools.wraps(scaled)(lambda *args: scaled(*args)))(2.0, 3) == 6
    assert jit(lambda *args: scaled(*args), static_argnums=1)(2.0, 3) == 6

    for wrapper in (all_on, by_keyword):
        with pytest.raises(MarkerError, match=r"write `@functools.wraps\(scaled\)` on the wrapper, or put @jit below"):
            jit(wrapper)
    assert jit(functools.wraps(scaled)(lambda *args: scaled(*args)))(2.0, 3) == 6
    assert jit(functools.wraps(scaled)(lambda x, **options: scaled(x, **options)))(2.0, n=3) == 6


@static_dataclass
class Factor:
    value: int


def with_factor(x: Any, factor: Static[Factor]) -> Any:
    return x * factor.value


def test_untraceable_arguments_are_ignored() -> None:
    def asks(x, n=3):
        return scaled(x, n) if isinstance(n, int) else x

    def counts(x):
        for number in range(1, 3):
            x = scaled(x, number)
        return x

    def reuses_the_name(x, n):
        n = 2
        return scaled(x, n)

    unrelated = [functools.partial(max, number) for number in range(30)]

    def with_much_at_hand(x, *rest, **more):
        assert unrelated and FUNCTIONS and HOLDER
        return scaled(x) + compiled(x, 2) + rest[0]

    silent: list[tuple[Callable[..., Any], tuple[Any, ...], float]] = [
        (lambda x: scaled(x, 3), (2.0,), 6),
        (lambda x: scaled(x, x.ndim + 1), (2.0,), 2),
        (lambda x, shape: scaled(x, shape.shape[0]), (2.0, jnp.ones(4)), 8),
        (asks, (2.0,), 6),
        (counts, (2.0,), 4),
        (reuses_the_name, (2.0, 5), 4),
        (with_much_at_hand, (2.0, 1.0), 11),
        (lambda *args: compiled(args[0], 4), (2.0,), 8),
        (lambda x, factor: with_factor(x, Factor(3)), (2.0, None), 6),
        (functools.wraps(scaled)(lambda *args, **kwargs: scaled(*args, **kwargs)), (2.0, 5), 10),
    ]
    for function, arguments, result in silent:
        assert jit(function)(*arguments) == result
    # Its objects have nothing to trace.
    jit(lambda x, factor: with_factor(x, factor))
    # A function that is compiled itself refuses a tracer.
    with pytest.raises((TypeError, ValueError)):
        jit(lambda x, n: compiled(x, n))(2.0, 3)


class Lookup:
    """A mapping without `get`."""

    def __init__(self, known: dict[str, Any]) -> None:
        self.known = known

    def __getitem__(self, key: str) -> Any:
        return self.known[key]

    def __len__(self) -> int:
        return len(self.known)

    def keys(self) -> Any:
        return self.known.keys()


@pytest.mark.parametrize(
    "declared",
    [
        lambda: jdc.static_field(),  # type: ignore[attr-defined]
        lambda: field(metadata={"static": 1}),
        lambda: field(metadata={"pytree_node": 0}),
        lambda: field(metadata=Lookup({"static": True})),  # type: ignore[call-overload]
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_field_is_static_if_its_metadata_says_so(declared: Callable[[], Any]) -> None:
    class State:
        x: Any
        power: Any = declared()

    cls: Any = dynamic_dataclass(State)
    program = jax.jit(lambda state: state.x**state.power)
    assert len(jax.tree.leaves(cls(1, 2))) == 1
    assert [float(program(cls(jnp.int32(100_000), power))) for power in (2, 2.0)] == [1410065408, 1e10]
