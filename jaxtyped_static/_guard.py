"""`guard` verifies the static arguments of every call, and finds values that changed after JAX compiled for them."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Final, ParamSpec, TypeVar

from jaxtyped_static._calls.verification import Function, Verified, function_of, is_unchanged, verify
from jaxtyped_static._calls.watched_functions import watched
from jaxtyped_static._calls.watching import Call, Observer, start_watching, stop_watching

__all__ = ["GuardBlock", "guard"]

P = ParamSpec("P")
R = TypeVar("R")

_OF_JAX: Final = frozenset({"jax", "jaxlib"})


def guard(*, jax_jit: bool = False) -> GuardBlock:
    """Verifies, inside the block, each static argument of each call of a function compiled by `jaxtyped_static.jit`.

    Each must keep the static contract, as `check_static` defines it, and must be what it was when the function was
    compiled with it: if a value has changed since, JAX keeps running the old value's program and returns its numbers.
    The guard covers all threads, and functions that were compiled before. Outside of the block, calls cost nothing
    extra. It also works as a decorator, even of coroutines and generators.

    Args:
        jax_jit: also verify the calls of functions compiled by `jax.jit`, except JAX's own. Functions of installed
            packages are not held to the contract; they only must not run the program of another value.

    Raises:
        StaticContractError: from the call with such an argument, if possible before the function runs.
        RuntimeError: on entering, if calls cannot be watched in this version of JAX.
    """
    return GuardBlock(jax_jit=jax_jit)


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

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        """Decorates a function of any kind."""
        return watched(function, lambda: GuardBlock(jax_jit=self._jax_jit))


class Guard(Observer):
    """The observer behind `guard`."""

    def __init__(self, *, jax_jit: bool) -> None:
        self._jax_jit = jax_jit
        self._begun: dict[int, list[Verified]] = {}  # By the id of the call.

    def before(self, call: Call) -> None:
        """Refuses an argument that breaks the contract, or has changed."""
        if self._is_guarded(call):
            self._begun[id(call)] = verify(call)

    def after(self, call: Call, *, traced: bool, failed: bool) -> None:
        """Refuses an argument that got another value's program, and remembers what the function is compiled for."""
        arguments = self._begun.pop(id(call), [])
        if failed or not arguments:
            return
        function = function_of(call)
        if not traced:
            _refuse_shared(call, arguments, function)
        elif function.misplaced:
            function.misplaced.forget(function.values_of(call))
        seen = function.seen
        for argument in arguments:
            if traced:  # Changes that the function makes while it is traced come before the program exists.
                argument = argument.refreshed()
            if traced or not argument.is_known:
                argument.remember(seen)
            else:
                seen.expect(argument.value)

    def hit(self, call: Call) -> None:
        """Does both when JAX has already run the program."""
        if not self._is_guarded(call) or is_unchanged(call):
            return
        self.before(call)
        self.after(call, traced=False, failed=False)

    def _is_guarded(self, call: Call) -> bool:
        if not (call.static_argnums or call.static_argnames):
            return False
        if call.is_ours:
            return True
        return self._jax_jit and str(getattr(call.fun, "__module__", "")).partition(".")[0] not in _OF_JAX


def _refuse_shared(call: Call, arguments: list[Verified], function: Function) -> None:
    """Refuses a call that got another value's program, now or through JAX's cache of an earlier call."""
    for each in arguments:
        if each.if_shared is not None:
            if each.is_misplaced:
                function.misplaced.remember(function.values_of(call), each.if_shared)
            raise each.if_shared
    if function.misplaced and (error := function.misplaced.error_of(function.values_of(call))) is not None:
        raise error
