"""Decorates functions so that they are watched while their bodies run; coroutines and generators run after the call."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, ParamSpec, TypeAlias, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")
Make: TypeAlias = Callable[[], AbstractContextManager[Any]]


def watched(function: Callable[P, R], make: Make) -> Callable[P, R]:
    """Returns the function with a context around its body.

    The body of a coroutine runs until it is done, that of a generator step by step.

    Args:
        function: of any kind.
        make: makes a context for one call, which is entered again for each step of a generator.
    """
    kinds: list[tuple[Callable[[Any], bool], Callable[[Any, Make], Any]]] = [
        (inspect.isasyncgenfunction, _async_generator),
        (inspect.iscoroutinefunction, _coroutine),
        (inspect.isgeneratorfunction, _generator),
    ]
    wrap = next((wrap for is_kind, wrap in kinds if is_kind(function)), _plain)
    return cast(Callable[P, R], functools.wraps(function)(wrap(function, make)))


def _plain(function: Any, make: Make) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        with make():
            return function(*args, **kwargs)

    return call


def _coroutine(function: Any, make: Make) -> Any:
    async def call(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        with make():
            return await function(*args, **kwargs)

    return call


def _generator(function: Any, make: Make) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        context, body = make(), function(*args, **kwargs)
        step = functools.partial(next, body)
        while True:
            with context:
                try:
                    value = step()
                except StopIteration as end:
                    return end.value
            try:
                sent = yield value
            except GeneratorExit:
                with context:
                    body.close()
                raise
            except BaseException as error:
                step = functools.partial(body.throw, error)
            else:
                step = functools.partial(body.send, sent)

    return call


def _async_generator(function: Any, make: Make) -> Any:
    async def call(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        context, body = make(), function(*args, **kwargs)
        step = body.__anext__
        while True:
            with context:
                try:
                    value = await step()
                except StopAsyncIteration:
                    return
            try:
                sent = yield value
            except GeneratorExit:
                with context:
                    await body.aclose()
                raise
            except BaseException as error:
                step = functools.partial(body.athrow, error)
            else:
                step = functools.partial(body.asend, sent)

    return call
