"""`assert_max_traces` limits how often a test may trace a function, and fails with the reasons."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

from jaxtyped_static._calls.watched_functions import watched
from jaxtyped_static._errors import TooManyTracesError
from jaxtyped_static._traces.explanation import Explanation, compiled_function
from jaxtyped_static._traces.report import traces_text

__all__ = ["TraceLimit", "assert_max_traces"]

P = ParamSpec("P")
R = TypeVar("R")


def assert_max_traces(fun: Callable[..., Any], n: int, /) -> TraceLimit:
    """Fails if a compiled function is traced more than `n` times in a block, or in a function that it decorates.

    `with assert_max_traces(step, 1): ...`; after a warm-up, use `n = 0`. Calls that use a compiled program do not
    count. The block can access what `explain` records: `with assert_max_traces(step, 1) as why: ...`.

    Raises:
        TooManyTracesError: an `AssertionError`, on leaving the block, with the reasons for the surplus traces.
        TypeError: `fun` is not a compiled function, or `n` is not a whole number.
        ValueError: `n` is negative.
        RuntimeError: on entering, if calls cannot be watched in this version of JAX.
    """
    if not isinstance(n, int):
        raise TypeError(f"assert_max_traces() needs a whole number of traces, got {n!r}")
    if n < 0:
        raise ValueError(f"assert_max_traces() needs a number of traces, got {n}")
    return TraceLimit(compiled_function(fun, "assert_max_traces"), n)


class TraceLimit:
    """A block, or each call of a decorated function, that limits the traces of a function."""

    def __init__(self, fun: Any, limit: int) -> None:
        self._fun = fun
        self._limit = limit
        self._explanation: Explanation | None = None

    def __enter__(self) -> Explanation:
        explanation = Explanation(self._fun).__enter__()
        self._explanation = explanation
        return explanation

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        __tracebackhide__ = True
        explanation, self._explanation = self._explanation, None
        if explanation is not None:
            explanation.__exit__(kind, error, at)
            if error is None:
                check_limit(explanation, self._limit)

    def __call__(self, test: Callable[P, R]) -> Callable[P, R]:
        """Decorates a function of any kind; for a generator, the limit counts all its steps together."""
        return watched(test, lambda: _Steps(self._fun, self._limit))


class _Steps(TraceLimit):
    """The steps of one call, which are counted together."""

    def __init__(self, fun: Any, limit: int) -> None:
        super().__init__(fun, limit)
        self._all = Explanation(fun)

    def __enter__(self) -> Explanation:
        self._explanation = self._all.__enter__()
        return self._all


def check_limit(explanation: Explanation, limit: int) -> None:
    """Raises if more traces were recorded than the limit allows.

    Raises:
        TooManyTracesError: with the surplus traces.
    """
    __tracebackhide__ = True
    traces = explanation.traces
    if len(traces) > limit:
        surplus = "\n".join(traces_text(traces[limit:], first=limit + 1))
        raise TooManyTracesError(function=explanation.name, count=len(traces), limit=limit, explanation=surplus)
