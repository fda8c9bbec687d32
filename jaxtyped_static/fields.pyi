from collections.abc import Callable, Mapping
from typing import Any, TypeVar, overload

__all__ = ["field"]

_T = TypeVar("_T")

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
