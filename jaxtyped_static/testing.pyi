from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, ParamSpec, Protocol, TypeVar

from jaxtyped_static.types import Explanation

__all__ = ["TraceLimit", "assert_max_traces", "check_static_type"]

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)
_R = TypeVar("_R")
_P = ParamSpec("_P")

class _SearchStrategy(Protocol[_T_co]):
    """`hypothesis.strategies.SearchStrategy`, without a need for Hypothesis."""

    def example(self) -> _T_co: ...

def check_static_type(cls: type[_T], make: Iterable[_T] | _SearchStrategy[_T], /) -> None: ...

class TraceLimit:
    def __init__(self, fun: Any, limit: int) -> None: ...
    def __enter__(self) -> Explanation: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...
    def __call__(self, test: Callable[_P, _R]) -> Callable[_P, _R]: ...

def assert_max_traces(fun: Callable[..., Any], n: int, /) -> TraceLimit: ...
