"""The stub that type checkers and editors read, with two more beside it; `tests/typing` compares them with the code."""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, ParamSpec, TypeVar, dataclass_transform, overload

from jaxtyped_static.types import CompilationBlock, Explanation, GuardBlock, JitView, Recording, StaticParams

__all__ = [
    "Dynamic",
    "JaxtypedStaticError",
    "JitArgumentsError",
    "MarkerError",
    "Static",
    "StaticContractError",
    "TooManyTracesError",
    "UnexpectedCompilationError",
    "__version__",
    "check_static",
    "dynamic_dataclass",
    "explain",
    "field",
    "guard",
    "jit",
    "jitted",
    "no_compilation",
    "record",
    "static_dataclass",
    "static_params",
]

__version__: Final[str]

_T = TypeVar("_T")
_F = TypeVar("_F", bound=Callable[..., Any])
_R = TypeVar("_R")
_R_co = TypeVar("_R_co", covariant=True)
_P = ParamSpec("_P")

# Markers

Static = Annotated[_T, "static"]
"""`Static[T]`: a `T` that JAX treats as a compile-time constant: hashed and compared, never traced."""

Dynamic = Annotated[_T, "dynamic"]
"""`Dynamic[T]`: a `T` that JAX traces, as it does every unmarked parameter."""

# Compiled functions

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
    device: Any = ...,
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
    device: Any = ...,
    backend: str | None = ...,
    inline: bool = ...,
    compiler_options: dict[str, Any] | None = ...,
) -> Callable[[_F], _F]: ...
def jitted(fun: Callable[_P, _R_co], /) -> JitView[_P, _R_co]: ...
def static_params(fun: Callable[..., Any], /) -> StaticParams: ...

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
    static: bool = ...,
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
    static: bool = ...,
) -> _T: ...
@overload
def field(
    *,
    init: bool = ...,
    repr: bool = ...,
    metadata: Mapping[Any, Any] | None = ...,
    kw_only: bool = ...,
    hash_by_id: bool = ...,
    static: bool = ...,
) -> Any: ...
@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def static_dataclass(cls: type[_T], /) -> type[_T]: ...
@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def static_dataclass(
    *, frozen: Literal[True] = ..., repr: bool = ..., match_args: bool = ..., kw_only: bool = ..., slots: bool = ...
) -> Callable[[type[_T]], type[_T]]: ...
@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def dynamic_dataclass(cls: type[_T], /) -> type[_T]: ...
@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def dynamic_dataclass(
    *, frozen: Literal[True] = ..., repr: bool = ..., eq: bool = ..., match_args: bool = ..., kw_only: bool = ...
) -> Callable[[type[_T]], type[_T]]: ...

# Checks at run time

def check_static(value: object, /) -> None: ...
@overload
def guard(function: None = None, /, *, jax_jit: bool = True) -> GuardBlock: ...
@overload
def guard(function: Callable[_P, _R], /, *, jax_jit: bool = True) -> Callable[_P, _R]: ...
def explain(fun: Callable[..., Any], /) -> Explanation: ...
def record() -> Recording: ...
def no_compilation(*, after: int = 0, warn: bool = False) -> CompilationBlock: ...

# Errors

class JaxtypedStaticError(Exception): ...

class MarkerError(JaxtypedStaticError, TypeError):
    problem: str
    code: str
    function: str
    parameter: str | None
    field: str | None
    def __init__(
        self, problem: str, *, code: str, function: str, parameter: str | None = None, field: str | None = None
    ) -> None: ...

class JitArgumentsError(MarkerError, ValueError): ...

class StaticContractError(JaxtypedStaticError, TypeError):
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
    def in_call(self, function: str, parameter: str | None) -> StaticContractError: ...

class TooManyTracesError(JaxtypedStaticError, AssertionError):
    function: str
    count: int
    limit: int
    explanation: str
    def __init__(self, *, function: str, count: int, limit: int, explanation: str) -> None: ...

class UnexpectedCompilationError(JaxtypedStaticError):
    function: str
    place: str
    reasons: tuple[str, ...]
    def __init__(self, *, function: str, place: str, reasons: tuple[str, ...]) -> None: ...
