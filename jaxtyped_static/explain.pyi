import dataclasses
from collections.abc import Callable, Mapping
from enum import Enum
from types import TracebackType
from typing import Any, NamedTuple, Self

__all__ = ["Explanation", "Trace", "explain"]

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
