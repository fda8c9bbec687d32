from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, overload

from jax._src.pjit import JitWrapped

F = TypeVar("F", bound=Callable[..., Any])

@overload
def jit(
    fun: Callable[..., Any],
    /,
    *,
    static_argnums: int | Sequence[int] | None = ...,
    static_argnames: str | Iterable[str] | None = ...,
    donate_argnums: int | Sequence[int] | None = ...,
    donate_argnames: str | Iterable[str] | None = ...,
) -> JitWrapped: ...
@overload
def jit(
    *,
    static_argnums: int | Sequence[int] | None = ...,
    static_argnames: str | Iterable[str] | None = ...,
    donate_argnums: int | Sequence[int] | None = ...,
    donate_argnames: str | Iterable[str] | None = ...,
) -> Callable[[Callable[..., Any]], JitWrapped]: ...
def vmap(fun: F, in_axes: int | Sequence[Any] | None = 0, out_axes: Any = 0) -> F: ...
def named_call(fun: F, *, name: str | None = None) -> F: ...
def pure_callback(callback: Callable[..., Any], result_shape_dtypes: Any, *args: Any) -> Any: ...
