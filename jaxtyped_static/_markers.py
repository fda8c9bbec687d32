"""The markers `Static` and `Dynamic`: plain generic aliases that every type checker reads as the type inside."""

from __future__ import annotations

import contextlib
import enum
import sys
import types
from collections.abc import Iterable
from typing import Annotated, Any, Final, NoReturn, TypeVar, get_origin

__all__ = ["Dynamic", "Static"]

T = TypeVar("T")


class Marker(enum.Enum):
    """What an annotation says about a parameter. It is an enum, so copies and pickles are the same object."""

    STATIC = "Static"
    DYNAMIC = "Dynamic"


Static = Annotated[T, Marker.STATIC]
"""`Static[T]`: a `T` that JAX treats as a compile-time constant: hashed and compared, never traced."""

Dynamic = Annotated[T, Marker.DYNAMIC]
"""`Dynamic[T]`: a `T` that JAX traces, like every unmarked parameter."""

# Shown by `help(Static)`.
Static.__name__, Dynamic.__name__ = "Static", "Dynamic"
Static.__doc__ = """`Static[T]`: a `T` that JAX treats as a compile-time constant: hashed and compared, never traced.

Annotate parameters of functions under `jaxtyped_static.jit`, and fields of a `dynamic_dataclass`:

    @jit
    def step(x: jax.Array, n: Static[int]) -> jax.Array: ...

Type checkers read `Static[int]` as `int`. Each new value of a static parameter compiles the function again.
"""
Dynamic.__doc__ = """`Dynamic[T]`: a `T` that JAX traces, as it does every parameter without a marker.

It says so to readers, and to `jit`, which refuses to have such a parameter on a list of static ones. Type checkers
read `Dynamic[jax.Array]` as `jax.Array`.
"""


def _refuse_call(alias: Any, *_: object, **__: object) -> NoReturn:
    raise TypeError(
        f"{alias.__name__} is not called: it marks the type in an annotation; write `n: {alias.__name__}[int]`"
    )


def _subscribed(alias: Any, typ: Any) -> Any:
    try:
        return _subscribe(alias, typ)
    except Exception:
        raise TypeError(
            f"{alias.__name__}[...] takes one type, got {typ!r}; write `n: {alias.__name__}[int]`"
        ) from None


# Python would call the type variable in it, and complain about that; or about what is no type, in its own terms.
# Aliases have a private class, which wants `_root` of a subclass; should a later Python refuse that, or keep how it
# subscribes elsewhere, its own message will do.
with contextlib.suppress(TypeError, AttributeError):
    _subscribe = type(Static).__getitem__
    _of_markers = types.new_class(
        "_MarkerAlias",
        (type(Static),),
        {"_root": True},
        lambda body: body.update(__call__=_refuse_call, __getitem__=_subscribed),
    )
    for _alias in (Static, Dynamic):
        object.__setattr__(_alias, "__class__", _of_markers)

# `jax_dataclasses.Static` is `Annotated[T, <this string>]`; comparing the string avoids the import.
_FOREIGN_METADATA: Final = {"__jax_dataclasses_static_field__": Marker.STATIC}


def markers_in(metadata: Iterable[object]) -> frozenset[Marker]:
    """Returns the markers in the metadata of an `Annotated`, ours and those of other libraries."""
    return frozenset(marker for item in metadata if (marker := _marker_of(item)) is not None)


def is_bare(annotation: object) -> bool:
    """Returns whether `annotation` is `Static` or `Dynamic` itself, without a type in brackets."""
    return getattr(annotation, "__origin__", None) is T


def is_applied(annotation: object) -> bool:
    """Returns whether `annotation` is a marker, bare or around a type."""
    return is_special_form(annotation) or bool(markers_in(getattr(annotation, "__metadata__", ())))


def is_special_form(annotation: object) -> bool:
    """Returns whether `annotation` is `jax.typing.Static` or a subscript of it, should JAX make that a special form.

    JAX has no such name yet (jax#24705 proposes it). If it is an `Annotated` alias, `markers_in` reads it.
    """
    form = _jax_typing_static()
    return form is not None and (annotation is form or get_origin(annotation) is form)


def _marker_of(item: object) -> Marker | None:
    if isinstance(item, Marker):
        return item
    if isinstance(item, str):
        return _FOREIGN_METADATA.get(item)
    theirs = getattr(_jax_typing_static(), "__metadata__", ())
    return Marker.STATIC if any(item is other for other in theirs) else None


def _jax_typing_static() -> object | None:
    # A caller whose annotations use jax.typing has imported it. An import here would make the markers depend on JAX.
    return getattr(sys.modules.get("jax.typing"), "Static", None)
