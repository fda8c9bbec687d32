"""What type checkers and editors read of this package, with the stubs beside it; `tests/typing` keeps them true."""

import dataclasses
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Annotated, Any, ParamSpec, Protocol, TypeVar

# A function does not stand here if there is a module of its name: to a cache of mypy, they would be one.
from jaxtyped_static.dynamic_dataclass import dynamic_dataclass as dynamic_dataclass
from jaxtyped_static.explain import Explanation as Explanation
from jaxtyped_static.explain import Trace as Trace
from jaxtyped_static.explain import explain as explain
from jaxtyped_static.fields import field as field
from jaxtyped_static.guard import guard as guard
from jaxtyped_static.jit import JitView as JitView
from jaxtyped_static.jit import jit as jit
from jaxtyped_static.jit import wrapped as wrapped
from jaxtyped_static.static_dataclass import static_dataclass as static_dataclass

__all__ = [
    "Dynamic",
    "Explanation",
    "JitArgumentsError",
    "JitView",
    "MarkerError",
    "Static",
    "StaticContractError",
    "StaticParams",
    "TooManyTracesError",
    "Trace",
    "TraceLimit",
    "assert_max_traces",
    "check_static",
    "check_static_type",
    "dynamic_dataclass",
    "explain",
    "field",
    "guard",
    "jit",
    "static_dataclass",
    "static_params",
    "wrapped",
]

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)
_R = TypeVar("_R")
_P = ParamSpec("_P")

# Markers

Static = Annotated[_T, "static"]
"""`Static[T]`: a `T` that JAX treats as a compile-time constant: hashed and compared, never traced."""

Dynamic = Annotated[_T, "dynamic"]
"""`Dynamic[T]`: a `T` that JAX traces, as it does every unmarked parameter."""

@dataclasses.dataclass(frozen=True, slots=True)
class StaticParams:
    argnums: tuple[int, ...]
    argnames: tuple[str, ...]

def static_params(fun: Callable[..., Any], /) -> StaticParams: ...

# Contract checks

class _SearchStrategy(Protocol[_T_co]):
    """`hypothesis.strategies.SearchStrategy`, without a need for Hypothesis."""

    def example(self) -> _T_co: ...

def check_static(value: object, /) -> None: ...
def check_static_type(cls: type[_T], make: Iterable[_T] | _SearchStrategy[_T], /) -> None: ...

# Traces

class TraceLimit:
    def __init__(self, fun: Any, limit: int) -> None: ...
    def __enter__(self) -> Explanation: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...
    def __call__(self, test: Callable[_P, _R]) -> Callable[_P, _R]: ...

def assert_max_traces(fun: Callable[..., Any], n: int, /) -> TraceLimit: ...

# Errors

class MarkerError(TypeError):
    problem: str
    code: str
    function: str
    parameter: str | None
    field: str | None
    def __init__(
        self, problem: str, *, code: str, function: str, parameter: str | None = None, field: str | None = None
    ) -> None: ...

class JitArgumentsError(MarkerError, ValueError): ...

class StaticContractError(TypeError):
    code: str
    path: str
    reason: str
    advice: str
    function: str | None
    parameter: str | None
    def __init__(
        self,
        *,
        code: str,
        path: str,
        reason: str,
        advice: str,
        function: str | None = None,
        parameter: str | None = None,
    ) -> None: ...
    def in_call(self, function: str, parameter: str) -> StaticContractError: ...

class TooManyTracesError(AssertionError):
    function: str
    count: int
    limit: int
    explanation: str
    def __init__(self, *, function: str, count: int, limit: int, explanation: str) -> None: ...
