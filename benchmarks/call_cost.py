"""The cost of a call: `jaxtyped_static.jit` against `jax.jit(static_argnames=...)` of the same function.

The two are timed in turn, many times. For each call form, the ratio of their fastest rounds is printed. The aim is 1.00
± 0.03: `jit` returns JAX's own object, so anything else is noise or a fault. The same holds for a call after a `guard`
against one before. A call inside a guard is compared with one outside, for small values and a large one.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks.static_values import frozen, nested, static
from jaxtyped_static import Static, guard, jit, static_dataclass


def step(x: jax.Array, n: Static[int], *, name: Static[str] = "a") -> jax.Array:
    """One array and two static parameters."""
    return x * n


@static_dataclass
class Solver:
    """A small configuration."""

    order: int = 2
    scale: float = 0.5
    name: str = "rk"


CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "f(x, 3)": ((3,), {}),
    "f(x, n=3)": ((), {"n": 3}),
    "f(x, 3, name='b')": ((3,), {"name": "b"}),
}


def seconds(fun: Callable[..., Any], x: jax.Array, call: tuple[tuple[Any, ...], dict[str, Any]], calls: int) -> float:
    """Returns the time of one call, averaged over one round."""
    args, kwargs = call
    start = time.thread_time()
    for _ in range(calls):
        fun(x, *args, **kwargs)
    return (time.thread_time() - start) / calls


def measure(form: str, rounds: int, calls: int) -> tuple[float, float]:
    """Returns the fastest round of each, in seconds per call: ours, then JAX's."""
    ours, theirs = jit(step), jax.jit(step, static_argnames=("n", "name"))
    x = jnp.ones(8)
    times: dict[Callable[..., Any], list[float]] = {ours: [], theirs: []}
    for fun in times:
        seconds(fun, x, CALLS[form], calls)  # Compiles, and fills the caches.
    for number in range(rounds):
        order = (ours, theirs) if number % 2 else (theirs, ours)
        for fun in order:
            times[fun].append(seconds(fun, x, CALLS[form], calls))
    return min(times[ours]), min(times[theirs])


@dataclass(frozen=True)
class Frozen:
    """A small configuration that is compared by its fields."""

    order: int = 2
    sizes: tuple[int, ...] = (8, 8)
    limiter: Callable[[Any], Any] = jnp.tanh


@static_dataclass
class Nested:
    """Small configurations inside another one."""

    solver: Solver = Solver()
    frozen: Frozen = Frozen()


# The arguments passed inside a guard, or a class that makes a new one for each call; and the allowed ratio to a call
# outside.
GUARDED: dict[str, tuple[Any, float]] = {
    "a number": (3, 3.0),
    "a tuple": ((8, 8), 3.0),
    "static, 3 fields": (Solver(), 3.0),
    "static, made again": (Solver, 3.0),
    "frozen, 3 fields": (Frozen(), 3.0),
    "frozen, made again": (Frozen, 3.0),
    "static, nested": (Nested(), 3.0),
    "static, 3 x 100 fields": (nested(static, 100, 3)(), 5.0),
    "frozen, 3 x 100 fields": (nested(frozen, 100, 3)(), 5.0),
}


class Plain:
    """An object that is captured."""

    def __init__(self) -> None:
        self.scale, self.steps = 0.5, 0


# The same for an object that the function captures, of which it reads one attribute.
CAPTURED: tuple[Plain, float] = (Plain(), 4.0)


def measure_captured(value: Plain, rounds: int, calls: int) -> tuple[float, float, float]:
    """Returns the same as `measure_guard` for a function that captures the value."""
    program = jax.jit(lambda x: x * value.scale)
    with guard():
        program(jnp.ones(8))  # What is compiled outside of a guard is not followed.
    return around_a_guard(program, (), rounds, calls)


def measure_guard(value: Any, rounds: int, calls: int) -> tuple[float, float, float]:
    """Returns the fastest rounds before, inside and after a guard, in seconds per call."""

    @jit
    def program(x: jax.Array, config: Static[Any]) -> jax.Array:
        return x

    def with_new(x: jax.Array) -> jax.Array:
        return program(x, value())

    is_made_anew = isinstance(value, type)
    return around_a_guard(with_new if is_made_anew else program, () if is_made_anew else (value,), rounds, calls)


def around_a_guard(
    fun: Callable[..., Any], args: tuple[Any, ...], rounds: int, calls: int
) -> tuple[float, float, float]:
    """Returns the fastest rounds of a function before, inside and after a guard."""
    x = jnp.ones(8)
    call: tuple[tuple[Any, ...], dict[str, Any]] = (args, {})
    seconds(fun, x, call, calls)
    before = [seconds(fun, x, call, calls) for _ in range(rounds // 2)]
    with guard():
        inside = [seconds(fun, x, call, calls) for _ in range(rounds // 4)]
    after = [seconds(fun, x, call, calls) for _ in range(rounds // 2)]
    return min(before), min(inside), min(after)


def main() -> None:
    """Prints one line for each call form."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200, help="rounds for each function (default: %(default)s)")
    parser.add_argument("--calls", type=int, default=500, help="calls in a round (default: %(default)s)")
    arguments = parser.parse_args()
    for form in CALLS:
        ours, theirs = measure(form, arguments.rounds, arguments.calls)
        print(f"{form:20} ours {ours * 1e6:6.2f} µs   jax {theirs * 1e6:6.2f} µs   ratio {ours / theirs:.3f}")
    measured = {name: (measure_guard, *row) for name, row in GUARDED.items()}
    measured["a captured object"] = (measure_captured, *CAPTURED)
    for name, (measure_value, value, most) in measured.items():
        before, inside, after = measure_value(value, arguments.rounds, arguments.calls // 5)
        print(
            f"guard, {name:22}   outside {before * 1e6:6.2f} µs   inside {inside * 1e6:6.2f} µs   "
            f"ratio {inside / before:.2f} (at most {most:.0f})   afterwards {after / before:.3f}"
        )


if __name__ == "__main__":
    main()
