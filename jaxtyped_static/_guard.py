"""`guard` verifies the static arguments of every call, and finds values that changed after JAX compiled for them."""

from __future__ import annotations

import dis
import functools
import itertools
import sys
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Final, NoReturn, ParamSpec, Self, TypeVar, cast, overload

from jaxtyped_static._calls.watched_functions import watched
from jaxtyped_static._calls.watching import start_watching, stop_watching

if TYPE_CHECKING:
    from jaxtyped_static._calls.guarding import Guard

__all__ = ["GuardBlock", "guard"]

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
R = TypeVar("R")

_NOT_ASYNC: Final = "guard is no asynchronous context; write `with guard():`, also in a coroutine"


class _Function:
    """A function that says what to write instead of `with guard:`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if args and _is_entered(sys._getframe(1)):
            raise TypeError("`with guard(...):` guards the whole block, and takes no function; write `with guard():`")
        return vars(self)["__wrapped__"](*args, **kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> Self:
        """Makes it a descriptor, as functions are, for tools that tell a function by that."""
        return self

    def __enter__(self) -> NoReturn:
        raise TypeError("`with guard:` lacks the parentheses; write `with guard():`")

    def __exit__(self, *_: object) -> None:
        """Never called; `with` looks for it first."""

    def __aenter__(self) -> NoReturn:
        raise TypeError(_NOT_ASYNC)

    async def __aexit__(self, *_: object) -> None:
        """Never called, either."""


def _is_entered(caller: FrameType) -> bool:
    """Whether the call that a frame is in is what a `with` statement enters."""
    # Zero is the `CACHE` behind a call, which `co_code` of CPython 3.11 includes.
    codes = filter(None, caller.f_code.co_code[caller.f_lasti + 2 :: 2])
    following = [dis.opname[code] for code in itertools.islice(codes, 2)]
    return following[:1] in (["BEFORE_WITH"], ["BEFORE_ASYNC_WITH"]) or following == ["COPY", "LOAD_SPECIAL"]


def _with_advice(function: F) -> F:
    return cast(F, _Function(function))


@overload
def guard(function: None = None, /, *, jax_jit: bool = True) -> GuardBlock: ...


@overload
def guard(function: Callable[P, R], /, *, jax_jit: bool = True) -> Callable[P, R]: ...


@_with_advice
def guard(function: Callable[..., Any] | None = None, /, *, jax_jit: bool = True) -> Any:
    """Verifies, inside the block, the static arguments of each call of a compiled function.

    Each must be what it was when the program was traced that JAX runs for the call: if a value has changed since, JAX
    keeps running the old value's program and returns its numbers. In functions of `jaxtyped_static.jit`, and where
    a parameter is marked `Static[...]`, it must also keep the static contract, as `check_static` defines it. The guard
    covers all threads, and functions that were compiled before. Outside of the block, calls cost nothing extra.

    Write `with guard():`, or `@guard` or `@guard()` above a function, which may be a coroutine or a generator.

    Args:
        function: the function, if used as a decorator without parentheses.
        jax_jit: whether to verify the calls of functions compiled by `jax.jit`, too. JAX's own are left alone.

    Raises:
        StaticContractError: from the call with such an argument, if possible before the function runs.
        TypeError: `function` is a class, or not callable.
        RuntimeError: on entering, if calls cannot be watched in this version of JAX.
    """
    if function is None:
        return GuardBlock(jax_jit=jax_jit)
    if isinstance(function, type) or not callable(function):
        raise TypeError(f"guard decorates a function, got {function!r}; write `with guard():` around the calls")
    return GuardBlock(jax_jit=jax_jit)(function)


class GuardBlock:
    """A block, or each call of a decorated function, in which static arguments are verified."""

    def __init__(self, *, jax_jit: bool) -> None:
        self._jax_jit = jax_jit
        self._entered: list[Guard] = []

    def __enter__(self) -> None:
        # Imported on use: this is a seventh of the import time, and few programs need it.
        from jaxtyped_static._calls.guarding import Guard

        observer = Guard(jax_jit=self._jax_jit)
        start_watching(observer)
        self._entered.append(observer)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        observer = self._entered.pop()
        stop_watching(observer)
        observer.explain(error)

    def __aenter__(self) -> NoReturn:
        raise TypeError(_NOT_ASYNC)

    async def __aexit__(self, *_: object) -> None:
        """Never called; `async with` looks for it first."""

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        """Decorates a function of any kind."""
        return watched(function, lambda: GuardBlock(jax_jit=self._jax_jit))
