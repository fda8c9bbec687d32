"""The cost of a recording: each kind of work inside `record()` over the same work outside, timed in turn.

A hot call stays in C++, so it should cost nothing. Tracing runs Python code for each compiled function that a trace
calls. A compilation is recorded with its stack and its call. Memory is measured over many compilations: what is kept of
one must not grow with the arrays of the program.
"""

from __future__ import annotations

import argparse
import statistics
import time
import tracemalloc
from collections.abc import Callable

import jax
import jax.numpy as jnp

from jaxtyped_static import record


def hot(calls: int) -> Callable[[], None]:
    """Calls that JAX has a program for."""
    step, x = jax.jit(lambda x: x + 1), jnp.ones(3)

    def work() -> None:
        for _ in range(calls):
            step(x)

    return work


def tracing() -> None:
    """A function of 600 operations, of which half are compiled functions of JAX."""

    def body(x: jax.Array) -> jax.Array:
        for number in range(300):
            x = jnp.where(x > number, jnp.sin(x), x * 2.0)
        return x

    jax.jit(body).trace(jnp.ones(3))


def compiling() -> None:
    """Twenty small programs of one function."""
    step = jax.jit(lambda x: jnp.sin(x) + 1)
    for size in range(1, 21):
        step(jnp.zeros(size))
    jax.clear_caches()  # type: ignore[no-untyped-call]


def ratio(work: Callable[[], None], rounds: int) -> float:
    """The median of the pairs' ratios."""

    def seconds() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    seconds()
    pairs = []
    for _ in range(rounds):
        outside = seconds()
        with record():
            pairs.append(seconds() / outside)
    return statistics.median(pairs)


def kept(compilations: int) -> float:
    """Bytes that a recording keeps of each compilation of functions that come and go, with an argument of 400 kB."""
    tracemalloc.start()
    with record():
        before = 0
        for number in range(compilations):
            if number == compilations // 2:
                before = tracemalloc.get_traced_memory()[0]
            jax.jit(lambda x, number=number: x + number)(jnp.zeros(100_000))
            jax.clear_caches()  # type: ignore[no-untyped-call]
        after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) / (compilations / 2)


def main() -> None:
    """Prints the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="pairs of each kind (default: 15)")
    parser.add_argument("--compilations", type=int, default=400, help="for the memory (default: 400)")
    options = parser.parse_args()
    print(f"a hot call      {ratio(hot(20_000), options.rounds):.3f}   aim 1.02")
    print(f"tracing         {ratio(tracing, options.rounds):.3f}   aim 1.15")
    print(f"compiling       {ratio(compiling, options.rounds):.3f}   aim 1.10")
    print(f"kept of each compilation: {kept(options.compilations) / 1000:.1f} kB")


if __name__ == "__main__":
    main()
