"""`guard` verifies the static arguments of every call, and finds values that changed after JAX compiled for them."""

from __future__ import annotations

import dis
import functools
import itertools
import sys
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, Final, NoReturn, ParamSpec, Self, TypeVar, cast, overload

from jaxtyped_static._calls.programs import CompiledValue, distinct
from jaxtyped_static._calls.read_names import also_read, begin_reading, end_reading
from jaxtyped_static._calls.stale_values import check_program, remember_trace
from jaxtyped_static._calls.unhashable import add_note
from jaxtyped_static._calls.verification import Examined, examine, function_of
from jaxtyped_static._calls.watched_functions import watched
from jaxtyped_static._calls.watching import Call, Observer, start_watching, stop_watching

__all__ = ["GuardBlock", "guard"]

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
R = TypeVar("R")

_NOT_ASYNC: Final = "guard is no asynchronous context; write `with guard():`, also in a coroutine"
_OF_JAX: Final = frozenset({"jax", "jaxlib"})


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
        watching = Guard(jax_jit=self._jax_jit)
        start_watching(watching)
        self._entered.append(watching)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        stop_watching(self._entered.pop())
        add_note(error)

    def __aenter__(self) -> NoReturn:
        raise TypeError(_NOT_ASYNC)

    async def __aexit__(self, *_: object) -> None:
        """Never called; `async with` looks for it first."""

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        """Decorates a function of any kind."""
        return watched(function, lambda: GuardBlock(jax_jit=self._jax_jit))


class Guard(Observer):
    """The observer behind `guard`."""

    def __init__(self, *, jax_jit: bool) -> None:
        self._jax_jit = jax_jit
        self._begun: dict[int, list[Examined]] = {}  # By the id of the call.
        self._inside = _Inside()

    def before(self, call: Call) -> None:
        """Refuses an argument that breaks the contract."""
        if self._is_guarded(call):
            self._begun[id(call)] = examine(call, function_of(call))
            self._inside.calls.append([])
            begin_reading()

    def after(self, call: Call, *, traced: bool, failed: bool) -> None:
        """Refuses an argument that changed since the program was traced, and remembers what a new one depends on."""
        examined = self._begun.pop(id(call), None)
        if examined is None:
            return
        reads, inner = end_reading(), self._inside.calls.pop()
        if failed:
            return
        function = function_of(call)
        if traced:
            program = remember_trace(call, function, examined, distinct(inner), reads)
        else:
            program = check_program(call, function, examined)
        if self._inside.calls and program is not None:
            self._inside.calls[-1] += (*program.values, *program.inner)
            also_read(program.reads)

    def hit(self, call: Call) -> None:
        """Refuses the same when JAX has already run the program."""
        if self._is_guarded(call):
            function = function_of(call)
            if not function.is_unchanged(call):
                check_program(call, function, examine(call, function))

    def _is_guarded(self, call: Call) -> bool:
        if call.is_ours:
            return True
        return self._jax_jit and str(getattr(call.fun, "__module__", "")).partition(".")[0] not in _OF_JAX


class _Inside(threading.local):
    """For each call that this thread is looking up, what the programs inside of it were compiled for."""

    def __init__(self) -> None:
        self.calls: list[list[CompiledValue]] = []
