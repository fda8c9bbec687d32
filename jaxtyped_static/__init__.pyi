"""What type checkers and editors read of this package, in one file; `tests/typing/test_stub.py` keeps it true."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from types import TracebackType
from typing import Annotated, Any, NamedTuple, ParamSpec, Protocol, Self, TypeVar, dataclass_transform, overload

import jax
from jax.stages import Lowered, Traced

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
_R_co = TypeVar("_R_co", covariant=True)
_P = ParamSpec("_P")
_F = TypeVar("_F", bound=Callable[..., Any])

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

# `jit`

@overload
def jit(
    fun: _F,
    /,
    *,
    in_shardings: Any = ...,
    out_shardings: Any = ...,
    static_argnums: int | Sequence[int] | None = ...,
    static_argnames: str | Iterable[str] | None = ...,
    donate_argnums: int | Sequence[int] | None = ...,
    donate_argnames: str | Iterable[str] | None = ...,
    keep_unused: bool = ...,
    device: jax.Device | None = ...,
    backend: str | None = ...,
    inline: bool = ...,
    compiler_options: dict[str, Any] | None = ...,
) -> _F: ...
@overload
def jit(
    *,
    in_shardings: Any = ...,
    out_shardings: Any = ...,
    static_argnums: int | Sequence[int] | None = ...,
    static_argnames: str | Iterable[str] | None = ...,
    donate_argnums: int | Sequence[int] | None = ...,
    donate_argnames: str | Iterable[str] | None = ...,
    keep_unused: bool = ...,
    device: jax.Device | None = ...,
    backend: str | None = ...,
    inline: bool = ...,
    compiler_options: dict[str, Any] | None = ...,
) -> Callable[[_F], _F]: ...

class JitView(Protocol[_P, _R_co]):
    __name__: str
    __qualname__: str
    __wrapped__: Any
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R_co: ...
    def lower(self, *args: _P.args, **kwargs: _P.kwargs) -> Lowered: ...
    def trace(self, *args: _P.args, **kwargs: _P.kwargs) -> Traced: ...
    def eval_shape(self, *args: _P.args, **kwargs: _P.kwargs) -> Any: ...
    def clear_cache(self) -> None: ...

def wrapped(fun: Callable[_P, _R_co], /) -> JitView[_P, _R_co]: ...

# Classes

@overload
def field(
    *,
    default: _T,
    init: bool = ...,
    repr: bool = ...,
    metadata: Mapping[Any, Any] | None = ...,
    kw_only: bool = ...,
    hash_by_id: bool = ...,
) -> _T: ...
@overload
def field(
    *,
    default_factory: Callable[[], _T],
    init: bool = ...,
    repr: bool = ...,
    metadata: Mapping[Any, Any] | None = ...,
    kw_only: bool = ...,
    hash_by_id: bool = ...,
) -> _T: ...
@overload
def field(
    *,
    init: bool = ...,
    repr: bool = ...,
    metadata: Mapping[Any, Any] | None = ...,
    kw_only: bool = ...,
    hash_by_id: bool = ...,
) -> Any: ...
@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def static_dataclass(cls: type[_T], /) -> type[_T]: ...
@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def static_dataclass(
    *, repr: bool = ..., match_args: bool = ..., kw_only: bool = ..., slots: bool = ...
) -> Callable[[type[_T]], type[_T]]: ...
@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def dynamic_dataclass(cls: type[_T], /) -> type[_T]: ...
@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def dynamic_dataclass(
    *, repr: bool = ..., eq: bool = ..., match_args: bool = ..., kw_only: bool = ...
) -> Callable[[type[_T]], type[_T]]: ...

# Contract checks

class _SearchStrategy(Protocol[_T_co]):
    """`hypothesis.strategies.SearchStrategy`, without a need for Hypothesis."""

    def example(self) -> _T_co: ...

def check_static(value: object, /) -> None: ...
def check_static_type(cls: type[_T], make: Iterable[_T] | _SearchStrategy[_T], /) -> None: ...
@contextmanager
def guard(*, jax_jit: bool = False) -> Iterator[None]: ...

# Traces

class _Kind(Enum):
    FORM = "call form"
    STATIC = "static argument"
    DYNAMIC = "dynamic argument"
    FUNCTION = "function"
    CONTEXT = "context"

class _Difference(NamedTuple):
    path: str
    says: str
    kind: _Kind
    code: str | None = None

@dataclasses.dataclass(frozen=True)
class Trace:
    call: str
    static: Mapping[str, Any]
    dynamic: Mapping[str, str]
    shown: Mapping[str, str]
    differences: tuple[_Difference, ...] = ()
    compared_with: str | None = None
    failed: bool = False
    @property
    def is_needless(self) -> bool: ...

class Explanation:
    name: str
    calls: int
    def __init__(self, fun: Any) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...
    @property
    def traces(self) -> tuple[Trace, ...]: ...
    @property
    def earlier(self) -> tuple[Trace, ...]: ...

def explain(fun: Callable[..., Any], /) -> Explanation: ...

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
