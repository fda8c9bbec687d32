"""`jit` is `jax.jit` that takes its static parameters from the annotations and keeps the function's type."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Sequence
from types import FrameType, MethodType
from typing import TYPE_CHECKING, Any, Final, ParamSpec, Protocol, TypeVar, cast, overload

import jax

from jaxtyped_static._annotations.hidden import check_nothing_hidden
from jaxtyped_static._calls.watching import mark_ours
from jaxtyped_static._options import complete_options
from jaxtyped_static._signature import derive

if TYPE_CHECKING:
    from jax.stages import Lowered, Traced

__all__ = ["JitView", "jit", "jitted"]

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)

# Descriptors that hold a function: `jax.jit` compiles the function, and the result goes back into the descriptor.
_OUTERMOST: Final = (staticmethod, classmethod, property, functools.cached_property)


@overload
def jit(
    fun: F,
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
) -> F: ...


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
) -> Callable[[F], F]: ...


def jit(fun: F | None = None, /, **options: Any) -> F | Callable[[F], F]:
    """Compiles `fun` with `jax.jit`; parameters annotated `Static[...]` are static, all others dynamic.

    Use it bare (`@jit`), with options (`@jit(donate_argnames="state")`) or as a call (`jit(f, inline=True)`). The
    options are those of `jax.jit`. The result is JAX's own compiled-function object, so a call costs the same; for type
    checkers it keeps the type of `fun`. `jitted` gives typed access to `.lower` and the like.

    It always passes both `static_argnums` and `static_argnames`, in full, because JAX infers neither when both are
    given (https://docs.jax.dev/en/latest/_autosummary/jax.jit.html).

    Raises:
        MarkerError: a marker cannot be read or has no effect (`Static[int] | None`, an unresolvable annotation, ...).
        JitArgumentsError: `static_argnums`, `static_argnames` or the donated parameters contradict the annotations.
        TypeError, ValueError: whatever `jax.jit` itself raises for its options.
    """
    if fun is None:
        return lambda function: _compile(function, options, sys._getframe(1))
    return _compile(fun, options, sys._getframe(1))


def _shown_signature() -> inspect.Signature:
    """Returns the signature that `help(jit)` shows, with the options of the installed JAX."""
    theirs = inspect.signature(jax.jit).parameters.values()
    fun = inspect.Parameter("fun", inspect.Parameter.POSITIONAL_ONLY, default=None)
    options = (
        parameter.replace(annotation=parameter.empty)
        for parameter in theirs
        if parameter.kind is parameter.KEYWORD_ONLY
    )
    return inspect.Signature([fun, *options])


jit.__signature__ = _shown_signature()  # type: ignore[attr-defined]


def _compile(fun: F, options: dict[str, Any], caller: FrameType) -> F:
    if isinstance(fun, _OUTERMOST):
        name = type(fun).__name__
        raise TypeError(f"@jit got a {name}; put @{name} above @jit")
    derived = derive(fun, caller)
    complete = complete_options(derived, options)
    if derived.slots is not None:
        check_nothing_hidden(fun, complete["static_argnums"], complete["static_argnames"], caller)
    return cast(F, mark_ours(jax.jit(fun, **complete)))


class JitView(Protocol[P, R_co]):
    """The attributes of JAX's compiled-function object, with the parameters of the original function."""

    __name__: str
    __qualname__: str
    __wrapped__: Any

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Runs the function, and compiles it first if these types and static values are new."""

    def lower(self, *args: P.args, **kwargs: P.kwargs) -> Lowered:
        """Lowers for these arguments; call the result's `.compile()` without the static ones."""

    def trace(self, *args: P.args, **kwargs: P.kwargs) -> Traced:
        """Traces for these arguments, without lowering."""

    def eval_shape(self, *args: P.args, **kwargs: P.kwargs) -> Any:
        """Returns the shapes and dtypes of the result: its structure with `jax.ShapeDtypeStruct` leaves."""

    def clear_cache(self) -> None:
        """Drops what was compiled for this function."""


_VIEW_METHODS: Final = ("lower", "trace", "eval_shape", "clear_cache")


def jitted(fun: Callable[P, R_co], /) -> JitView[P, R_co]:
    """Returns `fun` itself, which must be jitted, typed with `.lower`, `.trace`, `.eval_shape` and `.clear_cache`.

    Access a method through its class, `jitted(Model.run).lower(model, x)`: on a bound method these attributes are the
    function's own and would take `x` for `self`.

    Raises:
        TypeError: `fun` is not a function compiled by `jit` or `jax.jit`, or is a bound method.
    """
    if isinstance(fun, MethodType):
        name = fun.__func__.__name__
        cls = type(fun.__self__).__name__
        raise TypeError(f"jitted() got a bound method; write jitted({cls}.{name}) and pass the {cls} first")
    if not all(hasattr(fun, name) for name in _VIEW_METHODS):
        raise TypeError(f"jitted() needs a function compiled by jit, got {fun!r}; decorate it with @jit")
    return cast(JitView[P, R_co], fun)
