"""`guard` and `assert_max_traces` as decorators watch while the body runs: of coroutines and generators, too."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import Any

import jax.numpy as jnp
import pytest

from jaxtyped_static import Static, StaticContractError, TooManyTracesError, guard, jit
from jaxtyped_static._calls import watching
from jaxtyped_static.testing import assert_max_traces


class Size:
    """Hashed by identity."""


def new_size() -> Any:
    return Size()


@jit
def step(x: Any, n: Static[object]) -> Any:
    return x + 1


X = jnp.float32(1)


async def coroutine() -> str:
    await asyncio.sleep(0)
    await asyncio.to_thread(step, X, new_size())
    return "result"


def generator() -> Generator[int, None, str]:
    yield 1
    step(X, new_size())
    return "result"


async def async_generator() -> AsyncIterator[int]:
    yield 1
    await asyncio.sleep(0)
    step(X, new_size())


def run_coroutine(function: Callable[[], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        return await function()

    return asyncio.run(main())


def run_async_generator(function: Callable[[], AsyncIterator[int]]) -> list[int]:
    async def main() -> list[int]:
        return [each async for each in function()]

    return asyncio.run(main())


KINDS: list[Any] = [
    (coroutine, inspect.iscoroutinefunction, run_coroutine),
    (generator, inspect.isgeneratorfunction, lambda function: list(function())),
    (async_generator, inspect.isasyncgenfunction, run_async_generator),
]


@pytest.mark.parametrize(("function", "is_kind", "run"), KINDS)
def test_the_body_is_watched(function: Any, is_kind: Any, run: Any) -> None:
    guarded = guard()(function)
    assert is_kind(guarded)
    with pytest.raises(StaticContractError, match="hashed by identity"):
        run(guarded)
    limited = assert_max_traces(step, 0)(function)
    assert is_kind(limited)
    with pytest.raises(TooManyTracesError, match="1 trace, none allowed"):
        run(limited)
    assert run(assert_max_traces(step, 1)(function)) in ("result", [1])
    assert not watching._observers


def test_a_generator_is_watched_only_while_its_body_runs() -> None:
    @guard()
    def pieces() -> Generator[int, int, None]:
        try:
            received = yield 1
            while True:
                try:
                    received = yield received
                except KeyError:
                    received = yield 7
        finally:
            step(X, 3)

    running: Any = pieces()
    assert next(running) == 1 and not watching._observers
    step(X, new_size())
    assert running.send(5) == 5 and running.throw(KeyError) == 7
    running.close()
    assert not watching._observers

    def outer() -> Iterator[Any]:
        result = yield from guard()(lambda: (yield 1))()
        yield result

    assert list(outer()) == [1, None]


def test_the_steps_of_a_generator_count_together() -> None:
    @assert_max_traces(step, 2)
    def sizes() -> Iterator[int]:
        for number in range(10, 20):
            yield number
            step(X, number)

    running = sizes()
    assert [next(running), next(running), next(running)] == [10, 11, 12]
    with pytest.raises(TooManyTracesError, match="3 traces, at most 2 allowed"):
        next(running)
