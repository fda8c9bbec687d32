"""Finds the static parameters that a function's annotations declare."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FrameType
from typing import Any, NamedTuple

from jaxtyped_static._annotations.call_shape import Slot, call_shape
from jaxtyped_static._annotations.declared import declared_markers
from jaxtyped_static._annotations.description import describe
from jaxtyped_static._annotations.functions import place
from jaxtyped_static._annotations.hidden import check_nothing_hidden
from jaxtyped_static._errors import MarkerError
from jaxtyped_static._markers import Marker

__all__ = ["StaticParams", "static_params"]


@dataclass(frozen=True, slots=True)
class StaticParams:
    """The static parameters of a function, complete in both spellings.

    Attributes:
        argnums: positions, for every parameter that can be passed by position.
        argnames: names, for every parameter that can be passed by keyword.
    """

    argnums: tuple[int, ...]
    argnames: tuple[str, ...]


class Derived(NamedTuple):
    """What the annotations of a callable declare.

    Attributes:
        fun: the callable.
        slots: the parameters a caller can fill; None if Python knows no signature.
        open_ended: whether `*args` takes further positional arguments.
        markers: the marked parameters.
    """

    fun: Callable[..., Any]
    slots: tuple[Slot, ...] | None
    open_ended: bool
    markers: dict[str, Marker]

    def marked(self, marker: Marker) -> tuple[Slot, ...]:
        """Returns the parameters with this marker."""
        return tuple(slot for slot in self.slots or () if self.markers.get(slot.name) is marker)


def derive(fun: Callable[..., Any], caller: FrameType | None) -> Derived:
    """Reads the annotations of `fun`; names local to a function are looked up in `caller` and the frames around it.

    Raises:
        MarkerError: a marker cannot be read or has no effect.
    """
    described = describe(fun) if callable(fun) else None
    shape = call_shape(described) if described is not None else None
    if described is None or shape is None:
        return Derived(fun, None, False, {})
    derived = Derived(fun, shape.slots, shape.open_ended, declared_markers(described, caller))
    for slot in derived.marked(Marker.STATIC):
        if slot.problem is not None:
            raise MarkerError(
                f"found a Static parameter whose position in a call is unknown: {slot.problem}. Put @jit below the "
                "decorator, or set the wrapper's `__signature__` to what it really takes",
                code="static-marker",
                function=place(fun),
                parameter=slot.name,
            )
    return derived


def as_params(slots: Iterable[Slot]) -> StaticParams:
    """Returns both complete lists for these parameters."""
    known = tuple(slots)
    return StaticParams(
        argnums=tuple(sorted(slot.position for slot in known if slot.position is not None)),
        argnames=tuple(slot.name for slot in known if slot.keyword),
    )


def static_params(fun: Callable[..., Any], /) -> StaticParams:
    """Returns the parameters of `fun` that its annotations mark `Static`, as `jit` passes them to `jax.jit`.

    Use it with functions that take such lists: `jax.checkpoint(f, static_argnums=static_params(f).argnums)`,
    `jax.custom_vjp(f, nondiff_argnums=...)`, `jax.pmap(f, static_broadcasted_argnums=...)`. These use positions only
    (`jax.checkpoint` accepts `static_argnames` and ignores it), so pass their static arguments by position.

    Raises:
        MarkerError: a marker cannot be read or has no effect.
        TypeError: `fun` is not callable.
    """
    if not callable(fun):
        raise TypeError(f"static_params() needs a callable, got {fun!r}")
    caller = sys._getframe(1)
    static = as_params(derive(fun, caller).marked(Marker.STATIC))
    check_nothing_hidden(fun, static.argnums, static.argnames, caller)
    return static
