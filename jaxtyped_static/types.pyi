import dataclasses
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, ParamSpec, Protocol, Self, TypeVar

from jax.stages import Lowered, Traced

from jaxtyped_static_runs.model import Run

__all__ = ["CompilationBlock", "Explanation", "GuardBlock", "JitView", "Recording", "StaticParams", "Trace"]

_R = TypeVar("_R")
_R_co = TypeVar("_R_co", covariant=True)
_P = ParamSpec("_P")

class JitView(Protocol[_P, _R_co]):
    __name__: str
    __qualname__: str
    __wrapped__: Any
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R_co: ...
    def lower(self, *args: _P.args, **kwargs: _P.kwargs) -> Lowered: ...
    def trace(self, *args: _P.args, **kwargs: _P.kwargs) -> Traced: ...
    def eval_shape(self, *args: _P.args, **kwargs: _P.kwargs) -> Any: ...
    def clear_cache(self) -> None: ...

# A jitted function behind a wrapper of the program, which may have any attributes. Only the mypy plugin uses it.
class _Wrapper:
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...

@dataclasses.dataclass(frozen=True, slots=True)
class StaticParams:
    argnums: tuple[int, ...]
    argnames: tuple[str, ...]

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
    def _repr_html_(self) -> str: ...

class GuardBlock:
    def __init__(self, *, jax_jit: bool) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...
    def __call__(self, function: Callable[_P, _R]) -> Callable[_P, _R]: ...

class Recording:
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...
    @property
    def run(self) -> Run: ...
    def save(self, file: str | Path) -> None: ...
    def _repr_html_(self) -> str: ...

class CompilationBlock:
    def __init__(self, after: int, *, warn: bool, site: object) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...
