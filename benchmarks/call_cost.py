"""What a call costs: `jaxtyped_static.jit` against `jax.jit(static_argnames=...)` of the same function.

The two are timed in turn, many times, and the ratio of their fastest rounds is printed for each call form. The goal is
1.00 ± 0.03: `jit` returns JAX's own object, so anything else is noise or a fault. So is it for a call after a `guard`,
against one before; what a call costs inside is printed, too.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

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


def march(x: jax.Array, solver: Static[Solver]) -> jax.Array:
    """One array and one static object."""
    return x * solver.scale


CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "f(x, 3)": ((3,), {}),
    "f(x, n=3)": ((), {"n": 3}),
    "f(x, 3, name='b')": ((3,), {"name": "b"}),
}


def seconds(fun: Callable[..., Any], x: jax.Array, call: tuple[tuple[Any, ...], dict[str, Any]], calls: int) -> float:
    """The time of one call, averaged over one round."""
    args, kwargs = call
    start = time.perf_counter()
    for _ in range(calls):
        fun(x, *args, **kwargs)
    return (time.perf_counter() - start) / calls


def measure(form: str, rounds: int, calls: int) -> tuple[float, float]:
    """The fastest round of each, in seconds a call: ours, then JAX's."""
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


def measure_guard(rounds: int, calls: int) -> tuple[float, float, float]:
    """The fastest round before a guard, inside and after it, in seconds a call."""
    fun, x = jit(march), jnp.ones(8)
    call: tuple[tuple[Any, ...], dict[str, Any]] = ((Solver(),), {})
    seconds(fun, x, call, calls)
    before = [seconds(fun, x, call, calls) for _ in range(rounds // 2)]
    with guard():
        inside = [seconds(fun, x, call, calls // 10) for _ in range(rounds // 10)]
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
    before, inside, after = measure_guard(arguments.rounds, arguments.calls)
    print(
        f"{'after a guard':20} then {after * 1e6:6.2f} µs   before {before * 1e6:6.2f} µs   ratio {after / before:.3f}"
    )
    print(f"{'inside a guard':20}      {inside * 1e6:6.2f} µs")


if __name__ == "__main__":
    main()
